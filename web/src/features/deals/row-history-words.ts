import type { HistoryEntry, HistoryValue } from '@forecourt/contract/deals';
import {
  formatBusinessDate,
  formatDateTime,
  formatMoney,
  formatMonth,
  formatPercent,
} from '../../platform/formats.ts';
import { texts } from '../../texts/deal-actions.ts';
import { texts as common } from '../../texts/deals.ts';
import { pricedWords } from './deal-items.ts';

type Field = HistoryEntry['changes'][number]['field'];

/** What a column is called. */
export const fieldName = (field: string): string =>
  ({ ...common.columns, ...texts.fields } as Readonly<Record<string, string>>)[field] ?? field;

/** A value as its cell shows it. */
export function historyWords(field: Field, value: HistoryValue, timeZone: string): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return texts.empty;
  if (Array.isArray(value)) {
    return value.map((entry) => ('itemId' in entry ? pricedWords([entry]) : shareWords(entry))).join(', ');
  }
  if (typeof value === 'number')
    return field === 'commissionRate' ? formatPercent(value) : formatMoney(value);
  if (field === 'deliveryDate') return formatBusinessDate(value);
  if (field === 'followUpAt') return formatDateTime(value, timeZone);
  return field === 'month' ? formatMonth(value) : value;
}

const shareWords = ({ name, permissions }: { name: string; permissions: 'view' | 'write' }): string =>
  texts.withLevel[permissions](name);
