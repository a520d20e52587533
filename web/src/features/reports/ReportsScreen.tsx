import type { DealStatus } from '@forecourt/contract/deals';
import {
  columnOfDimension,
  reportDimensions,
  type ReportDimension,
} from '@forecourt/contract/report-dimensions';
import type { ReportRow } from '@forecourt/contract/reports';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import ChartColumn from 'lucide-react/icons/chart-column';
import Download from 'lucide-react/icons/download';
import ReceiptText from 'lucide-react/icons/receipt-text';
import type { ReactNode } from 'react';
import { useDealOptions } from '../../platform/deal-options.ts';
import { formatMonth, formatShortMonth } from '../../platform/formats.ts';
import { useLiveQuery } from '../../platform/live-events.ts';
import { monthOfClock } from '../../platform/months.ts';
import { paths } from '../../platform/paths.ts';
import { viewing } from '../../platform/view-as.ts';
import { texts as figureNames } from '../../texts/figures.ts';
import { texts } from '../../texts/reports.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Card } from '../../ui/Card.tsx';
import { ColumnChart } from '../../ui/ColumnChart.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { countingNote, figureLabel, figuresIn, figureText, type FigureName } from '../../ui/figures.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { useFigureChoice } from '../../ui/use-figure-choice.tsx';
import { useFilterOf } from '../deals/deal-filter.shared.ts';
import { ReportFilters } from './ReportFilters.tsx';
import { ReportReaders } from './ReportReaders.tsx';
import { nameOf, reportColumns, linkOf } from './reports.columns.tsx';
import { reportedOn, reportQuery, reportsKey, type Report } from './reports.queries.ts';
import { saveCsv } from './save-csv.ts';
import { useReport } from './use-report.ts';
import styles from './ReportsScreen.module.css';

export default function ReportsScreen(): ReactNode {
  return (
    <ReportReaders title={texts.title}>
      <Reports />
    </ReportReaders>
  );
}

function Reports(): ReactNode {
  const { data: options } = useDealOptions();
  const { report: requested, show } = useReport(options?.currentMonth ?? monthOfClock());
  const filter = useFilterOf(requested.filter, (text) => show({ filter: text }));
  const report: Report = { ...requested, filter: filter.text };
  const query = useLiveQuery({ ...reportQuery(report), enabled: filter.isReady }, reportedOn, reportsKey);
  const { data, isPlaceholderData } = query;
  const columns = data ? reportColumns(report, data.total, options?.statuses) : [];
  const dimensions = reportDimensions.filter(
    (by) => by === 'month' || !options || options.columns.includes(columnOfDimension[by]),
  );

  const download = (): void => {
    if (!data) return;
    const { by, from, to } = report;
    saveCsv(texts.fileName(by, from, to), linesOf(by, data.rows, data.total, options?.statuses));
  };

  return (
    <Page>
      <PageHeader
        title={texts.title}
        note={
          report.from === report.to
            ? formatMonth(report.from)
            : `${formatMonth(report.from)} – ${formatMonth(report.to)}`
        }
        actions={
          <>
            <Button variant="default" leftSection={<ReceiptText />} component={Link} to={paths.statement}>
              {texts.statement}
            </Button>
            <ActionButton
              leftSection={<Download />}
              ability={
                viewing !== null
                  ? texts.notWhileViewing
                  : isPlaceholderData
                    ? texts.loading
                    : Boolean(data?.rows.length) || texts.empty
              }
              onClick={download}
            >
              {texts.download}
            </ActionButton>
          </>
        }
      />
      <div className={styles.by}>
        <Segments
          aria-label={texts.by}
          value={report.by}
          onChange={(by) => show({ by })}
          data={dimensions.map((value) => ({ value, label: texts.dimensions[value] }))}
        />
      </div>
      <ReportFilters report={report} show={show} filter={filter} />
      <Loaded of={query} message={texts.loadFailed}>
        <div data-stale={isPlaceholderData || undefined}>
          {data && data.rows.length > 0 && (
            <ReportChart report={report} rows={data.rows} statuses={options?.statuses} />
          )}
          {data && data.rows.length > 0 && (
            <dl className="ui-totals ui-mt-4 ui-mb-3" aria-label={texts.totals}>
              {figuresIn(data.total).map((name) => (
                <div key={name}>
                  <dt>{figureLabel(name, options?.statuses)}</dt>
                  <dd>{figureText(name, data.total)}</dd>
                </div>
              ))}
            </dl>
          )}
          <DataTable
            label={texts.table}
            columns={columns}
            rows={data?.rows}
            rowKey={({ key }) => key ?? ''}
            rowLabel={(row) => nameOf(report.by, row)}
            empty={
              <EmptyState icon={<ChartColumn />} title={texts.empty}>
                {texts.emptyNext}
              </EmptyState>
            }
          />
          {report.by === 'item' && <p className="ui-quiet ui-mt-2">{texts.itemNote}</p>}
          {options && data?.total.commission !== undefined && (
            <p className="ui-quiet ui-mt-2">{countingNote(options.statuses, data.total)}</p>
          )}
        </div>
      </Loaded>
    </Page>
  );
}

/** Returns the lines of a CSV file: header, rows and total. */
function linesOf(
  by: ReportDimension,
  rows: readonly ReportRow[],
  total: Partial<ReportRow>,
  statuses: readonly DealStatus[] | undefined,
): (string | number)[][] {
  const names = figuresIn(total);
  const amounts = (row: Partial<ReportRow>) => names.map((name) => row[name] ?? '');
  const sold = ({ quantity, itemAmount }: Partial<ReportRow>) =>
    by === 'item' ? [quantity ?? '', itemAmount ?? ''] : [];
  return [
    [
      texts.dimensions[by],
      ...names.map((name) => figureLabel(name, statuses)),
      ...(by === 'item' ? [texts.quantity, texts.itemAmount] : []),
    ],
    ...rows.map((row) => [nameOf(by, row), ...amounts(row), ...sold(row)]),
    [texts.total, ...amounts(total), ...sold({})],
  ];
}

/** Maximum number of bars; the table has all rows. */
const MAX_BARS = 12;

type ReportChartProps = {
  report: Report;
  rows: readonly ReportRow[];
  statuses: readonly DealStatus[] | undefined;
};

/** A figure of a report: months as columns in order, other dimensions as bars, longest first. */
function ReportChart({ report, rows, statuses }: ReportChartProps): ReactNode {
  const { figure, choice } = useFigureChoice(texts.chart, rows[0]);
  const describe = (row: ReportRow): string => `${nameOf(report.by, row)}: ${figureText(figure, row)}`;

  return (
    <Card title={figureNames[figure]} aside={choice}>
      {report.by === 'month' ? (
        <ColumnChart
          label={figureNames[figure]}
          columns={rows.map((row) => ({
            key: row.name,
            label: formatShortMonth(row.name),
            value: row[figure] ?? 0,
            description: describe(row),
            to: linkOf(report, row, statuses),
          }))}
        />
      ) : (
        <Bars rows={rows} figure={figure} by={report.by} />
      )}
    </Card>
  );
}

type BarsProps = { rows: readonly ReportRow[]; figure: FigureName; by: ReportDimension };

function Bars({ rows, figure, by }: BarsProps): ReactNode {
  const longest = rows.toSorted((a, b) => (b[figure] ?? 0) - (a[figure] ?? 0)).slice(0, MAX_BARS);
  const most = Math.max(longest[0]?.[figure] ?? 0, 0) || 1;
  return (
    <ul className="ui-stack ui-gap-2" aria-label={figureNames[figure]}>
      {longest.map((row) => (
        <li key={row.key ?? ''} className={styles.row}>
          <span className="ui-ellipsis">{nameOf(by, row)}</span>
          <span className={styles.track} aria-hidden="true">
            <span
              className={styles.bar}
              style={{ width: `${(Math.max(0, row[figure] ?? 0) / most) * 100}%` }}
            />
          </span>
          <span className={styles.value}>{figureText(figure, row)}</span>
        </li>
      ))}
    </ul>
  );
}
