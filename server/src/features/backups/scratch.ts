import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Connection } from '../../platform/db/database.ts';
import { ident, useSchema, withClient } from '../../platform/db/direct.ts';
import { migrateScratch, type Migration } from '../../platform/db/migrations.ts';
import { newId } from '../../platform/ids.ts';
import { copyColumns, readDefinition, setCounters, type Definition } from './definition.ts';
import { readScript, ScriptError, type Section, type Sink } from './script-reader.ts';
import { copyOut, copyTarget } from './script-writer.ts';
import { openScript } from './unpacking.ts';

/** What every schema is called that a backup is loaded into. */
export const SCRATCH_PREFIX = 'forecourt_scratch_';

type Source = {
  path: string;
  schemaVersion: number;
  /** Of this release. */
  migrations: readonly Migration[];
  /** Tables whose rows are not wanted. */
  notTaken: ReadonlySet<string>;
  totalLimit: number;
  /** Reads everything back and compares it with the file. */
  compares?: boolean;
  onRead?: (read: number, size: number) => void;
  signal?: AbortSignal | undefined;
};

/** Does something on a second connection that looks names up in the same schema. */
type Beside = (work: (client: pg.Client) => Promise<unknown>) => Promise<unknown>;

/**
 * Loads the rows of a backup into a schema of their own, made by the migrations of the release that wrote it, and
 * brings them to this release. `work` gets the client, with names looked up there. Whatever happens, the schema is
 * gone afterwards, unless `work` has moved its tables elsewhere.
 */
export function inScratch<R>(
  connection: Connection,
  source: Source,
  work: (client: pg.Client, schema: string) => Promise<R>,
): Promise<R> {
  const schema = SCRATCH_PREFIX + newId().replaceAll('-', '');
  return withClient(
    connection,
    async (client) => {
      try {
        // Until it is moved, nothing of it has to outlive a crash.
        await client.query('set synchronous_commit = off');
        await client.query(`create schema ${ident(schema)}`);
        await useSchema(client, schema);
        await load(client, source, (work) => withClient(connection, work, { schema, signal: source.signal }));
        return await work(client, schema);
      } finally {
        await withClient(connection, (other) => dropSchema(other, schema)).catch(() => {});
      }
    },
    { signal: source.signal },
  );
}

const dropSchema = (client: pg.Client, schema: string) =>
  client.query(`drop schema if exists ${ident(schema)} cascade`);

/** Removes what was being loaded when its server died; only while nobody else restores. */
export async function dropScratches(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select nspname as name from pg_namespace where starts_with(nspname, $1)',
    [SCRATCH_PREFIX],
  );
  for (const { name } of rows) await dropSchema(client, name);
}

async function load(client: pg.Client, source: Source, beside: Beside): Promise<void> {
  const { migrations, schemaVersion } = source;
  const until = migrations.filter(({ version }) => version <= schemaVersion);
  const since = migrations.filter(({ version }) => version > schemaVersion);
  await migrateScratch(client, until);
  const definition = await readDefinition(client);
  await strip(client, definition);
  const digests = await copyIn(client, definition, source);
  await complete(client, definition, beside);
  if (source.compares) await compare(client, digests);
  await migrateScratch(client, since);
}

/** Runs statements one after the other, in one message and one transaction. */
const runAll = (client: pg.Client, statements: readonly string[]) => client.query(statements.join(';\n'));

/** Leaves bare tables without a row: loading is several times faster, and what migrations put in is in the file. */
async function strip(client: pg.Client, { tables, foreignKeys, keys, indexes }: Definition): Promise<void> {
  const names = tables.map(({ name }) => ident(name));
  await runAll(client, [
    ...[...foreignKeys, ...keys, ...indexes].map(({ drop }) => drop),
    ...names.map((name) => `alter table ${name} disable trigger user`),
    ...names.filter((name) => name !== ident('schema_migrations')).map((name) => `delete from ${name}`),
  ]);
}

async function complete(
  client: pg.Client,
  { tables, keys, indexes, foreignKeys }: Definition,
  beside: Beside,
): Promise<void> {
  try {
    await runAll(
      client,
      keys.map(({ add }) => add),
    );
    await index(client, indexes, beside);
    await runAll(
      client,
      foreignKeys.map(({ add }) => add),
    );
  } catch (error) {
    throw unfit(error);
  }
  await runAll(client, [
    ...tables.map(({ name }) => `alter table ${ident(name)} enable trigger user`),
    ...tables.flatMap(setCounters),
    ...tables.map(({ name }) => `analyze ${ident(name)}`),
  ]);
}

/**
 * Makes the indexes. Those for searching take longer than loading the rows, and no longer when the others are made
 * at the same time on a second connection.
 */
async function index(client: pg.Client, indexes: Definition['indexes'], beside: Beside): Promise<void> {
  const searching = indexes.filter(({ add }) => add.includes(' USING gin '));
  const others = indexes.filter((one) => !searching.includes(one));
  const make = (on: pg.Client, which: Definition['indexes']) =>
    runAll(
      on,
      which.map(({ add }) => add),
    );
  const made = await Promise.allSettled([make(client, searching), beside((other) => make(other, others))]);
  for (const result of made) if (result.status === 'rejected') throw result.reason;
}

type Digests = Map<string, { columns: string[]; digest: string }>;

/** Copies the rows that are wanted, and answers the digest of each table's. */
async function copyIn(client: pg.Client, { tables }: Definition, source: Source): Promise<Digests> {
  const digests: Digests = new Map();
  await readScript(openScript(source.path, source), ({ table, columns }) => {
    const known = tables.find(({ name }) => name === table);
    if (!known || table === 'schema_migrations' || source.notTaken.has(table)) return undefined;
    const missing = columns.find((column) => !copyColumns(known).includes(column));
    if (missing !== undefined) throw new ScriptError(`It has a column that ${table} does not have.`);
    const hash = createHash('sha256');
    const sink = copySink(client, { table, columns });
    return {
      write(piece) {
        if (source.compares) hash.update(piece);
        return sink.write(piece);
      },
      async end() {
        await sink.end();
        digests.set(table, { columns, digest: hash.digest('hex') });
      },
    };
  });
  return digests;
}

/** Rows as COPY text into one table. What does not fit ends it with ScriptError. */
function copySink(client: pg.Client, { table, columns }: Section): Sink {
  const copy = client.query(copyFrom(`copy ${copyTarget(table, columns)} from stdin`));
  const finished = once(copy, 'finish').catch((error: unknown) => {
    throw unfit(error);
  });
  finished.catch(() => {});
  return {
    async write(piece) {
      if (!copy.write(piece)) await Promise.race([once(copy, 'drain'), finished]);
    },
    async end() {
      copy.end();
      await finished;
    },
  };
}

/** PostgreSQL's refusals of values and of rows that do not belong together, in words for people. */
function unfit(error: unknown): unknown {
  const { code = '', table } = error as { code?: string; table?: string };
  if (!/^(22|23)/.test(code)) return error;
  return new ScriptError(`Its data do not fit together${table ? ` (${table})` : ''}.`);
}

async function compare(client: pg.Client, digests: Digests): Promise<void> {
  for (const [table, { columns, digest }] of digests) {
    const hash = createHash('sha256');
    for await (const piece of copyOut(client, table, columns)) hash.update(piece as Buffer);
    if (hash.digest('hex') !== digest)
      throw new ScriptError(`What was restored differs from the backup (${table}).`);
  }
}
