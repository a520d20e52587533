import { titlesIn } from '@forecourt/contract/deal-fields';
import { monthCheckLabels } from '@forecourt/contract/month-checks';
import type {
  AdjustedField,
  ClosedStatement,
  StatementAdjustment,
  StatementKind,
} from '@forecourt/contract/statements';
import { formatInstant, formatMoney, formatMonth, formatPercent } from '../../platform/formats.ts';

export const STATEMENT_TITLES = {
  commission: 'Commission statement',
  account: 'Account statement',
} as const satisfies Record<StatementKind, string>;

/** What is printed for an empty value. */
const NONE = '–';

const titles = titlesIn();
/** The labels of columns and of changed fields. */
export const STATEMENT_LABELS = {
  customerName: titles.customerName,
  dealNumber: titles.dealNumber,
  saleAmount: titles.saleAmount,
  costAmount: titles.costAmount,
  commissionRate: titles.commissionRate,
  items: titles.items,
  status: titles.status,
  dealershipName: titles.dealershipId,
  ownerName: titles.owner,
  month: titles.month,
  counts: 'Counts for commission',
  commission: titles.commission,
};

type Change = StatementAdjustment['changes'][number];

const FORMATS: { readonly [field in AdjustedField]?: (value: never) => string } = {
  saleAmount: formatMoney,
  costAmount: formatMoney,
  commissionRate: formatPercent,
  month: formatMonth,
  counts: (value: boolean) => (value ? 'Yes' : 'No'),
};

const formatValue = (field: AdjustedField, value: Change['before']): string =>
  value === null || value === '' ? NONE : (FORMATS[field]?.(value as never) ?? String(value));

/** Returns the changes of a row as sentences such as `Sale changed from $1,000.00 to $900.00`. */
export function changesInWords({ changes }: Pick<StatementAdjustment, 'changes'>): string[] {
  const month = changes.find(({ field }) => field === 'month');
  const values = (side: 'before' | 'after') =>
    changes
      .filter((change) => change.field !== 'month' && change[side] !== null)
      .map((change) => `${STATEMENT_LABELS[change.field]}: ${formatValue(change.field, change[side])}`);
  // A row has a month as long as it exists.
  if (month?.before === null) return ['Row added', ...values('after')];
  if (month?.after === null) return ['Row deleted', ...values('before')];
  return changes.map(({ field, before, after }) =>
    field === 'items'
      ? `${STATEMENT_LABELS.items} changed; before: ${formatValue(field, before)}`
      : `${STATEMENT_LABELS[field]} changed from ${formatValue(field, before)} to ${formatValue(field, after)}`,
  );
}

/** Returns the reason of an adjustment with person and time. */
export const reasonInWords = ({ reason, byName, at }: StatementAdjustment, timeZone: string): string =>
  `Reason: ${reason} (${byName}, ${formatInstant(at, timeZone)})`;

/** Returns the totals of a statement in their order, each with its label. */
export function totalsInWords({ totals, adjustments }: ClosedStatement): [label: string, amount: number][] {
  return [
    ['Total of lines', totals.lines],
    ...(adjustments.length > 0
      ? ([['Adjustments of earlier months', totals.adjustments]] as [string, number][])
      : []),
    ['Total including GST', totals.total],
    [`GST (${formatPercent(totals.gstRate)})`, totals.gst],
    ['Total without GST', totals.withoutGst],
  ];
}

export const waiverInWords = ({
  check,
  rows,
  reason,
  waivedByName,
}: ClosedStatement['waivers'][number]): string =>
  `${monthCheckLabels[check]}, ${rows} ${rows === 1 ? 'row' : 'rows'}: ${reason} (${waivedByName})`;

export const SUPERSEDED = 'Superseded: the month was reopened after this statement was issued.';

/** The columns of lines and adjustments that the viewer sees. An empty statement has none. */
export function visibleColumns({ lines, adjustments }: ClosedStatement): ReadonlySet<string> {
  return new Set([...Object.keys(lines[0] ?? {}), ...Object.keys(adjustments[0] ?? {})]);
}
