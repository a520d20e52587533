import type { DealItem } from '@forecourt/contract/deals';

const money = new Intl.NumberFormat('en-AU', { style: 'currency', currency: 'AUD' });
const number = new Intl.NumberFormat('en-AU', { maximumFractionDigits: 4 });
// A business date has no zone: it is parsed and formatted in UTC, so that it does not shift.
const date = new Intl.DateTimeFormat('en-AU', { dateStyle: 'long', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat('en-AU', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dateTimes = new Map<string, Intl.DateTimeFormat>();

/** Formats `1234.5` as `$1,234.50`. */
export const formatMoney = (amount: number): string => money.format(amount);

/** Formats `1234.5` as `1,234.5`. */
export const formatNumber = (value: number): string => number.format(value);

/** Formats `7.5` as `7.5%`. */
export const formatPercent = (rate: number): string => `${number.format(rate)}%`;

/** Formats `2026-11-20` as `20 November 2026`. */
export const formatDate = (businessDate: string): string =>
  date.format(new Date(`${businessDate}T00:00:00Z`));

/** Formats `2026-11` as `November 2026`. */
export const formatMonth = (businessMonth: string): string =>
  month.format(new Date(`${businessMonth}-01T00:00:00Z`));

/** Formats `2026-11-19T22:30:00Z` as `20 November 2026 at 9:30 am`, in local time of the zone. */
export function formatInstant(instant: string, timeZone: string): string {
  const format = dateTimes.getOrInsertComputed(
    timeZone,
    () => new Intl.DateTimeFormat('en-AU', { dateStyle: 'long', timeStyle: 'short', timeZone }),
  );
  return format.format(new Date(instant)).replaceAll('\u202F', ' ');
}

/** Formats items as `2 x Paint protection, Window tint`. */
export const formatItems = (items: DealItem[]): string => items.map(nameAndQuantity).join(', ');

/** Formats items as `2 x Paint protection ($400.00 each), Window tint ($250.00)`. */
export const formatItemsWithPrices = (items: DealItem[]): string =>
  items
    .map((item) => {
      const price = formatMoney(item.unitPrice) + (item.quantity === 1 ? '' : ' each');
      return `${nameAndQuantity(item)} (${price})`;
    })
    .join(', ');

const nameAndQuantity = ({ name, quantity }: DealItem): string =>
  quantity === 1 ? name : `${quantity} x ${name}`;
