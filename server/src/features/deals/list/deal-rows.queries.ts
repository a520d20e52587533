import type { DealItem } from '@forecourt/contract/deals';
import { sql } from 'kysely';
import { jsonInstant, type Db, type Tx } from '../../../platform/db/database.ts';
import { prepared } from '../../../platform/db/prepared.ts';
import type { EventBus } from '../../../platform/live/event-bus.ts';
import { sharesById } from '../../../platform/sharing/shares.queries.ts';
import { STORED } from '../deals.fields.ts';
import { isChangedSinceSent, itemList, mailState, whereIds, type ListedRow } from '../deals.queries.ts';

// Completes the rows of a page by their ids and stamps: from the cache, or from the database.

/**
 * A row and its stamp, the id of the transaction that wrote it: another stamp means that the row was changed. `texts`
 * are JSON of the row, by form.
 */
export type StampedRow = { row: ListedRow; stamp: string; texts: Map<string, string> };

/** Changes of parts and names that are not in the snapshot `since`, and the snapshot that contains them. */
type PartChanges = { since: string | null; changed: readonly string[]; snapshot: string };

/** About 12,000 rows with a text, as in the open months of users; two bytes are counted per character. */
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
  /** For each read in progress, the rows whose parts have changed since its start. */
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
    /** The snapshot after which the next list reads changes of parts; null if nothing is cached. */
    since: (): string | null => applied,

    /** Deletes rows whose parts were changed. Every list calls this before `get`. */
    apply({ since, changed, snapshot }: PartChanges): void {
      if (changed.includes(ANY_ROW)) clear();
      else {
        for (const id of changed) {
          newer.delete(id);
          older.delete(id);
          for (const read of reads) read.add(id);
        }
      }
      // Only a list that continues from the current snapshot has read all later changes.
      if (since === applied) applied = snapshot;
    },

    /** Returns the row as this transaction wrote it; undefined if it is not cached. */
    get(id: string, stamp: string): StampedRow | undefined {
      if (!eventBus.isListening()) return undefined;
      const entry = newer.get(id);
      if (entry) return entry.stamp === stamp ? entry : undefined;
      const earlier = older.get(id);
      if (earlier?.stamp !== stamp) return undefined;
      store(earlier);
      return earlier;
    },

    /** Reads rows and caches them, unless their parts were changed since the start of the read. */
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

    /** Returns the JSON of a row in a form, from the cache if possible. */
    textOf(entry: StampedRow, form: string, serialise: (row: ListedRow) => string): string {
      const cached = entry.texts.get(form);
      if (cached !== undefined) return cached;
      const text = serialise(entry.row);
      entry.texts.set(form, text);
      if (newer.get(entry.row.id) === entry) store(entry, sizeOfText(text));
      return text;
    },

    /** Stores that a search exceeds the limit of counting in this snapshot. */
    putExceeded(search: string, snapshot: string): void {
      if (searches.size >= MAX_SEARCHES) searches.clear();
      searches.set(search, snapshot);
    },

    /** Returns the snapshot in which a search exceeded the limit of counting. */
    exceededIn: (search: string): string | undefined =>
      eventBus.isListening() ? searches.get(search) : undefined,
  };
}

export type RowCache = ReturnType<typeof createRowCache>;

// Changes of items, shares, messages and names of rows, which triggers record in `deal_part_changes`.

/** Means every row in the changes of a list. */
const ANY_ROW = '*';
/** Maximum changes that a list reads; with more, the whole cache is cleared. */
const MAX_CHANGES = 5000;

/** Equal snapshots see the same rows: no transaction with a change was committed in between. */
export const snapshot = sql<string>`pg_current_snapshot()::text`.as('snapshot');

/**
 * Selects its own snapshot, and as `id,id` the changes that it contains and `since` does not. The range begins at the
 * oldest transaction of `since`, in the order of the index, so that the index is always used; a long transaction makes
 * the range large.
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
 * Replaces the recorded changes by one row once there are many. That row clears every cache, which may not have read
 * them. Changes with future numbers come from the backup of another server.
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

/** The columns that refer to other tables. */
const REFERENCES = ['id', 'status_id', 'dealership_id', 'owner_id', 'updated_by'] as const;

/**
 * Selects ids and stamps of the rows of `page` in order, as `id,id` and `stamp,stamp`. Two short lists take PostgreSQL
 * a third of the time of one list of pairs.
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
 * Reads the parts of rows in other tables, as objects by id: one lookup per table instead of one per row. Unlike a join
 * of `page`, `unnest` is planned as few rows, so that the indexes of large tables are used.
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

/** Reads rows in two statements, and omits a row that was changed between them. */
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

/** The result of a statement that reads a page. */
export type FoundPage = {
  ids: string | null;
  stamps: string | null;
  last_value: string | null;
  changed: string | null;
  snapshot: string;
};

/** Returns the rows of a page, from the cache if current; undefined if one was changed after the page was read. */
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
  // Not cached in a transaction, which sees its own changes: several changes of a row have one stamp.
  const entries = await (db.isTransaction ? read() : cache.fill(read));
  const byId = new Map(entries.map((entry) => [entry.row.id, entry]));
  const whole = stamps.map(([id], at) => page[at] ?? byId.get(id));
  const isCurrent = (entry: StampedRow | undefined, at: number) => entry?.stamp === stamps[at]![1];
  return whole.every(isCurrent) ? (whole as StampedRow[]) : undefined;
}
