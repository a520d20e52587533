import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { SCHEMA } from '../../platform/db/database.ts';
import { ident, useSchema } from '../../platform/db/direct.ts';
import { AppError } from '../../platform/http/errors.ts';
import { readDefinition, type Definition } from './definition.ts';

/** Shorter than PostgreSQL's own 1 s, after which it would look for a deadlock and end one of those who wait. */
const LOCK_TRY_MS = 800;
const LOCK_PAUSE_MS = 100;
const LOCK_TRIES = 40;

type LockMode = 'access share' | 'share' | 'access exclusive';

/**
 * Locks tables in a transaction, trying for half a minute. Whoever holds one and wants another waits for us as we
 * wait for them: giving way after each try lets them finish, or run into their own limit of 3 s.
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
 * Functions that are bound to these tables: needed by what the tables are made of (triggers, generated columns,
 * checks, indexes), or made for their rows. Those that are only called by name can stay what they are.
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

/**
 * Puts the scratch schema's tables in the place of ours, in the client's transaction: nobody sees one without the
 * others, and until the commit everything is as it was. `tables` are locked exclusively by then. Tables that are
 * not named stay what they are; the empty ones of the scratch schema go with it.
 */
export async function swapTables(
  client: pg.Client,
  scratch: string,
  tables: readonly string[],
): Promise<void> {
  await useSchema(client, SCHEMA);
  const before = await readDefinition(client);
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
  const after = await readDefinition(client);
  if (!isDeepStrictEqual(sorted(before), sorted(after))) {
    throw new Error('What a restore put in place is not what was there');
  }
}

/** Functions are read in the order in which they were made, which a swap changes. */
const sorted = ({ functions, ...rest }: Definition) => ({
  ...rest,
  functions: functions.toSorted((a, b) => a.text.localeCompare(b.text)),
});
