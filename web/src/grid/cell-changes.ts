import {
  refusedTextOf,
  seenValue,
  type CellValue,
  type Change,
  type GridColumn,
  type GridRecord,
  type Parsed,
  type RefusedText,
} from './columns.ts';
import { copyText } from './format.ts';
import type { Clock } from './parse-date.ts';
import { parseText } from './parse.ts';

/** A requested cell edit: a text to parse, or a value. */
export interface CellEdit<R extends GridRecord> {
  readonly key: string;
  readonly column: GridColumn<R>;
  readonly text?: string;
  readonly value?: CellValue;
}

/** The result of requested edits: each cell is changed, left as it is, refused or skipped. */
export interface Outcome {
  readonly changes: readonly Change[];
  readonly refused: readonly RefusedText[];
  /** Former refused texts that are resolved: their cells have the new value, or another refused text. */
  readonly cleared: readonly RefusedText[];
  /** Number of cells that may not be changed, by reason text. */
  readonly skipped: ReadonlyMap<string, number>;
}

/** Compares values. An empty cell is null in the grid, and an empty text in fields that are never null: they are equal. */
export const sameValue = (a: CellValue, b: CellValue): boolean => (a ?? '') === (b ?? '');

/**
 * Applies a paste, a fill or a clear cell by cell: checks the column's permissions first, then parses. A blocked cell
 * whose value would not change is not reported.
 *
 * @param recordOf returns the record of a key; cells of unknown keys are left out
 */
export function changesOf<R extends GridRecord>(
  edits: Iterable<CellEdit<R>>,
  recordOf: (key: string) => R | undefined,
  clock: Clock,
): Outcome {
  const changes: Change[] = [];
  const refused: RefusedText[] = [];
  const cleared: RefusedText[] = [];
  const skipped = new Map<string, number>();

  for (const { key, column, text, value = null } of edits) {
    const record = recordOf(key);
    if (!record) continue;
    const columnId = column.id;
    const reason = column.readOnly
      ? `${column.header} cannot be changed here`
      : (column.blockedReason?.(record) ?? null);
    if (reason !== null) {
      const wanted = text?.trim() ?? copyText(column, record, clock.timeZone, value);
      if (wanted !== copyText(column, record, clock.timeZone))
        skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
      continue;
    }
    const parsed: Parsed = text === undefined ? { ok: true, value } : readText(column, record, text, clock);
    const old = refusedTextOf(column, record);
    const before = seenValue(column, record, old);
    if (old) cleared.push(old);
    if (!parsed.ok) {
      refused.push({ key, columnId, text: text?.trim() ?? '', message: parsed.message, before });
      continue;
    }
    if (!sameValue(before, parsed.value)) changes.push({ key, columnId, before, after: parsed.value });
  }
  return { changes, refused, cleared, skipped };
}

/**
 * Parses a text for a cell. The cell's own copied text yields its current value: it may be an option that is no longer
 * offered, or a text without all of the value, as names of items omit their prices.
 */
function readText<R extends GridRecord>(
  column: GridColumn<R>,
  record: R,
  text: string,
  clock: Clock,
): Parsed {
  const present = column.get(record);
  const parsed = parseText(column, text, clock, present);
  if (present === null || (parsed.ok && sameValue(parsed.value, present))) return parsed;
  const isOwn = copyText(column, record, clock.timeZone).trim() === text.trim();
  return isOwn ? { ok: true, value: present } : parsed;
}

/** Returns a summary of the cells left out: '4 cells were skipped: …' and '2 cells need correcting: …'; null: none. */
export function outcomeText({ refused, skipped }: Outcome, leftOut: readonly string[] = []): string | null {
  const messages = new Map<string, number>();
  for (const { message } of refused) messages.set(message, (messages.get(message) ?? 0) + 1);
  const sentences = [
    reasonText(skipped, 'was skipped', 'were skipped'),
    reasonText(messages, 'needs correcting', 'need correcting'),
    ...leftOut,
  ];
  return sentences.filter(Boolean).join(' ') || null;
}

/** Returns the most frequent reason. */
function reasonText(reasons: ReadonlyMap<string, number>, one: string, many: string): string {
  const [first, ...others] = [...reasons].sort(([, a], [, b]) => b - a);
  if (!first) return '';
  const total = [first, ...others].reduce((sum, [, count]) => sum + count, 0);
  const rest = others.length > 0 ? ' (and other reasons)' : '';
  return `${countOf(total, 'cell')} ${total === 1 ? one : many}: ${first[0]}${/[.!?]$/.test(first[0]) ? '' : '.'}${rest}`;
}

/** '1 cell', '1,200 cells'. */
export const countOf = (count: number, noun: string): string =>
  `${count.toLocaleString('en-AU')} ${noun}${count === 1 ? '' : 's'}`;
