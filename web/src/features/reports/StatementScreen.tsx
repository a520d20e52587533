import type { ResponseBody } from '@forecourt/contract/api';
import type { Statement } from '@forecourt/contract/reports';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import CalendarCheck from 'lucide-react/icons/calendar-check';
import ChartColumn from 'lucide-react/icons/chart-column';
import Download from 'lucide-react/icons/download';
import Printer from 'lucide-react/icons/printer';
import ReceiptText from 'lucide-react/icons/receipt-text';
import { Suspense, useState, type ReactNode } from 'react';
import { useDealOptions } from '../../platform/deal-options.ts';
import { formatDateTime, formatMoney, formatMonth, formatPercent } from '../../platform/formats.ts';
import { useLiveQuery, useLiveRefresh } from '../../platform/live-events.ts';
import { monthOfClock } from '../../platform/months.ts';
import { paths } from '../../platform/paths.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { linkTo } from '../../platform/rows-link.ts';
import { useSession } from '../../platform/session.ts';
import { zoneForClock } from '../../platform/time-zone.ts';
import { viewing } from '../../platform/view-as.ts';
import { texts } from '../../texts/reports.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { countingNote, figureLabel, figuresIn, figureText } from '../../ui/figures.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { MonthFilter } from '../../ui/MonthFilter.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { statementsKey } from '../months/months.queries.ts';
import { statedOn, statementsOfQuery } from '../months/statements.queries.ts';
import { CountingNotice } from '../statuses/counting-notice.lazy.ts';
import { OwnerSelect } from './ReportFilters.tsx';
import { ReportReaders } from './ReportReaders.tsx';
import {
  allStatementsQuery,
  reportedOn,
  reportQuery,
  reportsKey,
  statementQuery,
} from './reports.queries.ts';
import { saveCsv } from './save-csv.ts';
import { isMonth } from './use-report.ts';
import printed from '../../ui/PrintedTable.module.css';
import styles from './StatementScreen.module.css';

/** The statement of a user in a month, or of all users: on screen, for print and as a file. */
export default function StatementScreen(): ReactNode {
  return (
    <ReportReaders title={texts.statement}>
      <ChosenStatement />
    </ReportReaders>
  );
}

/** Replaces an owner's id in the URL. */
const ALL = 'all';

/** Returns the owner of an administrator's first statement: the first user with commission. Never changes. */
function useStart(month: string): string {
  const { user } = useSession();
  const { isAdmin } = usePermissions();
  const own = user?.userId ?? '';
  const people = useQuery({ ...reportQuery({ by: 'owner', from: month, to: month }), enabled: isAdmin });
  const [start, setStart] = useState('');
  const isReady = isAdmin ? !people.isPending && !people.isPlaceholderData : own !== '';
  if (start === '' && isReady)
    setStart((isAdmin && people.data?.rows.find(({ commission }) => commission)?.key) || own);
  return start;
}

function ChosenStatement(): ReactNode {
  const { isAdmin } = usePermissions();
  const { data: options } = useDealOptions();
  const search: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  const month = isMonth(search['month']) ? search['month'] : (options?.currentMonth ?? monthOfClock());
  const start = useStart(month);
  const owner = search['owner'] ?? start;
  const isAll = owner === ALL;
  const one = useQuery({ ...statementQuery({ owner, month }), enabled: !isAll && owner !== '' });
  const all = useQuery({ ...allStatementsQuery(month), enabled: isAll });
  const query = isAll ? all : one;
  const head = query.data;
  const statements = isAll ? all.data?.statements : one.data && [one.data];
  const people = isAll ? texts.allPeople : (one.data?.ownerName ?? '');
  useLiveRefresh(reportedOn, reportsKey);
  const show = (change: { owner?: string; month?: string }): void =>
    void navigate({ to: paths.statement, search: { owner, month, ...change }, replace: true });

  return (
    <Page>
      <div className={isAll ? printed.screenOnly : undefined}>
        <PageHeader
          title={texts.statement}
          note={head ? texts.statementOf(people, formatMonth(head.month)) : ' '}
          actions={
            <div className={`ui-row ${printed.screenOnly}`}>
              {options?.columns.includes('owner') && (
                <OwnerSelect
                  from={month}
                  to={month}
                  value={owner}
                  chosenName={people}
                  all={ALL}
                  onChange={(chosen) => chosen !== null && show({ owner: chosen })}
                />
              )}
              <MonthFilter label={texts.month} value={month} onChange={(chosen) => show({ month: chosen })} />
              <Button variant="default" leftSection={<ChartColumn />} component={Link} to={paths.reports}>
                {texts.backToReports}
              </Button>
              <Button
                variant="default"
                leftSection={<CalendarCheck />}
                component={Link}
                to={paths.statements}
              >
                {texts.closedMonths}
              </Button>
              <ActionButton
                variant="default"
                leftSection={<Download />}
                ability={
                  viewing === null
                    ? Boolean(statements?.some(({ rows }) => rows.length)) || texts.statementEmpty
                    : texts.notWhileViewing
                }
                onClick={() => saveCsv(texts.statementFile(people, month), linesOf(statements ?? []))}
              >
                {texts.download}
              </ActionButton>
              <Button leftSection={<Printer />} onClick={() => window.print()}>
                {texts.print}
              </Button>
            </div>
          }
        />
      </div>
      <div className={`${printed.screenOnly} ${styles.notice}`}>
        {isAdmin && (
          <Suspense>
            <CountingNotice />
          </Suspense>
        )}
      </div>
      <div className={`${printed.screenOnly} ${styles.notice}`}>
        <ClosedStatementNotice owner={isAll ? null : owner} month={month} />
      </div>
      <Loaded of={query} message={texts.statementFailed}>
        {options && statements?.length === 0 && <NothingEarned statuses={options.statuses} />}
        {head &&
          options &&
          statements?.map((statement) => (
            <section key={statement.owner} className={styles.statement}>
              {isAll && (
                <h2 className="ui-mb-3">{texts.statementOf(statement.ownerName, formatMonth(head.month))}</h2>
              )}
              <StatementOf statement={statement} head={head} options={options} />
            </section>
          ))}
      </Loaded>
    </Page>
  );
}

type Earning = Statement['rows'][number];
type ColumnId = keyof typeof texts.columns;

const amounts = new Set<ColumnId>(['saleAmount', 'commissionRate', 'commission']);

function cellText(row: Earning, id: ColumnId): string {
  const value = row[id];
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return id === 'commissionRate' ? formatPercent(value) : formatMoney(value);
}

const columnsOf = (rows: readonly Earning[]): ColumnId[] =>
  (Object.keys(texts.columns) as ColumnId[]).filter((id) => rows.some((row) => Object.hasOwn(row, id)));

/** Returns the lines of a CSV file: the rows of each user, and their total. */
function linesOf(statements: readonly Statement[]): (string | number)[][] {
  const columns = columnsOf(statements.flatMap(({ rows }) => rows));
  const totals = ({ saleAmount, commission }: Statement['total']) =>
    columns.map((id, index) =>
      index === 0
        ? texts.total
        : (id === 'saleAmount' ? saleAmount : id === 'commission' && commission) || '',
    );
  return [
    [texts.owner, ...columns.map((id) => texts.columns[id])],
    ...statements.flatMap(({ ownerName, rows, total }) => [
      ...rows.map((row) => [ownerName, ...columns.map((id) => row[id] ?? '')]),
      [ownerName, ...totals(total)],
    ]),
  ];
}

type Options = ResponseBody<'GET /deals/options'>;

function NothingEarned({
  statuses,
  total,
}: Pick<Options, 'statuses'> & Partial<Pick<Statement, 'total'>>): ReactNode {
  return (
    <EmptyState icon={<ReceiptText />} title={texts.statementEmpty}>
      {texts.statementEmptyNext} {countingNote(statuses, total)}
    </EmptyState>
  );
}

type StatementProps = {
  statement: Statement;
  head: { companyName: string; asOf: string };
  options: Options;
};

/** Renders all rows at once, so that all of them are printed. */
function StatementOf({ statement, head, options }: StatementProps): ReactNode {
  const { companyName, asOf } = head;
  const { ownerName, rows, total } = statement;
  const { statuses } = options;
  if (rows.length === 0) return <NothingEarned statuses={statuses} total={total} />;
  const columns = columnsOf(rows);
  return (
    <>
      <p className={printed.printOnly}>
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
      {/* Focusable, so that it can be scrolled by keyboard: it is wider than a phone. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={`ui-card ${printed.frame}`} role="region" aria-label={ownerName} tabIndex={0}>
        <table className={`ui-table ${printed.table}`}>
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
      <div className={printed.signatures}>
        <p>{texts.signature(ownerName)}</p>
        <p>{texts.signature(companyName)}</p>
      </div>
    </>
  );
}

type ClosedStatementNoticeProps = {
  /** Null for all people. */
  owner: string | null;
  month: string;
};

/** Shows for a closed month that its frozen statements exist, among those that the user may read. */
function ClosedStatementNotice({ owner, month }: ClosedStatementNoticeProps): ReactNode {
  const { data } = useLiveQuery(statementsOfQuery(month), statedOn, statementsKey);
  const statements = (data?.items ?? []).filter(
    ({ kind, isSuperseded, recipientId }) =>
      kind === 'commission' && !isSuperseded && (owner === null || recipientId === owner),
  );
  const [first] = statements;
  if (first === undefined) return null;
  const isOne = statements.length === 1;
  const link = isOne ? linkTo(paths.closedStatement(first._id), {}) : linkTo(paths.monthClose, { month });
  return (
    <Notice
      action={
        <Button variant="default" renderRoot={(props) => <Link {...props} {...link} />}>
          {isOne ? texts.openFrozen : texts.openFrozenAll}
        </Button>
      }
    >
      {isOne ? texts.frozen(first.recipientName, month, first.number) : texts.frozenAll(month)}
    </Notice>
  );
}
