import type { ResponseBody } from '@forecourt/contract/api';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import ChartColumn from 'lucide-react/icons/chart-column';
import Printer from 'lucide-react/icons/printer';
import ReceiptText from 'lucide-react/icons/receipt-text';
import { Suspense, type ReactNode } from 'react';
import { formatDateTime, formatMoney, formatMonth, formatPercent } from '../../platform/formats.ts';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { useSession } from '../../platform/session.ts';
import { zoneForClock } from '../../platform/time-zone.ts';
import { texts } from '../../texts/reports.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { countingNote, figureLabel, figuresIn, figureText } from '../../ui/figures.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { monthOfClock, useDealOptions } from '../deals/deals.queries.ts';
import { CountingNotice } from '../statuses/counting-notice.queries.ts';
import { MonthFilter, OwnerSelect } from './ReportFilters.tsx';
import { ReportReaders } from './ReportReaders.tsx';
import { reportedOn, reportsKey, statementQuery } from './reports.queries.ts';
import { isMonth } from './use-report.ts';
import styles from './StatementScreen.module.css';

/** The commission of one user in one month, on screen and for print. User and month are in the address. */
export default function StatementScreen(): ReactNode {
  return (
    <ReportReaders title={texts.statement}>
      <ChosenStatement />
    </ReportReaders>
  );
}

function ChosenStatement(): ReactNode {
  const { user } = useSession();
  const { isAdmin } = usePermissions();
  const { data: options } = useDealOptions();
  const search: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  const params = {
    owner: search['owner'] ?? user?._id ?? '',
    month: isMonth(search['month']) ? search['month'] : (options?.currentMonth ?? monthOfClock()),
  };
  const query = useQuery(statementQuery(params));
  const { data } = query;
  useLiveRefresh(reportedOn, reportsKey);
  const show = (change: Partial<typeof params>): void =>
    void navigate({ to: paths.statement, search: { ...params, ...change }, replace: true });

  return (
    <Page>
      <PageHeader
        title={texts.statement}
        note={data ? texts.statementOf(data.ownerName, formatMonth(data.month)) : ' '}
        actions={
          <div className={`ui-row ${styles.controls}`}>
            {options?.columns.includes('owner') && (
              <OwnerSelect
                from={params.month}
                to={params.month}
                value={params.owner}
                chosenName={data?.ownerName ?? ''}
                onChange={(owner) => owner !== null && show({ owner })}
              />
            )}
            <MonthFilter label={texts.month} value={params.month} onChange={(month) => show({ month })} />
            <Button variant="default" leftSection={<ChartColumn />} component={Link} to={paths.reports}>
              {texts.backToReports}
            </Button>
            <Button leftSection={<Printer />} onClick={() => window.print()}>
              {texts.print}
            </Button>
          </div>
        }
      />
      <div className={styles.notice}>
        {isAdmin && (
          <Suspense>
            <CountingNotice />
          </Suspense>
        )}
      </div>
      <Loaded of={query} message={texts.statementFailed}>
        {data && options && <Statement statement={data} options={options} />}
      </Loaded>
    </Page>
  );
}

type Earning = ResponseBody<'GET /reports/commission-statement'>['rows'][number];
type ColumnId = keyof typeof texts.columns;

const amounts = new Set<ColumnId>(['saleAmount', 'commissionRate', 'commission']);

function cellText(row: Earning, id: ColumnId): string {
  const value = row[id];
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return id === 'commissionRate' ? formatPercent(value) : formatMoney(value);
}

type StatementProps = {
  statement: ResponseBody<'GET /reports/commission-statement'>;
  options: ResponseBody<'GET /deals/options'>;
};

/** Renders all rows at once, so that all of them are printed. */
function Statement({ statement, options }: StatementProps): ReactNode {
  const { companyName, asOf, ownerName, rows, total } = statement;
  const { statuses } = options;
  const first = rows[0];
  if (!first)
    return (
      <EmptyState icon={<ReceiptText />} title={texts.statementEmpty}>
        {texts.statementEmptyNext} {countingNote(statuses, total)}
      </EmptyState>
    );
  const columns = (Object.keys(texts.columns) as ColumnId[]).filter((id) => Object.hasOwn(first, id));
  return (
    <>
      <p className={styles.printed}>
        {texts.printed(companyName, formatDateTime(asOf, zoneForClock(options.timeZone)))}
      </p>
      <dl className="ui-totals ui-mb-4">
        {figuresIn(total).map((name) => (
          <div key={name}>
            <dt>{figureLabel(name, statuses)}</dt>
            <dd>{figureText(name, total)}</dd>
          </div>
        ))}
      </dl>
      {/* Wider than a phone: focusable, so that it can be scrolled by keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={`ui-card ${styles.frame}`} role="region" aria-label={texts.statement} tabIndex={0}>
        <table className={`ui-table ${styles.table}`}>
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
                    {cellText(row, id)}
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
              <td data-amount>{figureText('commission', total)}</td>
            </tr>
          </tfoot>
        </table>
      </div>
      <p className="ui-quiet ui-mt-3">
        {countingNote(statuses, total)} {texts.statementNote}
      </p>
      <div className={styles.signatures}>
        <p>{texts.signature(ownerName)}</p>
        <p>{texts.signature(companyName)}</p>
      </div>
    </>
  );
}
