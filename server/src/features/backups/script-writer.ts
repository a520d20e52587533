import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { NO_LIMITS, SETTINGS as SESSION_SETTINGS } from '../../platform/db/database.ts';
import { ident } from '../../platform/db/dedicated-client.ts';
import { MIGRATIONS_TABLE, type Migration } from '../../platform/db/migrations.ts';
import { EXTENSION_SCHEMA, SCHEMA } from '../../platform/db/schemas.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { headerLine, trailerLine, type Header } from './backup-format.ts';
import { afterRows, beforeRows, rowsInBackup, type Definition, type Table } from './definition.ts';

/** Each chunk is compressed separately, so smaller chunks would enlarge the file. */
const PIECE_BYTES = 1024 * 1024;

/** Bytes of rows read before a pause. Reading them blocks requests for two milliseconds. */
const STRETCH_BYTES = 256 * 1024;

const HOW_TO_LOAD =
  '-- To load it into an empty database: gunzip -c FILE | psql -v ON_ERROR_STOP=1 --single-transaction DATABASE\n';

/** Fails in a database that already has the schema. */
export const CREATE_SCHEMAS = `create schema ${SCHEMA};
create schema if not exists ${EXTENSION_SCHEMA};
create extension if not exists citext schema ${EXTENSION_SCHEMA};
create extension if not exists pg_trgm schema ${EXTENSION_SCHEMA};
`;

const SETTINGS = Object.entries({
  client_encoding: 'UTF8',
  client_min_messages: 'warning',
  ...SESSION_SETTINGS,
  ...NO_LIMITS,
});

/** The session settings and the objects that migrations depend on. */
const PREAMBLE = `${SETTINGS.map(([name, value]) => `set ${name} = ${value.split(',').map(pg.escapeLiteral).join(', ')};\n`).join('')}
${CREATE_SCHEMAS}${MIGRATIONS_TABLE};
`;

const section = (title: string, text: string): string => `\n-- ${title}\n${text}`;

const asScript = (statements: readonly string[]): string => statements.map((text) => `${text};\n`).join('');

export const copyTarget = (table: string, columns: readonly string[]): string =>
  `${ident(table)} (${columns.map(ident).join(', ')})`;

/** Streams the rows of a table as COPY text in physical order. Equal rows have equal texts. */
export const copyOut = (
  client: pg.Client,
  table: string,
  columns: readonly string[],
  where = 'true',
): Readable => {
  // A table is copied faster than the result of a query.
  const source =
    where === 'true'
      ? copyTarget(table, columns)
      : `(select ${columns.map(ident).join(', ')} from ${ident(table)} where ${where})`;
  return client.query(copyTo(`copy ${source} to stdout`, { highWaterMark: STRETCH_BYTES }));
};

export type Snapshot = {
  header: Header;
  /** The migrations that the database has. */
  migrations: readonly Migration[];
  definition: Definition;
};

type Source = Snapshot & {
  /** A client in a transaction with a single snapshot. */
  client: pg.Client;
  secrets: Secrets;
  /** Called after each table, with the number of rows written so far. */
  onRows: (rows: number) => void;
  /** Awaited after each stretch, so that requests can run. */
  pauseForRequests: () => Promise<void>;
};

/** Yields a backup as plain SQL in chunks, ending with its checksum and signature. */
export async function* writeScript(source: Source): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const piece of inLargeChunks(body(source))) {
    hash.update(piece);
    yield piece;
  }
  yield Buffer.from(trailerLine(source.secrets, hash.digest('hex')));
}

async function* body({
  client,
  header,
  migrations,
  definition,
  onRows,
  pauseForRequests,
}: Source): AsyncGenerator<Buffer> {
  yield Buffer.from(
    [
      headerLine(header) + HOW_TO_LOAD + PREAMBLE,
      ...migrations.map(({ version, name, sql }) => section(`Migration ${version}: ${name}`, sql)),
      section('Rows', asScript(beforeRows(definition))),
    ].join(''),
  );
  let written = 0;
  for (const table of definition.tables) {
    yield* rowsOf(client, table, pauseForRequests);
    written += header.tables[table.name] ?? 0;
    onRows(written);
  }
  const parts = [...definition.keys, ...definition.indexes, ...definition.foreignKeys];
  // A database restored without the program must not expect a certain data folder. Earlier releases have no such table.
  const forget = definition.tables.some(({ name }) => name === 'data_folder')
    ? ['delete from data_folder']
    : [];
  yield Buffer.from(asScript([...parts.map(({ add }) => add), ...afterRows(definition), ...forget]));
}

async function* rowsOf(
  client: pg.Client,
  { name, columns }: Table,
  pauseForRequests: Source['pauseForRequests'],
): AsyncGenerator<Buffer> {
  yield Buffer.from(`COPY ${SCHEMA}.${copyTarget(name, columns)} FROM stdin;\n`);
  for await (const piece of copyOut(client, name, columns, rowsInBackup(name))) {
    yield piece as Buffer;
    await pauseForRequests();
  }
  yield Buffer.from('\\.\n');
}

async function* inLargeChunks(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    bytes += piece.length;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(waiting);
    [waiting, bytes] = [[], 0];
  }
  yield Buffer.concat(waiting);
}
