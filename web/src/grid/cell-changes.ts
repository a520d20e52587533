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

/** What a cell is to become: the value that a text means to its column, or a value as it is. */
export interface Wish<R extends GridRecord> {
  readonly key: string;
  readonly column: GridColumn<R>;
  readonly text?: string;
  readonly value?: CellValue;
}

/** What becomes of wishes: each cell is changed, left as it is, refused or skipped. */
export interface Outcome {
  readonly changes: readonly Change[];
  readonly refused: readonly RefusedText[];
  /** Refused texts of before that are over: their cells hold what was wished for now, or another refused text. */
  readonly forgiven: readonly RefusedText[];
  /** How many cells may not be changed, by the reason in words. */
  readonly skipped: ReadonlyMap<string, number>;
}

/** An empty cell is null, and the empty text in records that say so. */
export const sameValue = (a: CellValue, b: CellValue): boolean => (a ?? '') === (b ?? '');

/**
 * Decides cell by cell what a paste, a fill or a clear does: the column's rights first, then its parser. A cell that may
 * not be changed and would not change is nothing to talk about.
 *
 * @param recordOf the record of a key; cells of unknown keys are left out
 */
export function changesOf<R extends GridRecord>(
  wishes: Iterable<Wish<R>>,
  recordOf: (key: string) => R | undefined,
  clock: Clock,
): Outcome {
  const changes: Change[] = [];
  const refused: RefusedText[] = [];
  const forgiven: RefusedText[] = [];
  const skipped = new Map<string, number>();

  for (const { key, column, text, value = null } of wishes) {
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
    if (old) forgiven.push(old);
    if (!parsed.ok) {
      refused.push({ key, columnId, text: text?.trim() ?? '', message: parsed.message, before });
      continue;
    }
    if (!sameValue(before, parsed.value)) changes.push({ key, columnId, before, after: parsed.value });
  }
  return { changes, refused, forgiven, skipped };
}

/**
 * The value that a text means to a cell. The cell's own text means what it holds: a choice that is not offered any more,
 * and what a text says only in part, as names of items leave out at what price they were sold.
 */
function readText<R extends GridRecord>(
  column: GridColumn<R>,
  record: R,
  text: string,
  clock: Clock,
): Parsed {
  const parsed = parseText(column, text, clock);
  const present = column.get(record);
  if (present === null || (parsed.ok && sameValue(parsed.value, present))) return parsed;
  const isOwn = copyText(column, record, clock.timeZone).trim() === text.trim();
  return isOwn ? { ok: true, value: present } : parsed;
}

/** What did not go in: '4 cells were skipped: …' and '2 cells need correcting: …'; null when everything did. */
export function outcomeWords({ refused, skipped }: Outcome, leftOut: readonly string[] = []): string | null {
  const messages = new Map<string, number>();
  for (const { message } of refused) messages.set(message, (messages.get(message) ?? 0) + 1);
  const sentences = [
    reasonWords(skipped, 'was skipped', 'were skipped'),
    reasonWords(messages, 'needs correcting', 'need correcting'),
    ...leftOut,
  ];
  return sentences.filter(Boolean).join(' ') || null;
}

/** The most frequent reason speaks for all. */
function reasonWords(reasons: ReadonlyMap<string, number>, one: string, many: string): string {
  const [first, ...others] = [...reasons].sort(([, a], [, b]) => b - a);
  if (!first) return '';
  const total = [first, ...others].reduce((sum, [, count]) => sum + count, 0);
  const rest = others.length > 0 ? ' (and other reasons)' : '';
  return `${countOf(total, 'cell')} ${total === 1 ? one : many}: ${first[0]}${/[.!?]$/.test(first[0]) ? '' : '.'}${rest}`;
}

/** '1 cell', '1,200 cells'. */
export const countOf = (count: number, noun: string): string =>
  `${count.toLocaleString('en-AU')} ${noun}${count === 1 ? '' : 's'}`;
