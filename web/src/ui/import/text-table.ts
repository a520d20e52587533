import { normaliseText } from '@forecourt/contract/characters';
import { MAX_IMPORT_LINES } from '@forecourt/contract/deal-limits';

/** A parsed file. Every cell is a trimmed text. */
export type TextTable = { readonly header: readonly string[]; readonly lines: readonly TextLine[] };

/** `number` is the line number in the file; the header is line 1. */
type TextLine = { readonly number: number; readonly cells: readonly string[] };

export type TableProblem = 'empty' | 'tooManyLines' | 'tooLarge' | 'oldExcel' | 'unreadable';

export class TableError extends Error {
  readonly problem: TableProblem;

  constructor(problem: TableProblem) {
    super(problem);
    this.name = 'TableError';
    this.problem = problem;
  }
}

const MAX_FILE_BYTES = 20 * 1024 * 1024;

/**
 * Parses a CSV or XLSX file, or text pasted from a table, with any common separator; of a workbook only the first
 * sheet. Empty lines are omitted. Throws a `TableError`.
 */
export async function readTable(source: File | string): Promise<TextTable> {
  if (typeof source === 'string') return tableOf(await readText(source));
  if (source.size > MAX_FILE_BYTES) throw new TableError('tooLarge');
  const start = new Uint8Array(await source.slice(0, 4).arrayBuffer());
  if (start[0] === 0x50 && start[1] === 0x4b) return tableOf(await readWorkbook(source));
  if (start[0] === 0xd0 && start[1] === 0xcf) throw new TableError('oldExcel');
  return tableOf(await readText(decoded(await source.arrayBuffer())));
}

function tableOf(rows: readonly (readonly string[])[]): TextTable {
  const lines = rows
    .map((cells, index) => ({ number: index + 1, cells: cells.map((cell) => normaliseText(cell).trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const [first, ...rest] = lines;
  if (!first || rest.length === 0) throw new TableError('empty');
  if (rest.length > MAX_IMPORT_LINES) throw new TableError('tooManyLines');
  return { header: first.cells, lines: rest };
}

async function readWorkbook(file: File): Promise<string[][]> {
  const workbook = await import('./workbook.ts');
  return workbook.readWorkbook(file).catch((thrown: unknown) => {
    throw new TableError(thrown instanceof workbook.UnpackedTooLarge ? 'tooLarge' : 'unreadable');
  });
}

const SEPARATORS = ['\t', ';', ',', '|'];

/** The first line of an Excel file may name its separator. */
const NAMED_SEPARATOR = /^\uFEFF?sep=(.)(?=\r|\n)/i;

/** Returns the most frequent separator of the first non-empty line. Copied tables have tabs. */
function separatorOf(text: string): string {
  const named = NAMED_SEPARATOR.exec(text)?.[1];
  if (named !== undefined) return named;
  const [line = ''] = text
    .replace(/"[^"]*"/g, '')
    .trimStart()
    .split(/\r?\n|\r/, 1);
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))]!;
}

async function readText(text: string): Promise<string[][]> {
  const { parse } = await import('csv-parse/browser/esm/sync');
  try {
    return parse(text.replace(NAMED_SEPARATOR, ''), {
      bom: true,
      delimiter: separatorOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
    });
  } catch {
    throw new TableError('unreadable');
  }
}

/** Decodes UTF-8, UTF-16 with its mark, or Windows-1252, as Excel writes. Throws a `TableError` for a binary file. */
function decoded(bytes: ArrayBuffer): string {
  const text = new TextDecoder(encodingOf(new Uint8Array(bytes))).decode(bytes);
  if (text.includes('\0') || text.startsWith('%PDF')) throw new TableError('unreadable');
  return text;
}

function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}
