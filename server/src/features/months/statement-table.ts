import { statementLabels as labels } from '@forecourt/contract/statement-words';
import type { ClosedStatement } from '@forecourt/contract/statements';
import type { Clock } from '../../platform/clock.ts';
import type { ExportColumn, Table } from '../../platform/table-files/cells.ts';
import {
  changesInWords,
  reasonInWords,
  SUPERSEDED,
  totalsOf,
  visibleColumns,
  waiverInWords,
} from './statement-words.ts';

type Line = ClosedStatement['lines'][number];

/** A line, an adjustment, a total, or what else the statement says, as `entry` names it. */
type Row = Partial<Omit<Line, 'dealId'>> & { entry: string; month?: string; details?: string };

const COLUMNS: readonly (ExportColumn<Row> & { column?: keyof Line })[] = [
  { header: labels.month, type: 'text', of: ({ month }) => month },
  { header: 'Date', type: 'date', of: ({ date }) => date },
  { header: labels.customerName, type: 'text', column: 'customerName', of: (row) => row.customerName },
  { header: labels.dealNumber, type: 'text', column: 'dealNumber', of: (row) => row.dealNumber },
  { header: labels.dealershipName, type: 'text', column: 'dealershipName', of: (row) => row.dealershipName },
  { header: labels.ownerName, type: 'text', column: 'ownerName', of: (row) => row.ownerName },
  { header: labels.status, type: 'text', column: 'status', of: (row) => row.status },
  { header: labels.items, type: 'text', column: 'items', of: (row) => row.items },
  { header: labels.saleAmount, type: 'money', column: 'saleAmount', of: (row) => row.saleAmount },
  {
    header: labels.commissionRate,
    type: 'percent',
    column: 'commissionRate',
    of: (row) => row.commissionRate,
  },
  { header: 'Amount', type: 'money', of: ({ amount }) => amount },
  { header: 'Details', type: 'text', of: ({ details }) => details },
];

/** Columns that repeat the amount, or tell a dealership what its deals earn. */
const NOT_FOR_DEALERSHIPS: ReadonlySet<keyof Line | undefined> = new Set(['saleAmount', 'commissionRate']);

/** Returns a statement as one table, for CSV and XLSX. Columns that are hidden from the viewer are absent. */
export function statementTable(statement: ClosedStatement, clock: Clock): Table<Row> {
  const { kind, month, number, recipientName, lines, adjustments, closedAt, closedByName } = statement;
  const seen = visibleColumns(statement);
  const dateOf = (instant: string) => clock.businessDate(new Date(instant));
  const rows: Row[] = [
    ...lines.map((line) => ({ entry: 'Line', month, ...line })),
    ...adjustments.map((one) => ({
      entry: 'Adjustment',
      month: one.month,
      date: dateOf(one.at),
      customerName: one.customerName,
      dealNumber: one.dealNumber,
      amount: one.amount,
      details: [...changesInWords(one), reasonInWords(one, clock.timeZone)].join('\n'),
    })),
    ...totalsOf(statement).map(([entry, amount]) => ({ entry, month, amount })),
    ...statement.waivers.map((waiver) => ({
      entry: 'Waived',
      month,
      date: dateOf(waiver.waivedAt),
      details: waiverInWords(waiver),
    })),
    { entry: 'Closed', month, date: dateOf(closedAt), details: closedByName },
    ...(statement.isSuperseded ? [{ entry: 'Superseded', month, details: SUPERSEDED }] : []),
  ] as Row[];
  const columns: ExportColumn<Row>[] = [
    { header: 'Statement', type: 'text', of: () => number },
    { header: 'Recipient', type: 'text', of: () => recipientName },
    { header: 'Entry', type: 'text', of: ({ entry }) => entry },
    ...COLUMNS.filter(
      ({ column }) =>
        column === undefined ||
        (seen.has(column) && !(kind === 'account' && NOT_FOR_DEALERSHIPS.has(column))),
    ),
  ];
  async function* batches() {
    yield rows;
  }
  return { columns, batches: batches() };
}
