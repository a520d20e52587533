import type { ReportDimension } from '@forecourt/contract/report-dimensions';
import type { ReportRow } from '@forecourt/contract/reports';
import { useState, type ReactNode } from 'react';
import { formatShortMonth } from '../../platform/formats.ts';
import { texts as figureNames } from '../../texts/figures.ts';
import { texts } from '../../texts/reports.ts';
import { Card } from '../../ui/Card.tsx';
import { ColumnChart } from '../../ui/ColumnChart.tsx';
import { figuresIn, figureText, type FigureName } from '../../ui/figures.ts';
import { Segments } from '../../ui/Segments.tsx';
import { linkOf, nameOf } from './reports.columns.tsx';
import type { Report } from './reports.queries.ts';
import styles from './ReportChart.module.css';

/** Maximum number of bars; the table has all rows. */
const MAX_BARS = 12;

type ReportChartProps = { report: Report; rows: readonly ReportRow[] };

/** One figure of a report: months as columns in order, other dimensions as bars, the longest first. */
export function ReportChart({ report, rows }: ReportChartProps): ReactNode {
  const names = figuresIn(rows[0] ?? {});
  const [chosen, setChosen] = useState<FigureName>('saleAmount');
  const shown = names.includes(chosen) ? chosen : 'deals';
  const describe = (row: ReportRow): string => `${nameOf(report.by, row)}: ${figureText(shown, row)}`;

  return (
    <Card
      title={figureNames[shown]}
      aside={
        names.length > 1 && (
          <Segments
            size="xs"
            miw="max-content"
            aria-label={texts.chart}
            value={shown}
            onChange={setChosen}
            data={names.map((name) => ({ value: name, label: figureNames[name] }))}
          />
        )
      }
    >
      {report.by === 'month' ? (
        <ColumnChart
          label={figureNames[shown]}
          columns={rows.map((row) => ({
            key: row.name,
            label: formatShortMonth(row.name),
            value: row[shown] ?? 0,
            description: describe(row),
            to: linkOf(report, row)!,
          }))}
        />
      ) : (
        <Bars rows={rows} shown={shown} by={report.by} />
      )}
    </Card>
  );
}

type BarsProps = { rows: readonly ReportRow[]; shown: FigureName; by: ReportDimension };

function Bars({ rows, shown, by }: BarsProps): ReactNode {
  const longest = rows.toSorted((a, b) => (b[shown] ?? 0) - (a[shown] ?? 0)).slice(0, MAX_BARS);
  const most = Math.max(longest[0]?.[shown] ?? 0, 0) || 1;
  return (
    <ul className={styles.bars} aria-label={figureNames[shown]}>
      {longest.map((row) => (
        <li key={row.key ?? ''} className={styles.row}>
          <span className={styles.name}>{nameOf(by, row)}</span>
          <span className={styles.track} aria-hidden="true">
            <span
              className={styles.bar}
              style={{ width: `${(Math.max(0, row[shown] ?? 0) / most) * 100}%` }}
            />
          </span>
          <span className={styles.value}>{figureText(shown, row)}</span>
        </li>
      ))}
    </ul>
  );
}
