import { createHash, type Hash } from 'node:crypto';
import { SCHEMA } from '../../platform/db/schemas.ts';
import type { FileDraft } from '../../platform/files/file-folder.ts';
import {
  isTrailer,
  readFileLine,
  readHeader,
  readTrailer,
  type Header,
  type Trailer,
} from './backup-format.ts';

/** The header of a COPY block in a script. */
export type Section = { table: string; columns: string[] };

/** Receives the rows of a section in arbitrary chunks. */
export type Sink = { write(piece: Buffer): Promise<void> | void; end(): Promise<void> | void };

export type ScriptFacts = {
  header: Header | undefined;
  sections: (Section & { rows: number })[];
  /** SHA-256 of everything before the last line; undefined without a trailer. */
  digest: string;
  trailer: Trailer | undefined;
  /** Number of files whose content follows the last line. */
  embeddedFiles: number;
  /** pg_dump wrote its completion comment. */
  isWholeDump: boolean;
};

/** The script is invalid. The message is for users. */
export class ScriptError extends Error {}

/** The reading ended early, which proves nothing about the file: the disk or the machine may be slow. */
export class StallError extends ScriptError {}

/** Larger than the longest line and the largest definition that this program or pg_dump writes. */
const LINE_BYTES = 1024 * 1024;
const TEXT_BYTES = 16 * 1024 * 1024;
const MAX_TABLES = 1000;

const COPY = /^COPY (?:"?(\w+)"?\.)?"?(\w+)"? \(([^()]*)\) FROM stdin;$/i;
const END = Buffer.from('\n\\.\n');
const NEWLINE = 10;

/** Returns where to write the content of a file, or undefined to skip it. */
export type OpenEmbedded = (digest: Buffer) => Promise<FileDraft | undefined>;

/**
 * Reads a script of plain SQL in chunks and uses only the rows of known tables; no statement of it is ever run
 * (docs/product/security.md, Uploaded SQL is never run). `open` returns the sink of each section, or undefined to skip
 * it, and `openEmbedded` the draft of a file after the last line. Throws ScriptError if the script cannot be parsed or a file does not have its digest; the returned summary shows whether it is complete and its checksum is
 * right.
 */
export async function readScript(
  pieces: AsyncIterable<Buffer>,
  open: (section: Section) => Promise<Sink | undefined> | Sink | undefined,
  openEmbedded: OpenEmbedded = async () => undefined,
): Promise<ScriptFacts> {
  const hash = createHash('sha256');
  const facts: ScriptFacts = {
    header: undefined,
    sections: [],
    digest: '',
    trailer: undefined,
    embeddedFiles: 0,
    isWholeDump: false,
  };
  const files = createEmbeddedReader(openEmbedded);
  let rest: Buffer = Buffer.alloc(0);
  let section: { counted: { rows: number }; sink: Sink | undefined } | undefined;
  let isFirstLine = true;
  let textBytes = 0;

  async function readLine(line: string): Promise<void> {
    if (facts.trailer) return files.readLine(line);
    if (isFirstLine) facts.header = readHeader(line);
    isFirstLine = false;
    if (line.startsWith('-- PostgreSQL database dump complete')) facts.isWholeDump = true;
    if (!line.startsWith('COPY ') && !line.startsWith('copy ')) return;
    const [, schema, table, columns = ''] = COPY.exec(line) ?? [];
    if (table === undefined) {
      if (/FROM stdin/i.test(line)) throw new ScriptError('A block of data cannot be told apart.');
      return;
    }
    const names = columns.split(',').map((name) => name.trim().replaceAll('"', ''));
    const isOurs = schema === undefined || schema === SCHEMA;
    if (isOurs && facts.sections.some((other) => other.table === table)) {
      throw new ScriptError(`The rows of ${table} are in it twice.`);
    }
    if (facts.sections.length === MAX_TABLES) throw new ScriptError('It has more tables than any backup.');
    const counts = { table, columns: names, rows: 0 };
    if (isOurs) facts.sections.push(counts);
    section = { counted: counts, sink: isOurs ? await open({ table, columns: names }) : undefined };
  }

  /** Reads lines until a section begins or more input is needed. Returns true if a section has begun. */
  async function readText(): Promise<boolean> {
    let start = 0;
    try {
      while (!section) {
        const end = rest.indexOf(NEWLINE, start);
        if (end < 0) {
          if (rest.length - start > LINE_BYTES) throw new ScriptError('It has lines that no backup has.');
          return false;
        }
        const line = rest.toString('utf8', start, end);
        if (!facts.trailer && isTrailer(line)) {
          const trailer = readTrailer(line);
          if (!trailer) throw new ScriptError('Its last line cannot be read.');
          facts.digest = hash.update(rest.subarray(0, start)).digest('hex');
          facts.trailer = trailer;
        } else await readLine(line);
        start = end + 1;
        if (!facts.trailer && textBytes + start > TEXT_BYTES)
          throw new ScriptError('It has more statements than any backup.');
      }
      return true;
    } finally {
      textBytes += start;
      if (!facts.trailer) hash.update(rest.subarray(0, start));
      // Keeps the preceding line break: it can be part of the section's end marker if the section has no rows.
      rest = section ? rest.subarray(start - 1) : rest.subarray(start);
    }
  }

  /** Passes rows until the section ends or input is needed. `rest` begins with a line break that was already passed. */
  async function readRows({ counted, sink }: NonNullable<typeof section>): Promise<boolean> {
    const end = rest.indexOf(END);
    const upTo = end < 0 ? rest.length - END.length : end;
    if (upTo > 0) {
      const data = rest.subarray(1, upTo + 1);
      hash.update(data);
      counted.rows += countLines(data);
      await sink?.write(data);
    }
    if (end < 0) {
      rest = rest.subarray(Math.max(upTo, 0));
      return false;
    }
    hash.update(rest.subarray(end + 1, end + END.length));
    await sink?.end();
    section = undefined;
    rest = rest.subarray(end + END.length);
    return true;
  }

  try {
    for await (const piece of pieces) {
      rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      while (section ? await readRows(section) : await readText());
    }
    facts.embeddedFiles = await files.end();
  } finally {
    await files.discard();
  }
  if (section) throw new ScriptError('It is cut off in the middle of its data.');
  if (rest.length > 0) throw new ScriptError('It is cut off in the middle of a line.');
  if (!facts.trailer) facts.digest = hash.digest('hex');
  return facts;
}

/** Reads the content of files from the lines after the end of a backup (`fileLine`). */
function createEmbeddedReader(openEmbedded: OpenEmbedded) {
  let file: { hex: string; hash: Hash; draft: FileDraft | undefined } | undefined;
  let count = 0;

  async function end(): Promise<number> {
    if (!file) return count;
    if (file.hash.digest('hex') !== file.hex) throw new ScriptError('A file in it is damaged.');
    await file.draft?.finish();
    await file.draft?.store();
    file = undefined;
    return (count += 1);
  }

  return {
    async readLine(line: string): Promise<void> {
      const { hex, content } = readFileLine(line) ?? {};
      if (hex === undefined || !content) throw new ScriptError('Something follows the end of the backup.');
      if (file?.hex !== hex) {
        await end();
        file = { hex, hash: createHash('sha256'), draft: await openEmbedded(Buffer.from(hex, 'hex')) };
      }
      file.hash.update(content);
      await file.draft?.write(content);
    },
    /** Completes the last file, and returns the number of files. */
    end,
    /** Removes an incomplete file. */
    discard: async (): Promise<void> => file?.draft?.discard(),
  };
}

function countLines(data: Buffer): number {
  let count = 0;
  for (let at = data.indexOf(NEWLINE); at >= 0; at = data.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
