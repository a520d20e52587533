import { createLazyValue } from './lazy-value.ts';

/**
 * Formats numbers in en-AU without `Intl`, whose first use takes a browser 20 ms or more: the longest single step
 * before the first rows of Data Entry. Numbers that these functions cannot format use it.
 */
const anyMoney = createLazyValue(
  () => new Intl.NumberFormat('en-AU', { style: 'currency', currency: 'AUD' }),
);
const anyCount = createLazyValue(() => new Intl.NumberFormat('en-AU'));

/** Below this limit, a number with two decimals is exact to the cent. */
const MAX_DOLLARS = 1e12;

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** Formats AUD with 2 decimals as `$1,234.50` (docs/product/screens.md, Formats). */
export function formatMoney(dollars: number): string {
  const isPlain = Math.abs(dollars) < MAX_DOLLARS && Math.round(dollars * 100) / 100 === dollars;
  if (!isPlain) return anyMoney().format(dollars);
  const [whole = '', cents = ''] = Math.abs(dollars).toFixed(2).split('.');
  return `${dollars < 0 ? '-' : ''}$${grouped(whole)}.${cents}`;
}

/** Formats a number with up to three decimals: `1,234`. */
export const formatCount = (number: number): string =>
  Number.isSafeInteger(number) ? grouped(String(number)) : anyCount().format(number);
