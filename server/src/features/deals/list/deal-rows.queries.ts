import type { DealItem } from '@forecourt/contract/deals';
import { sql } from 'kysely';
import { jsonInstant, type Db, type Tx } from '../../../platform/db/database.ts';
import { prepared } from '../../../platform/db/prepared.ts';
import type { EventBus } from '../../../platform/live/event-bus.ts';
import { sharesById } from '../../../platform/sharing/shares.queries.ts';
import { STORED } from '../deals.fields.ts';
import { isChangedSinceSent, itemList, mailState, whereIds, type ListedRow } from '../deals.queries.ts';

// The rows of a page, of which a list has read ids and stamps: cached, or read with everything that responses contain.

/**
 * A row with the id of the transaction that wrote it: another stamp means that the row was changed. `texts` are JSON of
 * the row, by form.
 */
export type StampedRow = { row: ListedRow; stamp: string; texts: Map<string, string> };

/** Changes of items, shares, messages and names that `since` does not contain, and the snapshot that contains them. */
type PartChanges = { since: string | null; changed: readonly string[]; snapshot: string };

/** About 12,000 rows with a text: the months that people have open. Most characters take one of the two bytes counted. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_SEARCHES = 1000;

const sizeOfText = (text: string): number => 24 + 2 * text.length;
const sizeOf = ({ row, texts }: StampedRow): number => {
  let size = 200;
  for (const value of Object.values(row)) size += typeof value === 'string' ? sizeOfText(value) : 8;
  for (const part of [row.items, row.shares, row.custom])
    if (Object.keys(part as object).length > 0) size += 2 * JSON.stringify(part).length;
  for (const text of texts.values()) size += sizeOfText(text);
  return size;
};

/**
 * Caches whole rows that requests read. An entry is the current row if
 * - it has the current stamp (`xmin`), which every list reads: every change of the row of `deals` sets it; and
 * - none of its parts was changed since it was read. Triggers record changes of items, shares, messages and names in
 *   `deal_part_changes`, and every list reads the changes that its snapshot contains and an earlier one did not.
 *
 * So the statement that reads a page also reads what it invalidates, on every instance and without messages. A new
 * server, for example after a failover, may count transactions from an earlier number: entries are not used while the
 * listening connection is down, and deleted when it reconnects.
 */
export function createRowCache(eventBus: Pick<EventBus, 'on' | 'isListening'>, maxBytes = MAX_BYTES) {
  // Two generations: rows that are used again move to the newer one before the older one is deleted.
  let newer = new Map<string, StampedRow>();
  let older = new Map<string, StampedRow>();
  let bytes = 0;
  const searches = new Map<string, string>();
  /** All changes of parts in this snapshot have been applied. */
  let applied: string | null = null;
  /** For each read in progress, the rows whose parts were changed meanwhile. */
  const reads = new Set<Set<string>>();

  function clear(): void {
    newer.clear();
    older.clear();
    bytes = 0;
    for (const changed of reads) changed.add(ANY_ROW);
  }

  eventBus.on('resumed', () => {
    clear();
    searches.clear();
    applied = null;
  });

  function store(entry: StampedRow, size = sizeOf(entry)): void {
    bytes += size;
    if (bytes > maxBytes / 2) {
      older = newer;
      newer = new Map();
      bytes = sizeOf(entry);
    }
    newer.set(entry.row.id, entry);
  }

  return {
    /** The snapshot after which the next list reads changes of parts; null: nothing is cached. */
    since: (): string | null => applied,

    /** Deletes the rows whose parts were changed. Called with each list before `get`. */
    apply({ since, changed, snapshot }: PartChanges): void {
      if (changed.includes(ANY_ROW)) clear();
      else {
        for (const id of changed) {
          newer.delete(id);
          older.delete(id);
          for (const read of reads) read.add(id);
        }
      }
      // A concurrent list may have read the same changes: only a list that continues from here has read all later ones.
      if (since === applied) applied = snapshot;
    },

    /** Returns the row with this id as this transaction wrote it; undefined if it is not cached. */
    get(id: string, stamp: string): StampedRow | undefined {
      if (!eventBus.isListening()) return undefined;
      const entry = newer.get(id);
      if (entry) return entry.stamp === stamp ? entry : undefined;
      const earlier = older.get(id);
      if (earlier?.stamp !== stamp) return undefined;
      store(earlier);
      return earlier;
    },

    /** Reads rows and stores them, without those whose parts were changed meanwhile. */
    async fill(read: () => Promise<StampedRow[]>): Promise<StampedRow[]> {
      const changed = new Set<string>();
      reads.add(changed);
      try {
        const entries = await read();
        if (!changed.has(ANY_ROW)) for (const one of entries) if (!changed.has(one.row.id)) store(one);
        return entries;
      } finally {
        reads.delete(changed);
      }
    },

    /** Returns the JSON of a row in a form, from the cache if it has been serialised before. */
    textOf(entry: StampedRow, form: string, serialise: (row: ListedRow) => string): string {
      const cached = entry.texts.get(form);
      if (cached !== undefined) return cached;
      const text = serialise(entry.row);
      entry.texts.set(form, text);
      if (newer.get(entry.row.id) === entry) store(entry, sizeOfText(text));
      return text;
    },

    /** Stores that a search finds more rows than are counted, in this snapshot of the database. */
    putExceeded(search: string, snapshot: string): void {
      if (searches.size >= MAX_SEARCHES) searches.clear();
      searches.set(search, snapshot);
    },

    /** Returns the snapshot in which a search found more rows than are counted. */
    exceededIn: (search: string): string | undefined =>
      eventBus.isListening() ? searches.get(search) : undefined,
  };
}

export type RowCache = ReturnType<typeof createRowCache>;

// Changes of items, shares, messages and names that rows show: triggers record them in `deal_part_changes`.

/** Stands for every row in the changes of a list. */
const ANY_ROW = '*';
/** The most changes that a list reads. With more the whole cache is cleared. */
const MAX_CHANGES = 5000;

/** Two equal snapshots see the same rows: no transaction that changed anything was committed in between. */
export const snapshot = sql<string>`pg_current_snapshot()::text`.as('snapshot');

/**
 * Selects the changes that are visible to the statement and not in the snapshot `since`, as `id,id`, and its own
 * snapshot. Changes after the oldest transaction of `since` are read, in the order of the index, so that it is always
 * used; a long transaction makes them many.
 */
export const partChanges = (since: string | null) =>
  [
    snapshot,
    since === null
      ? sql<string | null>`null`.as('changed')
      : sql<string | null>`(
          select case when count(*) > ${sql.lit(MAX_CHANGES)} then ${sql.lit(ANY_ROW)}
            else string_agg(coalesce(deal_id::text, ${sql.lit(ANY_ROW)}), ',')
              filter (where not pg_visible_in_snapshot(xid, ${since}::pg_snapshot)) end
          from (
            select xid, deal_id from deal_part_changes where xid >= pg_snapshot_xmin(${since}::pg_snapshot)
            order by xid limit ${sql.lit(MAX_CHANGES + 1)}
          ) as recent)`.as('changed'),
  ] as const;

/**
 * Removes the recorded changes once there are many. The row that replaces them clears every cache, which may not have
 * read them. Those with future numbers are from the backup of another server.
 */
export const removePartChanges = (db: Db | Tx) =>
  sql`
    with removed as (
      delete from deal_part_changes
      where (xid < pg_snapshot_xmin(pg_current_snapshot()) or xid > pg_snapshot_xmax(pg_current_snapshot()))
        and (select count(*) from (select from deal_part_changes limit ${sql.lit(MAX_CHANGES)}) as counted) = ${sql.lit(MAX_CHANGES)}
      returning xid
    )
    insert into deal_part_changes (deal_id) select null from removed limit 1`.execute(db);

// Ids and stamps of a page, and its rows.

export const stamp = sql`deals.xmin`;

/** The columns by which the other tables are read. */
const REFERENCES = ['id', 'status_id', 'dealership_id', 'owner_id', 'updated_by'] as const;

/**
 * Selects ids and stamps of the rows of `page` in their order, as `id,id` and `stamp,stamp`; null without. Two short
 * lists take PostgreSQL a third of the time of one list of pairs.
 */
export const pageRows = [
  sql<string | null>`string_agg(page.id::text, ',')`.as('ids'),
  sql<string | null>`string_agg(page.stamp::text, ',')`.as('stamps'),
] as const;
const ids = sql`array(select page.id from page)`;

const namesById = (table: 'statuses' | 'dealerships' | 'users', ...columns: (typeof REFERENCES)[number][]) =>
  sql<Record<string, string>>`(
    select json_object_agg(named.id, named.name) from ${sql.table(table)} as named where named.id in (
      ${sql.join(
        columns.map((column) => sql`select page.${sql.ref(column)} from page`),
        sql` union all `,
      )}))`;

type Mail = { status: string; sent_at: string | null; is_changed: boolean };

const readStored = prepared((db, { ids }: { ids: readonly string[] }) =>
  db
    .selectFrom('deals')
    .where(whereIds(ids))
    .select(STORED)
    .select(sql<string>`${stamp}::text`.as('stamp')),
);

/**
 * Reads what responses contain of other tables for rows, as objects by id: one lookup for each table, and none for
 * each row. Unlike a join of `page` itself, `unnest` is planned as a few rows, so that the indexes of large tables are
 * used.
 */
const readParts = prepared((db, values: { ids: readonly string[] }) =>
  db
    .with('page', (db) =>
      db.selectFrom('deals').where(whereIds(values.ids)).select(REFERENCES).select(stamp.as('stamp')),
    )
    .selectFrom('page')
    .select([
      ...pageRows,
      namesById('statuses', 'status_id').as('statuses'),
      namesById('dealerships', 'dealership_id').as('dealerships'),
      namesById('users', 'owner_id', 'updated_by').as('people'),
      sharesById('deal', ids).as('shares'),
      sql<Record<string, DealItem[]> | null>`(
        select json_object_agg(id, list) from (
          select deal_items.deal_id as id, ${itemList} as list
          from unnest(${ids}) as deal (id) join deal_items on deal_items.deal_id = deal.id
          group by deal_items.deal_id
        ) as sold)`.as('items'),
      sql<Record<string, Mail> | null>`(
        select json_object_agg(deals.id, json_build_object(
          'status', row_mail.status,
          'sent_at', ${jsonInstant(sql`row_mail.sent_at`)},
          'is_changed', ${isChangedSinceSent}))
        from (
          select email_deals.deal_id, ${sql.join([...mailState])}
          from unnest(${ids}) as deal (id)
          join email_deals on email_deals.deal_id = deal.id
          join emails on emails.id = email_deals.email_id
          group by email_deals.deal_id
        ) as row_mail join deals on deals.id = row_mail.deal_id)`.as('mail'),
    ]),
);

export type Stamps = [id: string, stamp: string][];

export function readStamps({ ids, stamps }: { ids: string | null; stamps: string | null }): Stamps {
  if (ids === null || stamps === null) return [];
  const each = stamps.split(',');
  return ids.split(',').map((id, at) => [id, each[at]!]);
}

/** Reads rows in two statements. A row that was changed between them is left out. */
async function readStamped(db: Db | Tx, ids: readonly string[]): Promise<StampedRow[]> {
  const stored = await readStored(db, { ids });
  const [parts] = await readParts(db, { ids });
  const stamps = new Map(readStamps(parts!));
  return stored.flatMap(({ stamp, ...row }): StampedRow[] => {
    if (stamps.get(row.id) !== stamp) return [];
    const mail = parts!.mail?.[row.id];
    const listed = {
      ...row,
      status: parts!.statuses[row.status_id]!,
      dealership_name: parts!.dealerships[row.dealership_id]!,
      owner_name: parts!.people[row.owner_id]!,
      updated_by_name: parts!.people[row.updated_by]!,
      shares: parts!.shares?.[row.id] ?? [],
      items: parts!.items?.[row.id] ?? [],
      email_status: mail?.status ?? null,
      last_emailed_at: mail?.sent_at ?? null,
      is_changed_since_sent: mail?.is_changed ?? false,
    };
    return [{ row: listed, stamp, texts: new Map() }];
  });
}

/** What a statement that reads a page returns. */
export type FoundPage = {
  ids: string | null;
  stamps: string | null;
  last_value: string | null;
  changed: string | null;
  snapshot: string;
};

/**
 * Returns the rows of a page, from the cache if they are current there; undefined if one of them was changed after the
 * page was read.
 */
export async function assemble(
  db: Db | Tx,
  cache: RowCache,
  since: string | null,
  { changed, snapshot, ...rows }: FoundPage,
): Promise<StampedRow[] | undefined> {
  const stamps = readStamps(rows);
  if (!db.isTransaction)
    cache.apply({ since, snapshot, changed: changed === null ? [] : changed.split(',') });
  const page = stamps.map(([id, stamp]) => (since === null ? undefined : cache.get(id, stamp)));
  const missing = stamps.flatMap(([id], at) => (page[at] ? [] : id));
  if (missing.length === 0) return page as StampedRow[];
  const read = () => readStamped(db, missing);
  // A transaction sees its own changes, and several changes of a row have one stamp.
  const entries = await (db.isTransaction ? read() : cache.fill(read));
  const byId = new Map(entries.map((entry) => [entry.row.id, entry]));
  const whole = stamps.map(([id], at) => page[at] ?? byId.get(id));
  const isCurrent = (entry: StampedRow | undefined, at: number) => entry?.stamp === stamps[at]![1];
  return whole.every(isCurrent) ? (whole as StampedRow[]) : undefined;
}
