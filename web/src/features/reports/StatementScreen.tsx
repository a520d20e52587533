import type { Answer } from '@forecourt/contract/api';
import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import ChartColumn from 'lucide-react/icons/chart-column';
import Printer from 'lucide-react/icons/printer';
import ReceiptText from 'lucide-react/icons/receipt-text';
import type { ReactNode } from 'react';
import { formatMoney, formatMonth, formatPercent } from '../../platform/formats.ts';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { useSession } from '../../platform/session.ts';
import { texts as figureNames } from '../../texts/figures.ts';
import { texts } from '../../texts/reports.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { figuresIn, figureWords } from '../../ui/figures.ts';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { dealOptionsQuery, monthOfClock } from '../deals/deals.queries.ts';
import { OwnerSelect } from './ReportFilters.tsx';
import { reportsKey, statementQuery } from './reports.queries.ts';
import styles from './StatementScreen.module.css';

/** What one person earned in one month, to look at and to print. Both are in the address. */
export function StatementScreen(): ReactNode {
  const { user } = useSession();
  const { data: options } = useQuery(dealOptionsQuery);
  const search: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  const asked = {
    owner: search['owner'] ?? user?._id ?? '',
    month: search['month'] ?? options?.currentMonth ?? monthOfClock(),
  };
  const { data, error, refetch } = useQuery(statementQuery(asked));
  useLiveRefresh('deal', reportsKey);
  const show = (change: Partial<typeof asked>): void =>
    void navigate({ to: paths.statement, search: { ...asked, ...change }, replace: true });

  return (
    <Page>
      <PageHeader
        title={texts.statement}
        note={data ? texts.statementOf(data.ownerName, formatMonth(data.month)) : ' '}
        actions={
          <div className={styles.controls}>
            {options?.columns.includes('owner') && (
              <OwnerSelect
                from={asked.month}
                to={asked.month}
                value={asked.owner}
                required
                onChange={(owner) => owner !== null && show({ owner })}
              />
            )}
            <TextInput
              type="month"
              aria-label={texts.month}
              value={asked.month}
              required
              onChange={({ currentTarget: { value } }) => value !== '' && show({ month: value })}
            />
            <Button variant="default" leftSection={<ChartColumn />} component={Link} to={paths.reports}>
              {texts.backToReports}
            </Button>
            <Button leftSection={<Printer />} onClick={() => window.print()}>
              {texts.print}
            </Button>
          </div>
        }
      />
      {error ? (
        <LoadFailed error={error} message={texts.statementFailed} retry={() => void refetch()} />
      ) : (
        data && <Statement statement={data} />
      )}
    </Page>
  );
}

type Earning = Answer<'GET /reports/commission-statement'>['rows'][number];
type ColumnId = keyof typeof texts.columns;

const amounts = new Set<ColumnId>(['saleAmount', 'commissionRate', 'commission']);

function words(row: Earning, id: ColumnId): string {
  const value = row[id];
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return id === 'commissionRate' ? formatPercent(value) : formatMoney(value);
}

/** All rows at once, so that all of them are on paper. */
function Statement({ statement }: { statement: Answer<'GET /reports/commission-statement'> }): ReactNode {
  const { rows, total } = statement;
  const first = rows[0];
  if (!first)
    return (
      <EmptyState icon={<ReceiptText />} title={texts.statementEmpty}>
        {texts.statementEmptyNext}
      </EmptyState>
    );
  const columns = (Object.keys(texts.columns) as ColumnId[]).filter((id) => Object.hasOwn(first, id));
  return (
    <>
      <dl className={styles.totals}>
        {figuresIn(total).map((name) => (
          <div key={name}>
            <dt>{figureNames[name]}</dt>
            <dd>{figureWords(name, total)}</dd>
          </div>
        ))}
      </dl>
      {/* Wider than a phone: it can be scrolled with the keyboard, too. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.frame} role="region" aria-label={texts.statement} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              {columns.map((id) => (
                <th key={id} scope="col" data-amount={amounts.has(id) || undefined}>
                  {texts.columns[id]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row._id}>
                {columns.map((id) => (
                  <td key={id} data-amount={amounts.has(id) || undefined}>
                    {words(row, id)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={columns.length - 1}>
                {texts.total}
              </th>
              <td data-amount>{formatMoney(total.commission ?? 0)}</td>
            </tr>
          </tfoot>
        </table>
      </div>
      <p className={styles.note}>{texts.statementNote}</p>
    </>
  );
}
