import type { DealStatus } from '@forecourt/contract/deals';
import type { Figures } from '@forecourt/contract/figures';
import type { ReportDimension } from '@forecourt/contract/report-dimensions';
import type { ReportRow } from '@forecourt/contract/reports';
import { Link } from '@tanstack/react-router';
import { formatCount, formatMoney, formatMonth } from '../../platform/formats.ts';
import { paths } from '../../platform/paths.ts';
import { isRecord, linkTo, rowsLink, type ScreenLink } from '../../platform/rows-link.ts';
import { texts } from '../../texts/reports.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { figureLabel, figuresIn, figureText, type FigureName } from '../../ui/figures.ts';
import { readFilter, withCondition } from '../deals/deal-filter.shared.ts';
import type { Report } from './reports.queries.ts';

export const nameOf = (by: ReportDimension, { key, name }: ReportRow): string =>
  by === 'month' ? formatMonth(name) : key === null ? texts.noItem : name;

/**
 * Returns the link of a row: to its deals; for an owner to the statement; over several months first to the same report
 * by month. There is no link for rows without an item, and for a filter to which no condition can be added.
 */
export function linkOf(
  report: Report,
  { key, name }: ReportRow,
  statuses: readonly DealStatus[] = [],
): ScreenLink | undefined {
  const { by, from, to, ...narrowed } = report;
  if (key === null) return undefined;
  const filter = readFilter(report.filter);
  if (by === 'item') {
    const sold = withCondition(filter, isRecord('items', key));
    if (sold === null) return undefined;
    narrowed.filter = JSON.stringify(sold);
  }
  if (by === 'status') narrowed.status = name;
  if (by === 'dealership') narrowed.dealershipId = key;
  if (by === 'owner') narrowed.owner = key;
  if (by !== 'month' && from !== to) return linkTo(paths.reports, { ...narrowed, by: 'month', from, to });
  const month = by === 'month' ? key : from;
  if (narrowed.owner !== undefined && narrowed.filter === undefined)
    return linkTo(paths.statement, { owner: narrowed.owner, month });
  const ids = {
    status: by === 'status' ? key : statuses.find((status) => status.name === narrowed.status)?._id,
    dealershipId: narrowed.dealershipId,
    owner: narrowed.owner,
  };
  const conditions = Object.entries(ids).flatMap(([field, id]) =>
    id === undefined ? [] : [isRecord(field as keyof typeof ids, id)],
  );
  let joined = readFilter(narrowed.filter);
  for (const condition of conditions) {
    joined = withCondition(joined, condition);
    if (joined === null) return undefined;
  }
  return rowsLink({ month, filter: joined });
}

/** Columns that are narrower than one of amounts, so that a report fits beside the menu. */
const WIDTHS: Partial<Record<FigureName, string>> = {
  deals: '80px',
  profitPerVehicle: '110px',
  penetration: '112px',
  conversion: '108px',
  daysToClose: '104px',
};

/** Returns the columns of a report: the label, and the figures that the user may see. */
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
      // Months are sorted by key, other rows by name.
      sortBy: (row) => (by === 'month' ? row.key : nameOf(by, row)),
      render: (row) => {
        const to = linkOf(report, row, statuses);
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
      width: WIDTHS[id] ?? '120px',
      wideOnly: index > (by === 'item' ? 3 : 5) ? 'desktop' : index > 1,
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
