import { lazily } from './lazily.ts';

/**
 * Numbers in en-AU without `Intl`: its first use takes a browser 20 ms and more, which is the longest single thing before
 * the first rows of Data Entry. Numbers of other forms than these go by it.
 */
const anyMoney = lazily(() => new Intl.NumberFormat('en-AU', { style: 'currency', currency: 'AUD' }));
const anyCount = lazily(() => new Intl.NumberFormat('en-AU'));

/** Up to here a number with two decimals is exact to the cent. */
const MOST_DOLLARS = 1e12;

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** AUD with 2 decimals (spec section 9): `$1,234.50`. */
export function formatMoney(dollars: number): string {
  const isPlain = Math.abs(dollars) < MOST_DOLLARS && Math.round(dollars * 100) / 100 === dollars;
  if (!isPlain) return anyMoney().format(dollars);
  const [whole = '', cents = ''] = Math.abs(dollars).toFixed(2).split('.');
  return `${dollars < 0 ? '-' : ''}$${grouped(whole)}.${cents}`;
}

/** `1,234`, and up to three decimals where there are any. */
export const formatCount = (number: number): string =>
  Number.isSafeInteger(number) ? grouped(String(number)) : anyCount().format(number);
