import type { LiveEvent } from '@forecourt/contract/events';
import { sql } from 'kysely';
import type { Tx } from './db/database.ts';
import { prepared } from './db/prepared.ts';
import type { Origin, Viewer } from './http/context.ts';

/** Names of fields that hold a secret, in any entity. */
const SECRET = /password$|passphrase|privatekey|secret|token|recoverycodes?$|apikey/i;

/** Values of a secret field that reveal nothing and are logged unmasked. */
const UNMASKED = new Set<unknown>(['changed', 'chosen by link', null, undefined, true, false]);

/** A `JSON.stringify` replacer that masks secrets with three dots. Callers leave secrets out of audit entries; this catches omissions. */
const maskSecrets = (key: string, value: unknown): unknown =>
  SECRET.test(key) && !UNMASKED.has(value) ? '•••' : value;

/** The author of a change: the viewer of a request, or the program itself. */
export type Actor = { viewer: Pick<Viewer, 'userId' | 'name' | 'viewedBy'> | null; origin: Origin };

export const SYSTEM: Actor = { viewer: null, origin: { requestId: '', ip: '', userAgent: '' } };

type Entity =
  | LiveEvent['entity']
  | 'setup'
  | 'audit'
  | 'export'
  | 'backup'
  | 'job'
  | 'template-image'
  | 'email-attachment';

export type AuditEntry = {
  /** The action, noun first: `deal.updated`. */
  action: `${Entity | 'password-link' | `backup-${string}`}.${string}`;
  /** By default the noun of the action. */
  entity?: Entity;
  recordId: string | null;
  version?: number | null;
  /** The changed fields before and after. Callers leave secrets out; values that look like one are masked. */
  before?: object | null;
  after?: object | null;
};

const asJson = (value: object | null | undefined) => (value ? JSON.stringify(value, maskSecrets) : null);

/**
 * Returns the columns of an entry except those of its record. The actor is the signed-in user, also during
 * impersonation, where `after` names the impersonated user.
 */
export const auditValues = (
  { viewer, origin }: Actor,
  {
    action,
    entity = action.slice(0, action.indexOf('.')) as Entity,
    before,
    after,
  }: Omit<AuditEntry, 'recordId' | 'version'>,
) => {
  const actor = viewer?.viewedBy ?? viewer;
  return {
    actor_id: actor?.userId ?? null,
    actor_name: actor?.name ?? 'System',
    ip: origin.ip,
    request_id: origin.requestId,
    action,
    entity,
    before: asJson(before),
    after: asJson(viewer?.viewedBy ? { ...after, viewedAs: viewer.name } : after),
  };
};
type AuditValues = ReturnType<typeof auditValues>;

const insertEntry = prepared(
  (db, entry: AuditValues & { record_id: string | null; version: number | null }) =>
    db.insertInto('audit_entries').values(entry),
);

/** Writes an entry in the transaction of the change it records. The entry is also the live event. */
export async function audit(db: Tx, actor: Actor, entry: AuditEntry): Promise<void> {
  const { recordId: record_id, version = null } = entry;
  await insertEntry(db, { ...auditValues(actor, entry), record_id, version });
}

/** Writes one entry for each of many records changed in the same way, in one statement. */
export async function auditMany(
  db: Tx,
  actor: Actor,
  action: AuditEntry['action'],
  records: readonly Required<Pick<AuditEntry, 'recordId' | 'version' | 'before' | 'after'>>[],
): Promise<void> {
  const row = auditValues(actor, { action });
  await sql`
    insert into audit_entries
      (actor_id, actor_name, ip, request_id, action, entity, record_id, version, before, after)
    select ${row.actor_id}::uuid, ${row.actor_name}, ${row.ip}, ${row.request_id}, ${row.action}, ${row.entity},
      "recordId", version, before, after
    from jsonb_to_recordset(${JSON.stringify(records, maskSecrets)}::jsonb)
      as records ("recordId" uuid, version integer, before jsonb, after jsonb)`.execute(db);
}
