import { isCustomKey } from '@forecourt/contract/custom-field-types';
import type { ImportColumns, MatchBy } from '@forecourt/contract/deal-import';
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { NOT_PREPARED } from '../../../platform/db/named-statements.ts';
import { columnOf } from '../deals.fields.ts';
import { customText, whereVisible, type InScope } from '../deals.queries.ts';

const phone = sql<string>`deals.customer_number`;
const lower = (text: RawBuilder<string | null>) => sql<string>`lower(${text})`;

/** Returns the expressions by which rows are compared, as in the indexes of phone and deal number. */
function expressionsOf(matchBy: MatchBy): readonly RawBuilder<string>[] {
  if (matchBy === 'dealNumber') return [lower(sql`deals.deal_number`)];
  if (matchBy === 'phoneAndName') return [phone, lower(sql`deals.customer_name`)];
  const { column } = matchBy;
  if (column === 'customerNumber') return [phone];
  return [lower(isCustomKey(column) ? customText(column) : sql.ref(`deals.${columnOf(column).name}`))];
}

/**
 * Returns the newest rows in scope with each key, at most `limit` per key. It is planned each time, because a generic
 * plan does not know the number of keys.
 * @param keys the values of the compared expressions, in lower case
 */
export async function findNewestByKey(
  db: Db | Tx,
  scope: InScope,
  matchBy: MatchBy,
  keys: readonly (readonly string[])[],
  limit: number,
) {
  const expressions = expressionsOf(matchBy);
  const isAmong = expressions.map(
    // One search for all keys: PostgreSQL would read all rows, newest first, for a key that no row has.
    (expression, index) => sql`${expression} = any(${[...new Set(keys.map((key) => key[index]!))]}::text[])`,
  );
  const { rows } = await sql<{
    id: string;
    key: string[];
    created_at: string;
    month: string;
    customer_name: string;
    customer_number: string;
    deal_number: string;
    dealership_name: string;
  }>`
    select match.id, key, match.created_at, month, customer_name, customer_number, deal_number,
      dealerships.name as dealership_name
    from (
      select deals.id, deals.created_at, month, customer_name, customer_number, deal_number, dealership_id,
        array[${sql.join(expressions)}] as key,
        row_number() over (partition by ${sql.join(expressions)} order by deals.created_at desc, deals.id desc) as position
      from deals
      where ${sql.raw(NOT_PREPARED)} deals.deleted_at is null and ${sql.join(isAmong, sql` and `)} and ${whereVisible(scope)}) as match
    join dealerships on dealerships.id = dealership_id
    where position <= ${limit}
    order by position`.execute(db);
  return rows;
}

/** Returns the remembered columns of a dealership; undefined if it does not exist. */
export const findColumns = async (db: Db | Tx, id: string): Promise<ImportColumns | undefined> =>
  (await db.selectFrom('dealerships').where('id', '=', id).select('import_columns').executeTakeFirst())
    ?.import_columns as ImportColumns | undefined;

/** Replaces these fields of the remembered columns of a dealership by `columns`, and keeps others. */
export async function rememberColumns(
  db: Tx,
  id: string,
  fields: readonly string[],
  columns: ImportColumns,
): Promise<void> {
  await sql`
    update dealerships set import_columns = (import_columns - ${fields}::text[]) || ${JSON.stringify(columns)}::jsonb
    where id = ${id}`.execute(db);
}
