import { adjustmentInWords, statementLabels, statementParts } from '@forecourt/contract/statement-words';
import type { ClosedStatement, StatementAdjustment, StatementLine } from '@forecourt/contract/statements';
import type { ReactNode } from 'react';
import {
  formatBusinessDate,
  formatDateTime,
  formatMoney,
  formatMonth,
  formatPercent,
} from '../../platform/formats.ts';
import { texts } from '../../texts/statements.ts';
import { ValueChanges } from '../../ui/ChangeEntry.tsx';
import printed from '../../ui/PrintedTable.module.css';
import styles from './StatementTables.module.css';

const COLUMNS = [
  'date',
  'customerName',
  'dealNumber',
  'dealershipName',
  'ownerName',
  'status',
  'items',
  'saleAmount',
  'commissionRate',
] as const;
type ColumnId = (typeof COLUMNS)[number];

/** Columns that would repeat the recipient or the amount. */
const OMITTED: Record<ClosedStatement['kind'], readonly ColumnId[]> = {
  commission: ['ownerName'],
  account: ['dealershipName', 'saleAmount', 'commissionRate'],
};

const AMOUNTS: ReadonlySet<ColumnId> = new Set(['saleAmount', 'commissionRate'] as const);

/** Columns whose long texts are wrapped. */
const WRAPPED: ReadonlySet<ColumnId> = new Set(['customerName', 'items', 'dealershipName'] as const);

function cellText(line: StatementLine, id: ColumnId): string {
  const value = line[id];
  if (value === undefined) return '';
  if (id === 'date') return formatBusinessDate(String(value));
  if (typeof value === 'string') return value;
  return id === 'commissionRate' ? formatPercent(value) : formatMoney(value);
}

/** Returns the columns of the lines in order; those that are hidden from the viewer are absent. */
const columnsOf = ({ kind, lines }: Pick<ClosedStatement, 'kind' | 'lines'>): ColumnId[] =>
  COLUMNS.filter((id) => !OMITTED[kind].includes(id) && lines.some((line) => Object.hasOwn(line, id)));

type FrameProps = { label: string; children: ReactNode };

/** A table with its heading, which scrolls in its frame: it is wider than a phone. */
const Frame = ({ label, children }: FrameProps): ReactNode => (
  <section>
    <h2 className="ui-title ui-mb-2">{label}</h2>
    {/* Focusable, so that it can be scrolled by keyboard. */}
    {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <div className={`ui-card ${printed.frame}`} role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  </section>
);

/** The rows of a statement with their sum. */
export function Lines({ kind, lines, totals }: ClosedStatement): ReactNode {
  if (lines.length === 0) return <p className="ui-muted">{texts.noLines}</p>;
  const columns = columnsOf({ kind, lines });
  return (
    <Frame label={texts.lines}>
      <table className={`ui-table ${printed.table} ${styles.table}`}>
        <thead>
          <tr>
            {columns.map((id) => (
              <th key={id} scope="col" data-amount={AMOUNTS.has(id) || undefined}>
                {statementLabels[id]}
              </th>
            ))}
            <th scope="col" data-amount>
              {statementLabels[kind === 'commission' ? 'commission' : 'saleAmount']}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.dealId}>
              {columns.map((id) => (
                <td
                  key={id}
                  data-amount={AMOUNTS.has(id) || undefined}
                  data-wraps={WRAPPED.has(id) || undefined}
                >
                  {cellText(line, id)}
                </td>
              ))}
              <td data-amount>{formatMoney(line.amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={columns.length}>
              {texts.total}
            </th>
            <td data-amount>{formatMoney(totals.lines)}</td>
          </tr>
        </tfoot>
      </table>
    </Frame>
  );
}

/** The changes of earlier months since their close, in words. */
export function Adjustments({
  adjustments,
  totals,
  zone,
}: Pick<ClosedStatement, 'adjustments' | 'totals'> & { zone: string }): ReactNode {
  if (adjustments.length === 0) return null;
  return (
    <Frame label={statementParts.adjustments}>
      <table className={`ui-table ${printed.table} ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">{texts.month}</th>
            <th scope="col">{texts.adjustedRow}</th>
            <th scope="col">{texts.change}</th>
            <th scope="col" data-amount>
              {texts.difference}
            </th>
          </tr>
        </thead>
        <tbody>
          {adjustments.map((one) => (
            <tr key={`${one.dealId} ${one.at} ${one.amount}`}>
              <td>{formatMonth(one.month)}</td>
              <td data-wraps>
                {one.customerName ?? texts.hiddenRow}
                {one.dealNumber && <span className="ui-sub">{one.dealNumber}</span>}
              </td>
              <td data-wraps>
                <Change of={one} zone={zone} />
              </td>
              <td data-amount>{formatMoney(one.amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              {texts.total}
            </th>
            <td data-amount>{formatMoney(totals.adjustments)}</td>
          </tr>
        </tfoot>
      </table>
    </Frame>
  );
}

function Change({ of: one, zone }: { of: StatementAdjustment; zone: string }): ReactNode {
  const { title, values, changes } = adjustmentInWords(one, { formatMoney, formatPercent, formatMonth });
  return (
    <>
      {title !== null && <p>{title}</p>}
      {values.length > 0 && <p className="ui-sub">{values.join(' · ')}</p>}
      {changes.length > 0 && <ValueChanges changes={changes} />}
      <p className="ui-sub">
        {texts.changedBy(one.byName, formatDateTime(one.at, zone))}: {one.reason}
      </p>
    </>
  );
}
