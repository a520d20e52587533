import { audit, type Actor } from '../../platform/audit.ts';
import type { Tx } from '../../platform/db/database.ts';

/** Writes an audit entry about a backup, with its name. */
export const auditBackup = (
  db: Tx,
  actor: Actor,
  action: `backup.${string}`,
  { id, name }: { id: string; name: string },
  after: object = {},
): Promise<void> => audit(db, actor, { action, entity: 'backup', recordId: id, after: { name, ...after } });
