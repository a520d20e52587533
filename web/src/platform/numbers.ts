import { createLazyValue } from './lazy-value.ts';

/**
 * Numbers in en-AU without `Intl`: its first use takes a browser 20 ms or more, the longest single step before the first
 * rows of Data Entry. Only numbers that these functions cannot format use it.
 */
const anyMoney = createLazyValue(
  () => new Intl.NumberFormat('en-AU', { style: 'currency', currency: 'AUD' }),
);
const anyCount = createLazyValue(() => new Intl.NumberFormat('en-AU'));

/** Below this, a number with two decimals is exact to the cent. */
const MAX_DOLLARS = 1e12;

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** AUD with 2 decimals (docs/product/screens.md, Formats): `$1,234.50`. */
export function formatMoney(dollars: number): string {
  const isPlain = Math.abs(dollars) < MAX_DOLLARS && Math.round(dollars * 100) / 100 === dollars;
  if (!isPlain) return anyMoney().format(dollars);
  const [whole = '', cents = ''] = Math.abs(dollars).toFixed(2).split('.');
  return `${dollars < 0 ? '-' : ''}$${grouped(whole)}.${cents}`;
}

/** `1,234`, with up to three decimals. */
export const formatCount = (number: number): string =>
  Number.isSafeInteger(number) ? grouped(String(number)) : anyCount().format(number);
