import type { DealItem } from '@forecourt/contract/deals';
import { sql, type SqlBool } from 'kysely';
import { jsonInstant, type Db, type Tx } from '../../../platform/db/database.ts';
import { prepared } from '../../../platform/db/prepared.ts';
import { sharesById } from '../../../platform/sharing/shares.queries.ts';
import { isChangedSinceSent, itemList, mailState, STORED } from '../deals.queries.ts';
import type { RowCache, StampedRow } from './row-cache.ts';

// The rows of a page, of which a list has read ids and stamps.

export const stamp = sql`deals.xmin`;

export const chosen = (ids: readonly string[]) => sql<SqlBool>`deals.id = any(${ids}::uuid[])`;

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
    .where(chosen(ids))
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
      db.selectFrom('deals').where(chosen(values.ids)).select(REFERENCES).select(stamp.as('stamp')),
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
