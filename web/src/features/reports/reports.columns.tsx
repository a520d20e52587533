import type { Figures } from '@forecourt/contract/figures';
import type { ReportDimension } from '@forecourt/contract/report-dimensions';
import type { ReportRow } from '@forecourt/contract/reports';
import { Link } from '@tanstack/react-router';
import { formatCount, formatMoney, formatMonth } from '../../platform/formats.ts';
import { paths } from '../../platform/paths.ts';
import { linkTo, rowsLink, type ScreenLink } from '../../platform/rows-link.ts';
import { texts as figureNames } from '../../texts/figures.ts';
import { texts } from '../../texts/reports.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { figuresIn, figureWords } from '../../ui/figures.ts';
import type { Report } from './reports.queries.ts';
import styles from './ReportsScreen.module.css';

/** What a row of a report is called. */
export const nameOf = (by: ReportDimension, { key, name }: ReportRow): string =>
  by === 'month' ? formatMonth(name) : key === null ? texts.noItem : name;

/**
 * Where a row leads: to the deals behind it, those of a person as a statement; over several months first to what it
 * came to in each of them. An item is nothing that rows are listed by.
 */
export function linkOf(report: Report, { key, name }: ReportRow): ScreenLink | undefined {
  const { by, from, to, ...filter } = report;
  if (key === null || by === 'item') return undefined;
  const own = {
    month: {},
    status: { status: name },
    dealership: { dealershipId: key },
    owner: { owner: key },
  };
  const narrowed = { ...filter, ...own[by] };
  if (by !== 'month' && from !== to) return linkTo(paths.reports, { ...narrowed, by: 'month', from, to });
  const month = by === 'month' ? key : from;
  return narrowed.owner === undefined
    ? rowsLink({ ...narrowed, month })
    : linkTo(paths.statement, { owner: narrowed.owner, month });
}

/** The columns of a report: its names, and the figures that exist for this person. */
export function reportColumns(report: Report, total: Figures): readonly DataColumn<ReportRow>[] {
  const { by } = report;
  return [
    {
      id: 'name',
      header: texts.dimensions[by],
      // Months sort by what they are, not by what they are called.
      sortBy: (row) => (by === 'month' ? row.key : nameOf(by, row)),
      render: (row) => {
        const to = linkOf(report, row);
        const name = nameOf(by, row);
        return to ? (
          <Link className={styles.rowLink} {...to}>
            {name}
          </Link>
        ) : (
          name
        );
      },
    },
    ...figuresIn(total).map((id, index): DataColumn<ReportRow> => ({
      id,
      header: figureNames[id],
      align: 'right',
      width: '120px',
      wideOnly: index > 1,
      sortBy: (row) => row[id] ?? null,
      render: (row) => figureWords(id, row),
    })),
    ...(by === 'item' ? itemColumns : []),
  ];
}

const itemColumns: readonly DataColumn<ReportRow>[] = [
  {
    id: 'quantity',
    header: texts.quantity,
    align: 'right',
    width: '80px',
    wideOnly: true,
    sortBy: ({ quantity }) => quantity ?? null,
    render: ({ quantity = 0 }) => formatCount(quantity),
  },
  {
    id: 'itemAmount',
    header: texts.itemAmount,
    align: 'right',
    width: '120px',
    wideOnly: true,
    sortBy: ({ itemAmount }) => itemAmount ?? null,
    render: ({ itemAmount }) => (itemAmount === undefined ? '–' : formatMoney(itemAmount)),
  },
];
