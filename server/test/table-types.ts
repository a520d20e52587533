import type pg from 'pg';

type Column = {
  table: string;
  name: string;
  type: string;
  notNull: boolean;
  generated: boolean;
  default: string | null;
};

const COLUMNS = `
  select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
         a.attnotnull as "notNull", (a.attidentity <> '' or a.attgenerated <> '') as generated,
         pg_get_expr(d.adbin, d.adrelid) as default
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid and c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attnum > 0 and not a.attisdropped
  order by c.relname, a.attnum`;

const TYPES: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  citext: 'string',
  date: 'string',
  xid8: 'string',
  'text[]': 'string[]',
  'uuid[]': 'string[]',
  'timestamp with time zone': 'Instant',
  integer: 'number',
  bigint: 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  jsonb: 'Json',
};

const typeOf = ({ type }: Column) =>
  type.startsWith('numeric') ? 'number' : TYPES[type.replace(/^extensions\./, '')];

/** Returns the source of `schema.generated.ts`: the types of Kysely's tables, read from the migrated database. */
export async function readTableTypes(client: pg.Client): Promise<string> {
  const { rows: columns } = await client.query<Column>(COLUMNS);
  const tables = Map.groupBy(columns, (column) => column.table);

  const types = [...tables].map(([table, own]) => {
    const fields = own.map((column) => {
      const type = typeOf(column);
      if (!type) throw new Error(`No TypeScript type is known for ${table}.${column.name} ${column.type}`);
      const value = column.notNull ? type : `${type} | null`;
      return `    ${column.name}: ${column.default !== null || column.generated ? `Generated<${value}>` : value};`;
    });
    return `  ${table}: {\n${fields.join('\n')}\n  };`;
  });

  return [
    '// Written by `npm run schema` from the migrated database; never edited by hand.',
    "import type { ColumnType } from 'kysely';",
    '',
    '/** May be left out of an insert. */',
    'type Generated<T> =',
    '  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>;',
    '/** Read as ISO 8601 text, written as text or Date. */',
    'type Instant = ColumnType<string, string | Date, string | Date>;',
    '/** Read as the parsed value, written as JSON text. */',
    'type Json = ColumnType<unknown, string, string>;',
    '',
    'export type Tables = {',
    ...types,
    '};\n',
  ].join('\n');
}
