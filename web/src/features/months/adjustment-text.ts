import type { StatementAdjustment } from '@forecourt/contract/statements';
import { formatMoney, formatMonth, formatPercent } from '../../platform/formats.ts';
import { texts } from '../../texts/statements.ts';

type Change = StatementAdjustment['changes'][number];
type Value = Change['before'];

function valueText(field: Change['field'], value: Value): string {
  if (value === null || value === '') return texts.none;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (field === 'commissionRate') return formatPercent(Number(value));
  if (field === 'month') return formatMonth(String(value));
  return typeof value === 'number' ? formatMoney(value) : value;
}

/**
 * Returns an adjustment in words: of a row that was added or removed, a title and its values; of another one, its
 * changes.
 */
export function describeAdjustment({ month, changes }: StatementAdjustment) {
  const moved = changes.find(({ field }) => field === 'month');
  const isAdded = moved?.before === null;
  if (isAdded || moved?.after === null) {
    const values = changes
      .filter(({ field }) => field !== 'month')
      .map((change) => ({ ...change, value: isAdded ? change.after : change.before }))
      .filter(({ value }) => value !== null && value !== '')
      .map(({ field, value }) => `${texts.fields[field]}: ${valueText(field, value)}`);
    return {
      title: isAdded ? texts.added(month) : texts.removed(month),
      values: values.join(' · '),
      changes: [],
    };
  }
  return {
    title: null,
    values: '',
    changes: changes.map(({ field, before, after }) => ({
      name: texts.fields[field],
      before: valueText(field, before),
      // Of items only those before are stored.
      after: field === 'items' ? texts.otherItems : valueText(field, after),
    })),
  };
}
