import { audit, type Actor, type AuditedChange } from '../../platform/audit.ts';
import type { Tx } from '../../platform/db/database.ts';

export const auditBackup = (
  db: Tx,
  actor: Actor,
  action: `backup.${string}`,
  { id, name }: { id: string; name: string },
  after: object = {},
): Promise<void> => audit({ ...actor, db }, action, id, { after: { name, ...after } });

export const auditSettings = (
  db: Tx,
  actor: Actor,
  action: `backup-${string}.${string}`,
  change: AuditedChange = {},
): Promise<void> => audit({ ...actor, db }, action, null, { entity: 'backup', ...change });
