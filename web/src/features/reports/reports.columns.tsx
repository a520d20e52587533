import type { DealStatus } from '@forecourt/contract/deals';
import type { Figures } from '@forecourt/contract/figures';
import type { ReportDimension } from '@forecourt/contract/report-dimensions';
import type { ReportRow } from '@forecourt/contract/reports';
import { Link } from '@tanstack/react-router';
import { formatCount, formatMoney, formatMonth } from '../../platform/formats.ts';
import { paths } from '../../platform/paths.ts';
import { linkTo, rowsLink, type ScreenLink } from '../../platform/rows-link.ts';
import { texts } from '../../texts/reports.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { figureLabel, figuresIn, figureText } from '../../ui/figures.ts';
import type { Report } from './reports.queries.ts';

/** Returns the label of a row. */
export const nameOf = (by: ReportDimension, { key, name }: ReportRow): string =>
  by === 'month' ? formatMonth(name) : key === null ? texts.noItem : name;

/**
 * Returns the link of a row: to its deals, for an owner to the statement; over several months first to the same report by
 * month. Items have no link: rows cannot be filtered by item.
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

/** Returns the columns of a report: the label, and the figures available to the user. */
export function reportColumns(
  report: Report,
  total: Figures,
  statuses: readonly DealStatus[] = [],
): readonly DataColumn<ReportRow>[] {
  const { by } = report;
  return [
    {
      id: 'name',
      header: texts.dimensions[by],
      // Months are sorted by key, not by name.
      sortBy: (row) => (by === 'month' ? row.key : nameOf(by, row)),
      render: (row) => {
        const to = linkOf(report, row);
        const name = nameOf(by, row);
        return to ? (
          <Link className="ui-plain ui-strong" {...to}>
            {name}
          </Link>
        ) : (
          name
        );
      },
    },
    ...figuresIn(total).map((id, index): DataColumn<ReportRow> => ({
      id,
      header: figureLabel(id, statuses),
      align: 'right',
      width: '120px',
      wideOnly: index > 1,
      sortBy: (row) => row[id] ?? null,
      render: (row) => figureText(id, row),
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
