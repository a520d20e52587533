import type { ResponseBody } from '@forecourt/contract/api';
import type { MonthFigures } from '@forecourt/contract/dashboard';
import type { DealStatus } from '@forecourt/contract/deals';
import { Button, useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import Table2 from 'lucide-react/icons/table-2';
import type { ReactNode } from 'react';
import { useDealOptions } from '../../platform/deal-options.ts';
import { formatMonthName, formatCount, formatMonth, formatShortMonth } from '../../platform/formats.ts';
import { paths } from '../../platform/paths.ts';
import { rowsLink, rowsOfLink } from '../../platform/rows-link.ts';
import { texts } from '../../texts/dashboard.ts';
import { counting, texts as figureNames } from '../../texts/figures.ts';
import { Card } from '../../ui/Card.tsx';
import { ColumnChart } from '../../ui/ColumnChart.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { figureLabel, figuresIn, figureText } from '../../ui/figures.ts';
import { Loaded, LoadingCard } from '../../ui/Loaded.tsx';
import { statusColors } from '../../ui/status-colors.ts';
import { useFigureChoice } from '../../ui/use-figure-choice.tsx';
import { figuresQuery } from './dashboard.queries.ts';
import styles from './DashboardScreen.module.css';

/** The figures of this month. Figures of hidden columns are absent. */
export function Month(): ReactNode {
  const query = useQuery(figuresQuery);
  const { data } = query;
  const { data: options } = useDealOptions();
  return (
    <div className={query.isLoading ? styles.loading : undefined}>
      <Loaded of={query} loading={<LoadingCard />} />
      {data && <Figures thisMonth={data.thisMonth} lastMonth={data.lastMonth} statuses={options?.statuses} />}
    </div>
  );
}

export function Charts(): ReactNode {
  const { data, isLoading } = useQuery(figuresQuery);
  const { data: options } = useDealOptions();
  if (!data) return isLoading && <div className={styles.loadingCharts} />;
  const { thisMonth, lastMonth, trend } = data;
  return (
    <>
      <Card title={texts.byStatus}>
        {thisMonth.deals === 0 ? (
          <EmptyState
            icon={<Table2 />}
            title={texts.noDealsTitle}
            action={
              <Button variant="default" component={Link} to={paths.dataEntry}>
                {texts.openDataEntry}
              </Button>
            }
          >
            {texts.noDeals}
          </EmptyState>
        ) : (
          options && <StatusBar statuses={options.statuses} thisMonth={thisMonth} lastMonth={lastMonth} />
        )}
      </Card>
      {trend.length > 1 && trend.some(({ deals }) => deals > 0) && <Trend months={trend} />}
    </>
  );
}

type FiguresProps = {
  thisMonth: MonthFigures;
  lastMonth: MonthFigures | null;
  statuses: readonly DealStatus[] | undefined;
};

/** This month's figures with last month's below them. Each is a link to its rows. */
function Figures({ thisMonth, lastMonth, statuses }: FiguresProps): ReactNode {
  return (
    <dl className={styles.figures}>
      {figuresIn(thisMonth).map((name) => (
        <div key={name} className={styles.figure}>
          <dt>{figureLabel(name, statuses)}</dt>
          <dd>
            <Link className={styles.value} {...rowsLink({ month: thisMonth.month })}>
              {figureText(name, thisMonth)}
            </Link>
            {name === 'commission' && thisMonth.commission !== null && !!thisMonth.withoutRate && (
              <span className={`ui-quiet ${styles.missing}`}>{counting.missing(thisMonth.withoutRate)}</span>
            )}
            {lastMonth && (
              <Link className={`ui-quiet ${styles.before}`} {...rowsLink({ month: lastMonth.month })}>
                {texts.inMonth(formatMonthName(lastMonth.month), figureText(name, lastMonth))}
              </Link>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

type StatusBarProps = {
  statuses: readonly DealStatus[];
  thisMonth: MonthFigures;
  lastMonth: MonthFigures | null;
};

const countsOf = (month: MonthFigures | null) =>
  new Map(month?.byStatus.map(({ status, count }) => [status, count]));

/** A month's rows as one bar in the colours of their statuses, with figures below. Each is a link to its rows. */
function StatusBar({ statuses, thisMonth, lastMonth }: StatusBarProps): ReactNode {
  const scheme = useComputedColorScheme('light');
  const now = countsOf(thisMonth);
  const before = countsOf(lastMonth);
  const parts = statuses
    .filter(({ active, name }) => active || now.has(name))
    .map(({ _id, name, color }) => ({
      id: _id,
      name,
      count: now.get(name) ?? 0,
      before: before.get(name) ?? 0,
      color: statusColors(color, scheme).dot,
    }));

  return (
    <>
      <div className={styles.bar} aria-hidden="true">
        {parts
          .filter(({ count }) => count > 0)
          .map(({ id, count, color }) => (
            <span key={id} data-keeps-color style={{ flexGrow: count, background: color }} />
          ))}
      </div>
      <dl className={styles.legend}>
        {parts.map(({ id, name, count, before: last, color }) => (
          <div key={id} className={styles.part}>
            <dt>
              <span className={styles.dot} data-keeps-color style={{ background: color }} />
              {name}
            </dt>
            <dd>
              <Link className={styles.count} {...rowsOfLink(thisMonth.month, 'status', id)}>
                {formatCount(count)}
              </Link>
              {lastMonth && (
                <Link className={styles.statusBarBefore} {...rowsOfLink(lastMonth.month, 'status', id)}>
                  {texts.inMonth(formatMonthName(lastMonth.month), formatCount(last))}
                </Link>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** One figure over the last months. Each column is a link to the rows of its month. */
function Trend({ months }: { months: ResponseBody<'GET /dashboard'>['trend'] }): ReactNode {
  const { figure, choice } = useFigureChoice(texts.trendOf, months[0]);

  return (
    <Card title={texts.trend} aside={choice}>
      <ColumnChart
        label={figureNames[figure]}
        columns={months.map((figures) => ({
          key: figures.month,
          label: formatShortMonth(figures.month),
          value: figures[figure] ?? 0,
          description: texts.ofMonth(formatMonth(figures.month), figureText(figure, figures)),
          to: rowsLink({ month: figures.month }),
        }))}
      />
    </Card>
  );
}
