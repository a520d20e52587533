import type { KindOfRecord } from '@forecourt/contract/record-kinds';
import { sql, type RawBuilder } from 'kysely';
import type { Tx } from './db/database.ts';
import { prepared } from './db/prepared.ts';
import type { ChangeSetName, Origin, Viewer } from './http/context.ts';
import { hashedId } from './ids.ts';

/** Names of fields that contain a secret, in any entity. */
const SECRET = /password$|passphrase|privatekey|secret|token|recoverycodes?$|apikey/i;

/** Values of a secret field that reveal nothing and are logged unmasked. */
const UNMASKED = new Set<unknown>(['changed', 'chosen by link', null, undefined, true, false]);

/** A `JSON.stringify` replacer that masks secrets. Callers omit secrets from audit entries; this catches mistakes. */
const maskSecrets = (key: string, value: unknown): unknown =>
  SECRET.test(key) && !UNMASKED.has(value) ? '•••' : value;

/** The author of a change: the viewer of a request, or the program itself. */
export type Actor = { viewer: Pick<Viewer, 'userId' | 'name' | 'viewedBy'> | null; origin: Origin };

/** The author of a change, with its transaction, such as the context of a use case. */
type TxActor = Actor & { db: Tx };

export const SYSTEM: Actor = { viewer: null, origin: { requestId: '', ip: '', userAgent: '' } };

/** An action, noun first: `deal.updated`. */
export type AuditAction = `${KindOfRecord | 'password-link' | `backup-${string}`}.${string}`;

export type AuditedChange = {
  version?: number | null;
  /** The changed fields before and after, without secrets; values that look like one are masked. */
  before?: object | null;
  after?: object | null;
};

const asJson = (value: object | null | undefined) => (value ? JSON.stringify(value, maskSecrets) : null);

/**
 * Returns the columns of the change set to which an entry about a deal belongs: writes of a user with the same kind and
 * key form one. Entries of the program and about other records belong to none.
 */
function changeSetValues(userId: string | undefined, { changeSet }: Origin, entity: KindOfRecord) {
  const isChange = entity === 'deal' && userId !== undefined && changeSet !== undefined;
  if (!isChange) return { change_set_id: null, change_set_kind: null, change_set_of: null };
  const { of } = changeSet;
  return {
    change_set_id: changeSetId(userId, changeSet),
    change_set_kind: changeSet.kind,
    change_set_of: of ? changeSetId(userId, of) : null,
  };
}

export const changeSetId = (userId: string, { kind, key }: ChangeSetName): string =>
  hashedId(userId, kind, key);

/** Inserts the change sets of these entries, with the columns of `auditValues`, unless they exist. */
export const putChangeSets = (entries: RawBuilder<unknown>) => sql`
  insert into change_sets (id, kind, of_set, created_by, created_by_name)
  select distinct on (change_set_id) change_set_id, change_set_kind, change_set_of, actor_id, actor_name
  from ${entries} where change_set_id is not null
  -- In one order, so that two statements do not wait for each other.
  order by change_set_id
  on conflict do nothing`;

/**
 * Returns the columns of an entry except those of its record. The actor is the signed-in user, even during
 * impersonation; `after` then names the impersonated user.
 */
export const auditValues = (
  { viewer, origin }: Actor,
  {
    action,
    entity = action.slice(0, action.indexOf('.')) as KindOfRecord,
    before,
    after,
  }: Omit<AuditedChange, 'version'> & { action: AuditAction; entity?: KindOfRecord },
) => {
  const actor = viewer?.viewedBy ?? viewer;
  return {
    actor_id: actor?.userId ?? null,
    actor_name: actor?.name ?? 'System',
    ip: origin.ip,
    request_id: origin.requestId,
    action,
    entity,
    ...changeSetValues(actor?.userId, origin, entity),
    before: asJson(before),
    after: asJson(viewer?.viewedBy ? { ...after, viewedAs: viewer.name } : after),
  };
};
type AuditValues = ReturnType<typeof auditValues>;

/** An entry as its table stores it. */
export type Entry = Omit<AuditValues, 'change_set_kind' | 'change_set_of'> & {
  record_id: string | null;
  version: number | null;
};

const insertEntry = prepared((db, entry: Entry) => db.insertInto('audit_entries').values(entry));

/** Returns the entry of an action that belongs to no change set, for a statement that also writes the change. */
export function entryOf(
  actor: Actor,
  action: AuditAction,
  record_id: string | null,
  change: AuditedChange = {},
): Entry {
  const {
    change_set_kind: _kind,
    change_set_of: _of,
    ...columns
  } = auditValues(actor, { action, ...change });
  return { ...columns, record_id, version: change.version ?? null };
}

async function putChangeSet(db: Tx, entry: AuditValues): Promise<void> {
  if (entry.change_set_id === null) return;
  await putChangeSets(sql`(select ${entry.change_set_id}::uuid as change_set_id,
    ${entry.change_set_kind} as change_set_kind, ${entry.change_set_of}::uuid as change_set_of, ${entry.actor_id}::uuid as actor_id,
    ${entry.actor_name} as actor_name) as entry`).execute(db);
}

/**
 * Writes an entry in the transaction of the change. The entry is also the live event.
 * @param change `entity` is by default the noun of the action
 */
export async function audit(
  { db, ...actor }: TxActor,
  action: AuditAction,
  record_id: string | null,
  { version = null, ...change }: AuditedChange & { entity?: KindOfRecord } = {},
): Promise<void> {
  const values = auditValues(actor, { action, ...change });
  await putChangeSet(db, values);
  const { change_set_kind: _kind, change_set_of: _of, ...columns } = values;
  await insertEntry(db, { ...columns, record_id, version });
}

/** Writes an entry for each of many records changed in the same way, in one statement. */
export async function auditMany(
  { db, ...actor }: TxActor,
  action: AuditAction,
  records: readonly (AuditedChange & { recordId: string })[],
): Promise<void> {
  const row = auditValues(actor, { action });
  await putChangeSet(db, row);
  await sql`
    insert into audit_entries
      (actor_id, actor_name, ip, request_id, action, entity, change_set_id, record_id, version, before, after)
    select ${row.actor_id}::uuid, ${row.actor_name}, ${row.ip}, ${row.request_id}, ${row.action}, ${row.entity},
      ${row.change_set_id}::uuid, "recordId", version, before, after
    from jsonb_to_recordset(${JSON.stringify(records, maskSecrets)}::jsonb)
      as records ("recordId" uuid, version integer, before jsonb, after jsonb)`.execute(db);
}
