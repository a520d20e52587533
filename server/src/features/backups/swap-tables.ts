import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { ident, useSchema } from '../../platform/db/dedicated-client.ts';
import { SCHEMA } from '../../platform/db/schemas.ts';
import { AppError } from '../../platform/http/errors.ts';

/** Shorter than PostgreSQL's deadlock timeout of 1 s, after which it would end one of the waiting sessions. */
const LOCK_TRY_MS = 800;
const LOCK_PAUSE_MS = 100;
const LOCK_TRIES = 40;

type LockMode = 'access share' | 'share' | 'access exclusive';

/**
 * Locks tables in a transaction, with retries for half a minute. Another session may have one of the locks and wait for
 * us: releasing all locks after each attempt lets it continue.
 */
export async function lockTables(
  client: pg.Client,
  mode: LockMode,
  tables: readonly string[],
): Promise<void> {
  const names = tables.map((table) => `${ident(SCHEMA)}.${ident(table)}`).join(', ');
  for (let tries = 1; ; tries += 1) {
    await client.query(`savepoint locking; set local lock_timeout = ${LOCK_TRY_MS}`);
    try {
      await client.query(`lock table ${names} in ${mode} mode`);
      await client.query('set local lock_timeout = 0; release savepoint locking');
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03') throw error;
      await client.query('rollback to savepoint locking');
      if (tries === LOCK_TRIES) {
        throw new AppError('BACKUP_BUSY', {
          message: 'The database is too busy to be replaced. Nothing was changed; please try again.',
        });
      }
      await sleep(LOCK_PAUSE_MS);
    }
  }
}

type Func = { name: string; arguments: string; needsTables: boolean };

/**
 * Functions that belong to these tables: used by them (triggers, generated columns, checks, indexes), or created for
 * their rows. Functions that are only called by name are excluded.
 */
const FUNCTIONS_OF = `
  with tables as (select oid, reltype from pg_class where relnamespace = $1::regnamespace and relname = any($2))
  select p.proname as name, pg_get_function_identity_arguments(p.oid) as arguments,
    bool_or(d.classid = 'pg_proc'::regclass) as "needsTables"
  from pg_proc p
  join pg_depend d on (d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid)
    or (d.classid = 'pg_proc'::regclass and d.objid = p.oid)
  left join pg_trigger t on d.classid = 'pg_trigger'::regclass and t.oid = d.objid
  left join pg_attrdef a on d.classid = 'pg_attrdef'::regclass and a.oid = d.objid
  left join pg_constraint k on d.classid = 'pg_constraint'::regclass and k.oid = d.objid
  left join pg_index i on d.classid = 'pg_class'::regclass and i.indexrelid = d.objid
  where p.pronamespace = $1::regnamespace and (
    coalesce(t.tgrelid, a.adrelid, k.conrelid, i.indrelid) in (select oid from tables)
    or d.refclassid = 'pg_type'::regclass and d.refobjid in (select reltype from tables))
  group by p.oid order by p.oid`;

/** The definition of the schema, which the swap must not change, without a server's own settings. */
const CONTENTS = `
  with tables as (
    select oid, relname, reloptions from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace)
  select concat_ws(' ', 'table', relname, reloptions) as line from tables
  union all
  select concat_ws(' ', 'column', relname, rank() over (partition by t.oid order by attnum), attname,
    format_type(atttypid, atttypmod), collname, attnotnull, attidentity, attgenerated, pg_get_expr(adbin, adrelid),
    attstorage, col_description(t.oid, attnum))
  from tables t join pg_attribute on attrelid = t.oid
  left join pg_attrdef on adrelid = t.oid and adnum = attnum left join pg_collation l on l.oid = attcollation
  where attnum > 0 and not attisdropped
  union all
  select concat_ws(' ', 'constraint', relname, conname, pg_get_constraintdef(k.oid))
  from tables t join pg_constraint k on conrelid = t.oid where contype in ('p', 'u', 'x', 'c', 'f')
  union all
  select pg_get_indexdef(indexrelid) from tables t join pg_index on indrelid = t.oid
  union all
  select pg_get_triggerdef(g.oid) from tables t join pg_trigger g on tgrelid = t.oid where not tgisinternal
  union all
  select pg_get_functiondef(oid) from pg_proc where pronamespace = current_schema()::regnamespace`;

/**
 * Replaces the live tables by those of the scratch schema in the client's transaction: other sessions see the change
 * only as a whole, after the commit. The caller has locked `tables` exclusively. Other tables are unchanged; their
 * empty counterparts are dropped with the scratch schema.
 */
export async function swapTables(
  client: pg.Client,
  scratch: string,
  tables: readonly string[],
): Promise<void> {
  await useSchema(client, SCHEMA);
  const read = async () =>
    new Set((await client.query<{ line: string }>(CONTENTS)).rows.map(({ line }) => line));
  const before = await read();
  const { rows: functions } = await client.query<Func>(FUNCTIONS_OF, [ident(scratch), tables]);
  const signature = ({ name, arguments: types }: Func, schema: string) =>
    `${ident(name)}(${types.replaceAll(scratch, schema)})`;
  const dropFunctions = (which: boolean): string[] =>
    functions
      .filter(({ needsTables }) => needsTables === which)
      .map((one) => `drop function ${ident(SCHEMA)}.${signature(one, SCHEMA)}`);
  const statements = [
    ...dropFunctions(true),
    `drop table ${tables.map((table) => `${ident(SCHEMA)}.${ident(table)}`).join(', ')}`,
    ...dropFunctions(false),
    ...tables.map((table) => `alter table ${ident(scratch)}.${ident(table)} set schema ${ident(SCHEMA)}`),
    ...functions.map(
      (one) => `alter function ${ident(scratch)}.${signature(one, SCHEMA)} set schema ${ident(SCHEMA)}`,
    ),
    `drop schema ${ident(scratch)} cascade`,
  ];
  await client.query(statements.join(';\n'));
  const differences = before.symmetricDifference(await read());
  if (differences.size > 0) {
    throw new Error(`What a restore put in place is not what was there: ${[...differences].join('; ')}`);
  }
}
