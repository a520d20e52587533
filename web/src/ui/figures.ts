import type { DealStatus } from '@forecourt/contract/deals';
import type { Figures } from '@forecourt/contract/figures';
import { formatCount, formatMoney } from '../platform/formats.ts';
import { counting, texts } from '../texts/figures.ts';

export type FigureName = keyof typeof texts;

const names = Object.keys(texts) as FigureName[];

/** Returns the names of the available figures in display order. Figures of hidden columns are absent. */
export const figuresIn = (figures: Partial<Figures>): FigureName[] =>
  names.filter((name) => figures[name] !== undefined);

/** Formats a figure; a dash if it has no value. */
export function figureText(name: FigureName, figures: Partial<Figures>): string {
  const value = figures[name];
  if (name === 'commission' && value === null) return counting.notSet;
  if (value === undefined || value === null) return '–';
  if (name === 'conversion' || name === 'penetration') return `${value.toFixed(1)}%`;
  if (name === 'daysToClose') return value.toFixed(1);
  return name === 'deals' ? formatCount(value) : formatMoney(value);
}

/**
 * Formats a sum of commission. It is not `0` if no row has a rate.
 * @param rows number of rows with a rate, and of rows without one, which are not in the sum
 */
export function commissionText(amount: number, rows: { withRate: number; withoutRate: number }): string {
  if (rows.withoutRate === 0) return formatMoney(amount);
  if (rows.withRate === 0) return counting.notSet;
  return `${formatMoney(amount)} (${counting.missing(rows.withoutRate)})`;
}

type Statuses = readonly Pick<DealStatus, 'name' | 'countsForCommission'>[];

/** A label counts the statuses if there are more. */
const MAX_NAMES = 2;

/** Returns the names of the statuses that count for commission. */
export const countingNames = (statuses: Statuses): string[] =>
  statuses.filter(({ countsForCommission }) => countsForCommission).map(({ name }) => name);

/** Returns these names if some statuses do not count; null if all count. */
function countedNames(statuses: Statuses): string[] | null {
  const names = countingNames(statuses);
  return names.length === statuses.length ? null : names;
}

/** Returns the label of a figure; for commission it includes the statuses that count. */
export function figureLabel(name: FigureName, statuses: Statuses = []): string {
  const names = name === 'commission' ? countedNames(statuses) : null;
  if (names === null) return texts[name];
  if (names.length === 0) return counting.of(texts[name], counting.none);
  const text = names.length > MAX_NAMES ? counting.statuses(names.length) : names.join(', ');
  return counting.of(texts[name], text);
}

/** Returns a sentence about the rows that count for commission, and how many of them have no rate. */
export function countingNote(statuses: Statuses, { withoutRate = 0 }: Partial<Figures> = {}): string {
  const counted = sentenceOf(countedNames(statuses));
  return withoutRate === 0 ? counted : `${counted} ${counting.withoutRate(withoutRate)}`;
}

function sentenceOf(names: readonly string[] | null): string {
  if (names === null) return counting.every;
  if (names.length === 0) return counting.noStatus;
  return counting.only(new Intl.ListFormat('en-AU', { type: 'disjunction' }).format(names));
}
