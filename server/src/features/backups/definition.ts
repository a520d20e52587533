import type pg from 'pg';
import { ident } from '../../platform/db/dedicated-client.ts';
import { IS_USED_BY_RECORDS } from '../../platform/files/files.queries.ts';

export type Table = {
  name: string;
  /** In the order of COPY, without generated columns. */
  columns: string[];
  /** Identity columns, whose values come from a sequence. */
  identities: string[];
};
/** A key, reference or index, which is dropped before rows are loaded and created again afterwards. */
type Part = { add: string; drop: string };
export type Definition = { tables: Table[]; keys: Part[]; indexes: Part[]; foreignKeys: Part[] };

const HERE = 'current_schema()::regnamespace';

const COLUMNS =
  'select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped';

// The list of files is first, so that it is read without the other rows (file-list.ts).
const TABLES = `
  select relname as name, array(${COLUMNS} and attgenerated = '' order by attnum) as columns,
    array(${COLUMNS} and attidentity <> '' order by attnum) as identities
  from pg_class c where relkind = 'r' and relnamespace = ${HERE} order by relname <> 'files', relname`;

const CONSTRAINTS = `
  select contype = 'f' as "isForeign", format('alter table %I drop constraint %I', relname, conname) as drop,
    format('alter table %I add constraint %I %s', relname, conname, pg_get_constraintdef(k.oid, true)) as add
  from pg_constraint k join pg_class c on c.oid = conrelid
  where connamespace = ${HERE} and contype in ('p', 'u', 'x', 'f') order by relname, conname`;

const INDEXES = `
  select format('drop index %I', relname) as drop, pg_get_indexdef(c.oid, 0, true) as add
  from pg_index i join pg_class c on c.oid = indexrelid
  where relnamespace = ${HERE} and not exists (
    select from pg_constraint where conindid = c.oid and contype in ('p', 'u', 'x'))
  order by indrelid::regclass::text, relname`;

/** SQL conditions of the rows that a backup contains, for tables of which it does not contain all. */
const ROWS: Record<string, string> = { exports: 'false', export_chunks: 'false', files: IS_USED_BY_RECORDS };

/** Returns the SQL condition of the rows of a table that a backup contains. */
export const rowsInBackup = (table: string): string => ROWS[table] ?? 'true';

export const readTables = async (client: pg.Client): Promise<Table[]> =>
  (await client.query<Table>(TABLES)).rows;

/** Returns the tables, keys, references and indexes of the schema in the search path. */
export async function readDefinition(client: pg.Client): Promise<Definition> {
  const tables = await readTables(client);
  const { rows: constraints } = await client.query<Part & { isForeign: boolean }>(CONSTRAINTS);
  const { rows: indexes } = await client.query<Part>(INDEXES);
  return {
    tables,
    keys: constraints.filter(({ isForeign }) => !isForeign),
    indexes,
    foreignKeys: constraints.filter(({ isForeign }) => isForeign),
  };
}

/**
 * Returns statements that prepare migrated tables for loading. Without keys and indexes loading is several times
 * faster; without references its order is free. Triggers are disabled, because they would change rows or forbid
 * deleting the rows that migrations insert, which the backup contains too.
 */
export const beforeRows = ({ tables, keys, indexes, foreignKeys }: Definition): string[] => [
  ...[...foreignKeys, ...keys, ...indexes].map(({ drop }) => drop),
  ...tables.map(({ name }) => `alter table ${ident(name)} disable trigger user`),
  ...tables
    .filter(({ name }) => name !== 'schema_migrations')
    .map(({ name }) => `delete from ${ident(name)}`),
];

/** Returns statements that enable triggers and set sequences past the loaded rows. */
export const afterRows = ({ tables }: Definition): string[] => [
  ...tables.map(({ name }) => `alter table ${ident(name)} enable trigger user`),
  ...tables.flatMap(({ name, identities }) =>
    identities.map(
      (column) =>
        `select setval(pg_get_serial_sequence('${ident(name)}', '${column}'), coalesce(max(${ident(column)}), 0) + 1, false) from ${ident(name)}`,
    ),
  ),
];
