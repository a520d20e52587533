import { monthCheckLabels } from '@forecourt/contract/month-checks';
import { adjustmentInWords, totalsInWords } from '@forecourt/contract/statement-words';
import type { ClosedStatement, StatementAdjustment } from '@forecourt/contract/statements';
import { formatInstant, formatMoney, formatMonth, formatPercent } from '../../platform/formats.ts';

const formats = { formatMoney, formatPercent, formatMonth };

/** Returns the changes of a row as sentences such as `Sale changed from $1,000.00 to $900.00`. */
export function changesInWords(adjustment: StatementAdjustment): string[] {
  const { title, values, changes } = adjustmentInWords(adjustment, formats);
  if (title !== null) return [title, ...values];
  return changes.map(({ name, before, after }) => `${name} changed from ${before} to ${after}`);
}

/** Returns the reason of an adjustment with person and time. */
export const reasonInWords = ({ reason, byName, at }: StatementAdjustment, timeZone: string): string =>
  `Reason: ${reason} (${byName}, ${formatInstant(at, timeZone)})`;

export const totalsOf = (statement: ClosedStatement) => totalsInWords(statement, formats);

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
