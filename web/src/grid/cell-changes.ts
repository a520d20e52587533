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

/** The result of requested edits: a cell is changed, unchanged, refused or skipped. */
export interface Outcome {
  readonly changes: readonly Change[];
  readonly refused: readonly RefusedText[];
  /** Earlier refused texts that are resolved: the cell has the new value, or another refused text. */
  readonly cleared: readonly RefusedText[];
  /** Number of cells that may not be changed, by reason text. */
  readonly skipped: ReadonlyMap<string, number>;
}

/** Whether two values are equal. An empty cell is null in the grid, and an empty text in fields that are never null. */
export const sameValue = (a: CellValue, b: CellValue): boolean => (a ?? '') === (b ?? '');

/**
 * Applies a paste, a fill or a clear cell by cell: checks the permissions of the column, then parses. A blocked cell
 * whose value would not change is not reported.
 *
 * @param recordOf returns the record of a key; cells without a record are omitted
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
      const newText = text?.trim() ?? copyText(column, record, clock.timeZone, value);
      if (newText !== copyText(column, record, clock.timeZone))
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
 * Parses a text for a cell. The text copied from the same cell results in its current value, because the text may omit
 * part of it (prices of items) or be an option that is no longer offered.
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

/** Summarises the omitted cells: '4 cells were skipped: …' and '2 cells need correcting: …'; null if there are none. */
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

/** For example '1 cell' or '1,200 cells'. */
export const countOf = (count: number, noun: string): string =>
  `${count.toLocaleString('en-AU')} ${noun}${count === 1 ? '' : 's'}`;
