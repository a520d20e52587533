import type { NotificationKind } from '@forecourt/contract/notifications';
import { lockName, type Tx } from '../../platform/db/database.ts';
import { notify, type Notified } from '../../platform/notify.ts';
import * as queries from './notifications.queries.ts';

/**
 * Notifies active administrators of the state of the installation: each of them once a day, also if several instances
 * notify at the same time. Returns those who were notified now.
 * @param causeId each cause of a kind is notified separately
 */
export async function notifyAdmins(tx: Tx, kind: NotificationKind, causeId?: string): Promise<Notified> {
  await lockName(tx, 'admin-notices');
  const recordId = causeId ?? (await tx.selectFrom('installation').select('id').executeTakeFirstOrThrow()).id;
  const admins = await queries.listAdminsWithout(tx, kind, recordId);
  return notify(
    tx,
    kind,
    null,
    admins.map((admin) => ({ userId: admin.id, recordId })),
  );
}
