import { once } from 'node:events';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { ANALYZE_TABLES, type Connection } from '../../platform/db/database.ts';
import { ident, useSchema, withClient } from '../../platform/db/dedicated-client.ts';
import { migrateScratch, type Migration } from '../../platform/db/migrations.ts';
import type { FileDraft } from '../../platform/files/file-folder.ts';
import { newId } from '../../platform/ids.ts';
import { afterRows, beforeRows, readDefinition, type Definition } from './definition.ts';
import { openScript } from './read-backup.ts';
import { requireShapes } from './restored-shapes.ts';
import { createRowsDigest } from './rows-digest.ts';
import { readScript, ScriptError, type Section, type Sink } from './script-reader.ts';
import { copyOut, copyTarget } from './script-writer.ts';

export const SCRATCH_PREFIX = 'forecourt_scratch_';

type Source = {
  path: string;
  schemaVersion: number;
  migrations: readonly Migration[];
  skippedTables: ReadonlySet<string>;
  totalLimit: number;
  /** Returns where to write the content of a file that is embedded in the backup, or undefined to skip it. */
  openEmbedded?: (client: pg.Client, digest: Buffer) => Promise<FileDraft | undefined>;
  /** Reads all rows back and compares them with the file. */
  compares?: boolean;
  onRead?: (read: number, size: number) => void;
  signal?: AbortSignal | undefined;
};

/** Calls `work` with a second connection that has the same search path. */
type OnSecondConnection = (work: (client: pg.Client) => Promise<unknown>) => Promise<unknown>;

/**
 * Loads the rows of a backup into a separate schema, which is created by the migrations of the release that wrote the
 * file and then migrated to this release. `work` gets a client with this schema in its search path. Afterwards the
 * schema is dropped, unless `work` has moved its tables.
 */
export function inScratchSchema<R>(
  connection: Connection,
  source: Source,
  work: (client: pg.Client, schema: string) => Promise<R>,
): Promise<R> {
  const schema = SCRATCH_PREFIX + newId().replaceAll('-', '');
  return withClient(
    connection,
    async (client) => {
      try {
        // The schema need not survive a crash until its tables are moved.
        await client.query('set synchronous_commit = off');
        await client.query(`create schema ${ident(schema)}`);
        await useSchema(client, schema);
        await load(client, source, (work) => withClient(connection, work, { schema, signal: source.signal }));
        return await work(client, schema);
      } catch (error) {
        throw explainMismatch(error);
      } finally {
        await withClient(connection, (other) => dropSchema(other, schema)).catch(() => {});
      }
    },
    { signal: source.signal },
  );
}

const dropSchema = (client: pg.Client, schema: string) =>
  client.query(`drop schema if exists ${ident(schema)} cascade`);

/** Drops schemas of crashed restores. Must not run during another restore. */
export async function dropScratchSchemas(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select nspname as name from pg_namespace where starts_with(nspname, $1)',
    [SCRATCH_PREFIX],
  );
  for (const { name } of rows) await dropSchema(client, name);
}

async function load(
  client: pg.Client,
  source: Source,
  onSecondConnection: OnSecondConnection,
): Promise<void> {
  const { migrations, schemaVersion } = source;
  const until = migrations.filter(({ version }) => version <= schemaVersion);
  const since = migrations.filter(({ version }) => version > schemaVersion);
  await migrateScratch(client, until);
  const definition = await readDefinition(client);
  await runAll(client, beforeRows(definition));
  const digests = await copyIn(client, definition, source);
  await complete(client, definition, onSecondConnection);
  if (source.compares) await compare(client, digests);
  await migrateScratch(client, since);
  await requireShapes(client);
  await client.query(ANALYZE_TABLES);
}

/** Runs statements in order, in one message and one transaction. */
const runAll = (client: pg.Client, statements: readonly string[]) => client.query(statements.join(';\n'));

async function complete(
  client: pg.Client,
  definition: Definition,
  onSecondConnection: OnSecondConnection,
): Promise<void> {
  await create(client, definition.keys);
  await index(client, definition.indexes, onSecondConnection);
  await create(client, definition.foreignKeys);
  await runAll(client, afterRows(definition));
}

const create = (client: pg.Client, parts: Definition['keys']) =>
  runAll(
    client,
    parts.map(({ add }) => add),
  );

/**
 * Creates the indexes. Search indexes take longer than loading the rows, so the other indexes are created at the same
 * time on a second connection.
 */
async function index(
  client: pg.Client,
  indexes: Definition['indexes'],
  onSecondConnection: OnSecondConnection,
): Promise<void> {
  const searching = indexes.filter(({ add }) => add.includes(' USING gin '));
  const others = indexes.filter((one) => !searching.includes(one));
  const made = await Promise.allSettled([
    create(client, searching),
    onSecondConnection((other) => create(other, others)),
  ]);
  for (const result of made) if (result.status === 'rejected') throw result.reason;
}

type Digests = Map<string, { columns: string[]; digest: string }>;

/** Loads the rows of all tables that are not skipped. Returns a digest of each table. */
async function copyIn(client: pg.Client, { tables }: Definition, source: Source): Promise<Digests> {
  const digests: Digests = new Map();
  const openSection = ({ table, columns }: Section): Sink | undefined => {
    const target = tables.find(({ name }) => name === table);
    if (!target || table === 'schema_migrations' || source.skippedTables.has(table)) return undefined;
    const missing = columns.find((column) => !target.columns.includes(column));
    if (missing !== undefined) throw new ScriptError(`It has a column that ${table} does not have.`);
    if (new Set(columns).size < columns.length) throw new ScriptError(`It has a column of ${table} twice.`);
    const rows = createRowsDigest();
    const sink = copySink(client, { table, columns });
    return {
      write(piece) {
        if (source.compares) rows.update(piece);
        return sink.write(piece);
      },
      async end() {
        await sink.end();
        digests.set(table, { columns, digest: rows.digest() });
      },
    };
  };
  await readScript(openScript(source.path, source), openSection, async (digest) =>
    source.openEmbedded?.(client, digest),
  );
  return digests;
}

/** Writes rows as COPY text into one table. Throws ScriptError for invalid rows. */
function copySink(client: pg.Client, { table, columns }: Section): Sink {
  const copy = client.query(copyFrom(`copy ${copyTarget(table, columns)} from stdin`));
  const finished = once(copy, 'finish');
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

/** The context line of an error of COPY, such as `COPY deals, line 3, column month: "x"`. */
const COPIED_LINE = /^COPY (\w+), line (\d+)/m;

/**
 * Converts PostgreSQL's errors about values, references, lengths and nesting to messages for users. Steps after loading
 * throw such errors too, for example for a version above the maximum.
 */
function explainMismatch(error: unknown): unknown {
  const { code = '', table, where = '' } = error as Partial<pg.DatabaseError>;
  if (!/^(22|23|54)/.test(code)) return error;
  const [, copied, line] = COPIED_LINE.exec(where) ?? [];
  const place = copied ? `${copied}, line ${line}` : table;
  return new ScriptError(`Its data do not fit together${place ? ` (${place})` : ''}.`);
}

async function compare(client: pg.Client, digests: Digests): Promise<void> {
  for (const [table, { columns, digest }] of digests) {
    const rows = createRowsDigest();
    for await (const piece of copyOut(client, table, columns)) rows.update(piece as Buffer);
    if (rows.digest() !== digest)
      throw new ScriptError(`What was restored differs from the backup (${table}).`);
  }
}
