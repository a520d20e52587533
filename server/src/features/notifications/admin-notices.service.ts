import type { NotificationKind } from '@forecourt/contract/notifications';
import { lockName, type Tx } from '../../platform/db/database.ts';
import { notify, type Notified } from '../../platform/notify.ts';
import * as queries from './notifications.queries.ts';

/**
 * Notifies active administrators of the state of the installation: each of them once a day, also if several instances
 * notify at the same time. Returns those who were notified now.
 */
export async function notifyAdmins(tx: Tx, kind: NotificationKind): Promise<Notified> {
  await lockName(tx, 'admin-notices');
  const { id } = await tx.selectFrom('installation').select('id').executeTakeFirstOrThrow();
  const admins = await queries.listAdminsWithout(tx, kind);
  return notify(
    tx,
    kind,
    null,
    admins.map((admin) => ({ userId: admin.id, recordId: id })),
  );
}
