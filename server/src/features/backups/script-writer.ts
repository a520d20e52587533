import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { ident } from '../../platform/db/direct.ts';
import { EXTENSION_SCHEMA, SCHEMA } from '../../platform/db/schemas.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { headerLine, trailerLine, type Header } from './backup-format.ts';
import { copyColumns, createTable, setCounters, type Definition, type Table } from './definition.ts';

/** Each chunk is compressed separately: small ones would enlarge the file. */
const PIECE_BYTES = 1024 * 1024;

/** Rows read at a time: two milliseconds, during which requests wait. */
const STRETCH_BYTES = 256 * 1024;

const HOW_TO_LOAD =
  '-- To load it into an empty database: gunzip -c FILE | psql -v ON_ERROR_STOP=1 --single-transaction DATABASE\n';

const PREAMBLE = `set client_encoding = 'UTF8';
set standard_conforming_strings = on;
set check_function_bodies = off;
set client_min_messages = warning;
set timezone = 'UTC';
create schema ${SCHEMA};
create schema if not exists ${EXTENSION_SCHEMA};
create extension if not exists citext schema ${EXTENSION_SCHEMA};
create extension if not exists pg_trgm schema ${EXTENSION_SCHEMA};
set search_path = ${SCHEMA}, ${EXTENSION_SCHEMA};
`;

const statements = (parts: readonly { add: string }[]): string =>
  parts.map(({ add }) => `${add};\n`).join('');

/** Returns the part before the rows: collations, functions required by tables, the tables, and functions that require tables. */
const before = ({ collations, functions, tables }: Definition): string => {
  const texts = (needsTables: boolean) =>
    functions.filter((one) => one.needsTables === needsTables).map(({ text }) => `${text};\n`);
  return [
    ...collations.map(({ text }) => `${text};\n`),
    ...texts(false),
    ...tables.map((table) => `${createTable(table)};\n`),
    ...texts(true),
  ].join('');
};

const counters = ({ tables }: Definition): string =>
  tables
    .flatMap(setCounters)
    .map((one) => `${one};\n`)
    .join('');

/** Returns the part after the rows and their counters: keys, indexes, references, triggers. */
const after = ({ keys, indexes, foreignKeys, triggers }: Definition): string =>
  [keys, indexes, foreignKeys, triggers].map(statements).join('');

/** Returns the definition alone as a script that `psql` loads into an empty database. */
export const definitionScript = (definition: Definition): string =>
  PREAMBLE + before(definition) + after(definition);

/** Returns `copy … (columns)`, for both directions. */
export const copyTarget = (table: string, columns: readonly string[]): string =>
  `${ident(table)} (${columns.map(ident).join(', ')})`;

/** Streams the rows of a table as COPY text: equal for equal rows, in physical order. */
export const copyOut = (client: pg.Client, table: string, columns: readonly string[]): Readable =>
  client.query(copyTo(`copy ${copyTarget(table, columns)} to stdout`, { highWaterMark: STRETCH_BYTES }));

type Source = {
  /** In a transaction with a single snapshot. */
  client: pg.Client;
  definition: Definition;
  header: Header;
  secrets: Secrets;
  /** Called after each table, with the number of rows written so far. */
  onRows: (rows: number) => void;
  /** Awaited after each stretch: yields to requests. */
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
  definition,
  header,
  onRows,
  pauseForRequests,
}: Source): AsyncGenerator<Buffer> {
  yield Buffer.from(headerLine(header) + HOW_TO_LOAD + PREAMBLE + before(definition));
  let written = 0;
  for (const table of definition.tables) {
    yield* rowsOf(client, table, pauseForRequests);
    written += header.tables[table.name] ?? 0;
    onRows(written);
  }
  yield Buffer.from(counters(definition) + after(definition));
}

async function* rowsOf(
  client: pg.Client,
  table: Table,
  pauseForRequests: Source['pauseForRequests'],
): AsyncGenerator<Buffer> {
  const columns = copyColumns(table);
  yield Buffer.from(`COPY ${SCHEMA}.${ident(table.name)} (${columns.map(ident).join(', ')}) FROM stdin;\n`);
  for await (const piece of copyOut(client, table.name, columns)) {
    yield piece as Buffer;
    await pauseForRequests();
  }
  yield Buffer.from('\\.\n');
}

/** Yields the same bytes in larger chunks. */
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
