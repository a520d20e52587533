import { audit, type Actor, type AuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/db/database.ts';

export const auditBackup = (
  db: Tx,
  actor: Actor,
  action: `backup.${string}`,
  { id, name }: { id: string; name: string },
  after: object = {},
): Promise<void> => audit(db, actor, { action, recordId: id, after: { name, ...after } });

export const auditSettings = (
  db: Tx,
  actor: Actor,
  action: `backup-${string}.${string}`,
  change: Pick<AuditEntry, 'before' | 'after'> = {},
): Promise<void> => audit(db, actor, { action, entity: 'backup', recordId: null, ...change });
