import type { LinkedData } from '@forecourt/contract/email-templates';

const money = new Intl.NumberFormat('en-AU', { style: 'currency', currency: 'AUD' });
// Business dates have no zone; read and written in UTC they stay the day they are.
const date = new Intl.DateTimeFormat('en-AU', { dateStyle: 'long', timeZone: 'UTC' });

/** `1234.5` to `$1,234.50`. */
const formatMoney = (amount: number): string => money.format(amount);

/** `2026-11-20` to `20 November 2026`. */
const formatDate = (businessDate: string): string => date.format(new Date(`${businessDate}T00:00:00Z`));

/** How a value reads, by what it is linked to. Nothing to say is the empty text. */
export function formatValue(kind: LinkedData, value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'number') return formatMoney(value);
  return kind === 'today' || kind === 'deal.deliveryDate' ? formatDate(value) : value;
}
