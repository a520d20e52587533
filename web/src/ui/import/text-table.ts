import { repackedXlsx, UnpackedTooLarge } from './repacked-xlsx.ts';

/** A file as it came: the names of its columns and its lines, every cell a text without spaces around it. */
export type TextTable = { readonly header: readonly string[]; readonly lines: readonly TextLine[] };

/** `number` is the line of the file that people see there: the header is line 1. */
type TextLine = { readonly number: number; readonly cells: readonly string[] };

/** Why nothing can be read; the screen has words for each. */
export type TableProblem = 'empty' | 'tooManyLines' | 'tooLarge' | 'oldExcel' | 'unreadable';

export class TableError extends Error {
  readonly problem: TableProblem;

  constructor(problem: TableProblem) {
    super(problem);
    this.name = 'TableError';
    this.problem = problem;
  }
}

/** More lines than any import takes. */
const MAX_LINES = 50_000;
const MAX_FILE_BYTES = 20 * 1024 * 1024;

/**
 * Reads a CSV or XLSX file, or text that was pasted from a table, whatever stands between its cells. Of a
 * workbook its first sheet. Lines with nothing in them are left out. Throws a `TableError`.
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
    .map((cells, index) => ({ number: index + 1, cells: cells.map((cell) => cell.normalize('NFC').trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const [first, ...rest] = lines;
  if (!first || rest.length === 0) throw new TableError('empty');
  if (rest.length > MAX_LINES) throw new TableError('tooManyLines');
  return { header: first.cells, lines: rest };
}

async function readWorkbook(file: File): Promise<string[][]> {
  const [{ readSheet }, content] = await Promise.all([
    import('read-excel-file/browser'),
    repackedXlsx(file).catch((thrown: unknown) => {
      throw new TableError(thrown instanceof UnpackedTooLarge ? 'tooLarge' : 'unreadable');
    }),
  ]);
  try {
    return (await readSheet(content)).map((row) => row.map(cellText));
  } catch {
    throw new TableError('unreadable');
  }
}

/** Dates as business dates, with the time where there is one; numbers as they are written in code. */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString().slice(0, 16).replace('T', ' ').replace(' 00:00', '');
  return String(cell as string | number | boolean);
}

const SEPARATORS = ['\t', ';', ',', '|'];

/** The separator that the first line has most of; tables that were copied have tabs. */
function separatorOf(text: string): string {
  const [line = ''] = text.replace(/"[^"]*"/g, '').split(/\r?\n|\r/, 1);
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))]!;
}

async function readText(text: string): Promise<string[][]> {
  const { parse } = await import('csv-parse/browser/esm/sync');
  try {
    return parse(text, {
      bom: true,
      delimiter: separatorOf(text),
      relax_column_count: true,
      relax_quotes: true,
    });
  } catch {
    throw new TableError('unreadable');
  }
}

/** Excel writes UTF-8, UTF-16 or, without saying so, what Windows used before. */
function decoded(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
