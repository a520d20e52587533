import { titlesIn } from './deal-fields.ts';
import type { AdjustedField, ClosedStatement, StatementAdjustment, StatementKind } from './statements.ts';

/** The words of statements on the screen and in files (docs/product/month-close.md, Statements). */
export const statementTitles = {
  commission: 'Commission statement',
  account: 'Account statement',
} as const satisfies Record<StatementKind, string>;

export const statementParts = {
  adjustments: 'Adjustments to earlier months',
  linesTotal: 'Total of rows',
  total: 'Total including GST',
} as const;

const titles = titlesIn();
/** The labels of columns and of adjusted fields. */
export const statementLabels = {
  date: 'Added',
  customerName: titles.customerName,
  dealNumber: titles.dealNumber,
  dealershipName: titles.dealershipId,
  ownerName: titles.owner,
  status: titles.status,
  items: titles.items,
  saleAmount: titles.saleAmount,
  costAmount: titles.costAmount,
  commissionRate: titles.commissionRate,
  commission: titles.commission,
  month: titles.month,
  counts: 'Counts for commission',
} as const satisfies Record<AdjustedField, string> & Record<string, string>;

type Value = StatementAdjustment['changes'][number]['before'];
/** How the browser and the server format values. */
export type ValueFormats = {
  formatMoney: (amount: number) => string;
  formatPercent: (rate: number) => string;
  formatMonth: (month: string) => string;
};

/**
 * Returns an adjustment in words: of a row that was added or removed, a title and its values; of another one, null and
 * its changes.
 */
export function adjustmentInWords(
  { month, changes }: Pick<StatementAdjustment, 'month' | 'changes'>,
  { formatMoney, formatPercent, formatMonth }: ValueFormats,
) {
  const textOf = (field: AdjustedField, value: Value): string => {
    if (value === null || value === '') return 'none';
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    if (field === 'month') return formatMonth(String(value));
    if (typeof value === 'string') return value;
    return field === 'commissionRate' ? formatPercent(value) : formatMoney(value);
  };
  // A row has a month as long as it exists.
  const moved = changes.find(({ field }) => field === 'month');
  const side = moved?.before === null ? 'after' : moved?.after === null ? 'before' : undefined;
  if (!side) {
    const named = changes.map(({ field, before, after }) => ({
      name: statementLabels[field],
      before: textOf(field, before),
      // Of items only those before are stored.
      after: field === 'items' ? 'replaced' : textOf(field, after),
    }));
    return { title: null, values: [], changes: named };
  }
  const values = changes
    .filter((change) => change.field !== 'month' && change[side] !== null && change[side] !== '')
    .map((change) => `${statementLabels[change.field]}: ${textOf(change.field, change[side])}`);
  const title = `${side === 'after' ? 'Added to' : 'Removed from'} ${formatMonth(month)}`;
  return { title, values, changes: [] };
}

/** Returns the totals of a statement in their order, each with its label. */
export function totalsInWords(
  { totals, adjustments }: Pick<ClosedStatement, 'totals' | 'adjustments'>,
  { formatPercent }: Pick<ValueFormats, 'formatPercent'>,
): [label: string, amount: number][] {
  const adjusted: [string, number] = [statementParts.adjustments, totals.adjustments];
  return [
    [statementParts.linesTotal, totals.lines],
    ...(adjustments.length > 0 ? [adjusted] : []),
    [statementParts.total, totals.total],
    [`GST (${formatPercent(totals.gstRate)})`, totals.gst],
    ['Total excluding GST', totals.withoutGst],
  ];
}
