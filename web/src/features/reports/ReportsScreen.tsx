import { reportDimensions, type ReportDimension } from '@forecourt/contract/report-dimensions';
import type { ReportRow } from '@forecourt/contract/reports';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import ChartColumn from 'lucide-react/icons/chart-column';
import Download from 'lucide-react/icons/download';
import ReceiptText from 'lucide-react/icons/receipt-text';
import { useMemo, type ReactNode } from 'react';
import { formatMonth } from '../../platform/formats.ts';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { texts as figureNames } from '../../texts/figures.ts';
import { texts } from '../../texts/reports.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { figuresIn, figureWords } from '../../ui/figures.ts';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { dealOptionsQuery, monthOfClock } from '../deals/deals.queries.ts';
import { csvOf } from './report-csv.ts';
import { ReportChart } from './ReportChart.tsx';
import { ReportFilters } from './ReportFilters.tsx';
import { nameOf, reportColumns } from './reports.columns.tsx';
import { reportQuery, reportsKey } from './reports.queries.ts';
import { saveFile } from './save-file.ts';
import { useReport } from './use-report.ts';
import styles from './ReportsScreen.module.css';

/** The column that must exist for whoever asks by a dimension. */
const columnOf = { dealership: 'dealershipId', owner: 'owner', item: 'items', status: 'status' } as const;

/** What rows come to over months, as table and chart (product section 8). */
export function ReportsScreen(): ReactNode {
  const { data: options } = useQuery(dealOptionsQuery);
  const { report, show } = useReport(options?.currentMonth ?? monthOfClock());
  const { data, error, refetch, isPlaceholderData } = useQuery(reportQuery(report));
  useLiveRefresh('deal', reportsKey);
  const columns = useMemo(() => (data ? reportColumns(report, data.total) : []), [report, data]);
  const dimensions = reportDimensions.filter(
    (by) => by === 'month' || !options || options.columns.includes(columnOf[by]),
  );

  const download = (): void => {
    if (!data) return;
    const { by, from, to } = report;
    saveFile(texts.fileName(by, from, to), csvOf(linesOf(by, data.rows, data.total)));
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
            <Button leftSection={<Download />} disabled={!data?.rows.length} onClick={download}>
              {texts.download}
            </Button>
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
      <ReportFilters report={report} show={show} />
      {error ? (
        <LoadFailed error={error} message={texts.loadFailed} retry={() => void refetch()} />
      ) : (
        <div className={isPlaceholderData ? styles.stale : undefined}>
          {data && data.rows.length > 0 && <ReportChart report={report} rows={data.rows} />}
          {data && data.rows.length > 0 && (
            <dl className={styles.totals} aria-label={texts.totals}>
              {figuresIn(data.total).map((name) => (
                <div key={name}>
                  <dt>{figureNames[name]}</dt>
                  <dd>{figureWords(name, data.total)}</dd>
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
          {report.by === 'item' && <p className={styles.note}>{texts.itemNote}</p>}
        </div>
      )}
    </Page>
  );
}

/** The report as lines of a file: its head, its rows, and what they come to. */
function linesOf(
  by: ReportDimension,
  rows: readonly ReportRow[],
  total: Partial<ReportRow>,
): (string | number)[][] {
  const names = figuresIn(total);
  const amounts = (row: Partial<ReportRow>) => names.map((name) => row[name] ?? '');
  const sold = ({ quantity, itemAmount }: Partial<ReportRow>) =>
    by === 'item' ? [quantity ?? '', itemAmount ?? ''] : [];
  return [
    [
      texts.dimensions[by],
      ...names.map((name) => figureNames[name]),
      ...(by === 'item' ? [texts.quantity, texts.itemAmount] : []),
    ],
    ...rows.map((row) => [nameOf(by, row), ...amounts(row), ...sold(row)]),
    [texts.total, ...amounts(total), ...sold({})],
  ];
}
