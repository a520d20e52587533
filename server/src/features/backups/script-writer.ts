import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { EXTENSION_SCHEMA, SCHEMA } from '../../platform/db/database.ts';
import { ident } from '../../platform/db/direct.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { headerLine, trailerLine, type Header } from './backup-format.ts';
import { copyColumns, createTable, setCounters, type Definition, type Table } from './definition.ts';

/** Each piece is packed for itself: small ones would make the file larger. */
const PIECE_BYTES = 1024 * 1024;

/** Rows that are read at a stretch: two milliseconds, for which everybody else waits. */
const STRETCH_BYTES = 256 * 1024;

const PREAMBLE = `-- To load it into an empty database: gunzip -c FILE | psql -v ON_ERROR_STOP=1 --single-transaction DATABASE
set client_encoding = 'UTF8';
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

/** What stands before the rows: functions that tables need, the tables, functions that need tables. */
const before = ({ functions, tables }: Definition): string => {
  const texts = (needsTables: boolean) =>
    functions.filter((one) => one.needsTables === needsTables).map(({ text }) => `${text};\n`);
  return [...texts(false), ...tables.map((table) => `${createTable(table)};\n`), ...texts(true)].join('');
};

/** What stands after them: counters, keys, indexes, references, triggers. */
const after = ({ tables, keys, indexes, foreignKeys, triggers }: Definition): string =>
  [
    ...tables.flatMap(setCounters).map((one) => `${one};\n`),
    statements(keys),
    statements(indexes),
    statements(foreignKeys),
    statements(triggers),
  ].join('');

/** `copy … (columns)`, for both directions. */
export const copyTarget = (table: string, columns: readonly string[]): string =>
  `${ident(table)} (${columns.map(ident).join(', ')})`;

/** The rows of a table as COPY writes them: the same text for the same rows, in the order in which they lie. */
export const copyOut = (client: pg.Client, table: string, columns: readonly string[]): Readable =>
  client.query(copyTo(`copy ${copyTarget(table, columns)} to stdout`, { highWaterMark: STRETCH_BYTES }));

type Source = {
  /** In a transaction that sees one snapshot. */
  client: pg.Client;
  definition: Definition;
  header: Header;
  secrets: Secrets;
  /** Told after each table, with the rows written so far. */
  onRows: (rows: number) => void;
  /** Awaited after each stretch: lets others have their turn. */
  giveWay: () => Promise<void>;
};

/** A backup as plain SQL, piece by piece, ending with its checksum and signature. */
export async function* writeScript(source: Source): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const piece of gathered(body(source))) {
    hash.update(piece);
    yield piece;
  }
  yield Buffer.from(trailerLine(source.secrets, hash.digest('hex')));
}

async function* body({ client, definition, header, onRows, giveWay }: Source): AsyncGenerator<Buffer> {
  yield Buffer.from(headerLine(header) + PREAMBLE + before(definition));
  let written = 0;
  for (const table of definition.tables) {
    yield* rowsOf(client, table, giveWay);
    written += header.tables[table.name] ?? 0;
    onRows(written);
  }
  yield Buffer.from(after(definition));
}

async function* rowsOf(client: pg.Client, table: Table, giveWay: Source['giveWay']): AsyncGenerator<Buffer> {
  const columns = copyColumns(table);
  yield Buffer.from(`COPY ${SCHEMA}.${ident(table.name)} (${columns.map(ident).join(', ')}) FROM stdin;\n`);
  for await (const piece of copyOut(client, table.name, columns)) {
    yield piece as Buffer;
    await giveWay();
  }
  yield Buffer.from('\\.\n');
}

/** The same bytes in larger pieces. */
async function* gathered(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
