import type { Figures } from '@forecourt/contract/figures';
import { formatCount, formatMoney, formatPercent } from '../platform/formats.ts';
import { texts } from '../texts/figures.ts';

export type FigureName = keyof typeof texts;

const names = Object.keys(texts) as FigureName[];

/** Those that there are, in their order: what is made of columns that a person may not see is absent. */
export const figuresIn = (figures: Partial<Figures>): FigureName[] =>
  names.filter((name) => figures[name] !== undefined);

/** A figure as it is read; a dash where there is nothing to tell it from. */
export function figureWords(name: FigureName, figures: Partial<Figures>): string {
  const value = figures[name];
  if (value === undefined || value === null) return '–';
  if (name === 'conversion') return formatPercent(value);
  return name === 'deals' || name === 'daysToClose' ? formatCount(value) : formatMoney(value);
}
