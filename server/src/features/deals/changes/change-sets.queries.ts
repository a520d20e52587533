import type { ChangeKind } from '@forecourt/contract/change-kinds';
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { dealRows, whereIds, whereVisibleById, type InScope } from '../deals.queries.ts';

/** The change sets to list; `by` undefined means all users. */
export type ChangeSetFilter = {
  by?: string | undefined;
  kind?: ChangeKind | undefined;
  dealershipId?: string | undefined;
  dealId?: string | undefined;
  /** This set and its undo and redo sets, each as a set of its own. */
  of?: string | undefined;
  /** A business day. */
  day?: string | undefined;
};

type Counts = {
  /** Numbers of rows by effect; `changed` excludes rows with another effect. */
  rows: number;
  added: number;
  changed: number;
  deleted: number;
  restored: number;
  last_at: string;
  /** First and last month to which rows were added; null if none were added. */
  first_month: string | null;
  last_month: string | null;
};

type StoredSet = {
  id: string;
  /** The set that this one undoes or redoes. */
  of_set: string | null;
  kind: ChangeKind;
  created_by: string;
  created_by_name: string;
  created_at: string;
};

export type ChangeSetRow = StoredSet & Counts;

/** A set with the set that was effective last: itself, or the one that redid it. */
export type ShownSet = { set: ChangeSetRow; latest: ChangeSetRow; state: 'undone' | 'redone' | null };

/** Counts the entries of change sets, in the order of `COLUMNS`. */
const counted = sql`
  select change_set_id as id, max(id) as counted_to, count(distinct record_id) as rows,
    count(distinct record_id) filter (where action = 'deal.created') as added,
    count(distinct record_id) - count(distinct record_id) filter (
      where action in ('deal.created', 'deal.deleted', 'deal.restored')) as changed,
    count(distinct record_id) filter (where action = 'deal.deleted') as deleted,
    count(distinct record_id) filter (where action = 'deal.restored') as restored,
    min(after ->> 'month') filter (where action = 'deal.created') as first_month,
    max(after ->> 'month') filter (where action = 'deal.created') as last_month,
    max(created_at) as last_at
  from audit_entries`;

const COLUMNS = sql`counted_to, rows, added, changed, deleted, restored, first_month, last_month, last_at`;

/** Returns change sets with their counts, which are computed here for sets with uncounted entries. */
async function withCounts(db: Db | Tx, sets: readonly FoundSet[]): Promise<ChangeSetRow[]> {
  const ids = sets.filter(({ is_counted }) => !is_counted).map(({ id }) => id);
  if (ids.length === 0) return [...sets];
  const { rows } = await sql<Counts & { id: string }>`
    ${counted} where change_set_id = any(${ids}::uuid[]) group by change_set_id`.execute(db);
  const counts = new Map(rows.map((row) => [row.id, row]));
  return sets.map((set) => ({ ...set, ...counts.get(set.id) }));
}

const isCounted = sql`(change_sets.counted_to is not null and not exists (
  select from audit_entries
  where audit_entries.change_set_id = change_sets.id and audit_entries.id > change_sets.counted_to))`;

const withValidity = sql`change_sets.*, ${isCounted} as is_counted`;

const isOfWholeRow = (entry: string) =>
  sql`${sql.ref(`${entry}.action`)} in ('deal.created', 'deal.deleted', 'deal.restored')`;

/**
 * Whether `change_sets` can be an undo or redo of `first`: it changes only rows of `first`, or rows that its redo
 * added; it deletes and restores only rows that these sets added, deleted or restored; and it adds no more rows than
 * they added, or an undo deleted.
 */
const isWithinFirst = sql`not exists (
  select done.record_id, ${isOfWholeRow('done')} from audit_entries as done
  where done.change_set_id = change_sets.id
  except (
    select entry.record_id, whole from audit_entries as entry, (values (true), (false)) as either (whole)
    where entry.change_set_id = first.id and (${isOfWholeRow('entry')} or not whole)
    union all
    select entry.record_id, whole
    from change_sets as redo join audit_entries as entry on entry.change_set_id = redo.id,
      (values (true), (false)) as either (whole)
    where redo.of_set = first.id and entry.action = 'deal.created'))
  and (
    select count(*) from audit_entries as done
    where done.change_set_id = change_sets.id and done.action = 'deal.created'
  ) <= (
    select count(*) from audit_entries as entry
    where entry.change_set_id = first.id
      and entry.action = case when first.kind = 'undo' then 'deal.deleted' else 'deal.created' end)`;

/**
 * Whether a set is listed with the one that it undoes or redoes, which its caller names. A false name must not hide
 * changes, so `storeCounts` removes it from a set that cannot be its undo or redo.
 */
export const isStep = sql`(change_sets.of_set is not null and exists (
  select from change_sets as first
  where first.id = change_sets.of_set and first.of_set is null and first.created_by = change_sets.created_by
    and change_sets.created_at between first.created_at and first.created_at + interval '1 day'
    and (${isCounted} or (${isWithinFirst}))))`;

/** Returns sets with the newest set that undid or redid each. */
async function withStates(db: Db | Tx, sets: readonly ChangeSetRow[]): Promise<ShownSet[]> {
  const ids = sets.map(({ id }) => id);
  const { rows } = await sql<ChangeSetRow & { is_counted: boolean }>`
    select ${withValidity} from change_sets where id in (
      select distinct on (of_set) id from change_sets where of_set = any(${ids}::uuid[]) and ${isStep}
      order by of_set, created_at desc, id desc)`.execute(db);
  const steps = new Map((await withCounts(db, rows)).map((step) => [step.of_set, step]));
  return sets.map((set) => {
    const step = steps.get(set.id);
    if (!step) return alone(set);
    if (step.kind === 'undo') return { set, latest: set, state: 'undone' };
    // A redo of some of the rows does not replace the others.
    return { set, latest: step.rows < set.rows ? set : step, state: 'redone' };
  });
}

const alone = (set: ChangeSetRow): ShownSet => ({
  set,
  latest: set,
  state: set.kind === 'undo' ? 'undone' : null,
});

const NEWEST_FIRST = sql`order by created_at desc, id desc`;

type FoundSet = ChangeSetRow & { is_counted: boolean };

const findSets = async (db: Db | Tx, matching: RawBuilder<unknown>, limit: number): Promise<FoundSet[]> =>
  (await sql<FoundSet>`select ${withValidity} ${matching} ${NEWEST_FIRST} limit ${limit}`.execute(db)).rows;

/** Number of the newest sets whose rows are read before all rows of a dealership are. */
const NEWEST = 1000;

/**
 * Returns the newest of these sets with a row that now has this dealership. A dealership with many rows has many of the
 * newest sets; the rows of another are fewer than those of all sets.
 */
async function findOfDealership(
  db: Db | Tx,
  scope: InScope,
  dealershipId: string,
  { matching, limit }: { matching: RawBuilder<unknown>; limit: number },
): Promise<FoundSet[]> {
  const isRow = sql`deals.dealership_id = ${dealershipId} and ${whereVisibleById(scope)}`;
  const newest = await sql<{ id: string }>`select id ${matching} ${NEWEST_FIRST} limit ${NEWEST}`.execute(db);
  const ids = newest.rows.map(({ id }) => id);
  const sets = await findSets(
    db,
    sql`from change_sets where id = any(${ids}::uuid[]) and exists (
      select from audit_entries join deals on deals.id = audit_entries.record_id
      where audit_entries.change_set_id = change_sets.id and ${isRow})`,
    limit,
  );
  if (sets.length === limit || ids.length < NEWEST) return sets;
  // Deleted rows have an index of their own. Without 'offset' PostgreSQL would read all entries.
  return findSets(
    db,
    sql`${matching} and id in (
      select entry.change_set_id
      from (
        select id from deals where ${isRow} and deleted_at is null
        union all select id from deals where ${isRow} and deleted_at is not null) as row,
        lateral (select change_set_id from audit_entries where record_id = row.id offset 0) as entry)`,
    limit,
  );
}

/** Returns matching change sets with their counts and states, newest first. `cursor` selects older sets. */
export async function listChangeSets(
  db: Db | Tx,
  scope: InScope,
  { by, kind, dealershipId, dealId, of, day }: ChangeSetFilter,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<ShownSet[]> {
  const dayStart = (days: number) =>
    sql`(${day}::date + ${days}::integer)::timestamp at time zone ${scope.timeZone}`;
  const conditions = [
    of ? sql`(id = ${of} or (of_set = ${of} and ${isStep}))` : sql`not ${isStep}`,
    ...(by ? [sql`created_by = ${by}`] : []),
    ...(kind ? [sql`kind = ${kind}`] : []),
    ...(day ? [sql`created_at >= ${dayStart(0)} and created_at < ${dayStart(1)}`] : []),
    ...(dealId
      ? [
          sql`id in (
            select case when ${isStep} then of_set else id end from change_sets
            where id in (select change_set_id from audit_entries where record_id = ${dealId}))`,
        ]
      : []),
    ...(cursor
      ? [
          sql`(created_at, id) < (
            select last.created_at, last.id from change_sets as last
            where last.id = ${cursor} ${by ? sql`and last.created_by = ${by}` : sql``})`,
        ]
      : []),
  ];
  const matching = sql`from change_sets where ${sql.join(conditions, sql` and `)}`;
  const rows = dealershipId
    ? await findOfDealership(db, scope, dealershipId, { matching, limit })
    : await findSets(db, matching, limit);
  const sets = await withCounts(db, rows);
  return of ? sets.map(alone) : withStates(db, sets);
}

/** Returns a change set with its counts and state. `by` restricts it to a user; `isAlone` ignores its redo. */
export async function findChangeSet(
  db: Db | Tx,
  id: string,
  by: string | undefined,
  isAlone: boolean,
): Promise<ShownSet | undefined> {
  const { rows } = await sql<ChangeSetRow & { is_counted: boolean }>`
    select ${withValidity} from change_sets where id = ${id} ${by ? sql`and created_by = ${by}` : sql``}`.execute(
    db,
  );
  const sets = await withCounts(db, rows);
  return (isAlone ? sets.map(alone) : await withStates(db, sets))[0];
}

/** Number of entries that are read to describe a set. */
const DESCRIBED_ENTRIES = 12;

/** Returns the first entries of sets: row, action and changed fields, which are omitted for new rows. */
export async function listFirstEntries(db: Db | Tx, ids: readonly string[]) {
  const { rows } = await sql<{ set_id: string; record_id: string; action: string; fields: string[] }>`
    select listed.id as set_id, entry.record_id, entry.action, case when entry.action = 'deal.created' then '{}'
      else array(select jsonb_object_keys(coalesce(entry.after, '{}'))) end as fields
    from unnest(${ids}::uuid[]) as listed (id), lateral (
      select id, record_id, action, after from audit_entries
      where change_set_id = listed.id order by id limit ${DESCRIBED_ENTRIES}) as entry
    order by entry.id`.execute(db);
  return rows;
}

/**
 * Stores the counts of up to `limit` change sets, and whether each is an undo or redo of the set that it names. Skips
 * sets changed within the last `minutes`, because open transactions may still add entries with lower numbers. Returns
 * the number of sets.
 */
export async function storeCounts(
  db: Db,
  { limit, minutes }: { limit: number; minutes: number },
): Promise<number> {
  const lately = sql`now() - make_interval(mins => ${minutes}::integer)`;
  const { rows } = await sql`
    update change_sets set of_set = case when ${isStep} then of_set end, (${COLUMNS}) = (
      select ${COLUMNS} from (${counted} where change_set_id = change_sets.id group by change_set_id) as counts)
    where id = any(array(
      select id from change_sets
      where counted_to is null and created_at <= ${lately} and not exists (
        select from audit_entries
        where change_set_id = change_sets.id and audit_entries.created_at > ${lately})
      order by created_at limit ${limit}))
    returning id`.execute(db);
  return rows.length;
}

export type Reader = { scope: InScope; userId: string; isAdmin: boolean };

/** Only administrators see a row that another user deleted, as in the list of deleted rows. */
export const isReadable = ({ scope, userId, isAdmin }: Reader) => sql`${whereVisibleById(scope)}
  ${isAdmin ? sql`` : sql`and case when deals.deleted_at is null then true else deals.deleted_by = ${userId} end`}`;

/** Returns the names of the rows that the reader may see, including deleted ones. */
export async function listNames(db: Db | Tx, ids: readonly string[], reader: Reader) {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, customer_name as name from deals where id = any(${ids}::uuid[]) and ${isReadable(reader)}`.execute(
    db,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Materialised, because with stale statistics PostgreSQL would search the list of all deleted rows. */
const visibleRows = (id: string, reader: Reader) => sql`
  with of_set as materialized (
    select record_id, min(id) as first_entry from audit_entries where change_set_id = ${id} group by record_id
  )
  select record_id, first_entry from of_set join deals on deals.id = record_id
  where ${isReadable(reader)}`;

/** Counts the rows of a change set that the reader may see. */
export async function countVisibleRows(db: Db | Tx, id: string, reader: Reader): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${visibleRows(id, reader)}) as seen`.execute(db);
  return rows[0]!.count;
}

/** Returns a page of these rows, in the order of their first change. */
export async function listRowIds(
  db: Db | Tx,
  id: string,
  reader: Reader,
  page: { limit: number; offset: number },
): Promise<string[]> {
  const { rows } = await sql<{ record_id: string }>`
    ${visibleRows(id, reader)} order by first_entry limit ${page.limit} offset ${page.offset}`.execute(db);
  return rows.map(({ record_id }) => record_id);
}

/** Returns rows by id, including deleted ones. */
export const findRows = (db: Db | Tx, ids: readonly string[]) => dealRows(db).where(whereIds(ids)).execute();

/** Returns the entries of a change set about these rows, oldest first. */
export const listEntries = (db: Db | Tx, id: string, dealIds: readonly string[]) =>
  db
    .selectFrom('audit_entries')
    .where('change_set_id', '=', id)
    .where(sql<boolean>`record_id = any(${dealIds}::uuid[])`)
    .orderBy('id')
    .select(['record_id', 'action', 'before', 'after'])
    .execute();

export type Entry = Awaited<ReturnType<typeof listEntries>>[number];
