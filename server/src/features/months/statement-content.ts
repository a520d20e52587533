import { centsOf } from '@forecourt/contract/deal-groups';
import { monthChecks, type MonthCheck } from '@forecourt/contract/month-checks';
import type { AdjustedField, StatementKind } from '@forecourt/contract/statements';
import type { DealsService } from '../deals/deals.service.ts';
import type { WaiverRow } from './months.queries.ts';
import type { PendingAdjustment, Recipient, StatementContent } from './statements.queries.ts';

type ClosingRow = Awaited<ReturnType<DealsService['closing']['rows']>>[number];
type Line = StatementContent['lines'][number];
type Adjustment = StatementContent['adjustments'][number];

/** What all statements of a closing have. */
type Head = Pick<StatementContent, 'companyName' | 'month' | 'closedAt' | 'closedByName'> & {
  gstRate: number;
  waivers: readonly WaiverRow[];
};

/** A statement before it is stored, with the adjustments that it settles. */
export type Draft = { kind: StatementKind; content: StatementContent; adjustmentIds: string[] };

const sumOf = (parts: readonly { amount: number }[]): number =>
  parts.reduce((cents, { amount }) => cents + centsOf(amount), 0);

/** Returns totals whose amounts include GST. */
function totalsOf(lines: readonly Line[], adjustments: readonly Adjustment[], gstRate: number) {
  const ofLines = sumOf(lines);
  const ofAdjustments = sumOf(adjustments);
  const total = ofLines + ofAdjustments;
  const gst = Math.round((total * gstRate) / (100 + gstRate));
  return {
    lines: ofLines / 100,
    adjustments: ofAdjustments / 100,
    total: total / 100,
    gstRate,
    gst: gst / 100,
    withoutGst: (total - gst) / 100,
  };
}

const lineOf = (row: ClosingRow, amount: number): Line => ({
  dealId: row.dealId,
  date: row.date,
  customerName: row.customerName,
  dealNumber: row.dealNumber,
  dealershipName: row.dealershipName,
  ownerName: row.ownerName,
  status: row.status,
  items: row.items,
  saleAmount: row.saleAmount ?? 0,
  commissionRate: row.commissionRate ?? 0,
  amount,
});

/** The order of the fields of a change. */
const FIELDS: readonly AdjustedField[] = [
  'month',
  'status',
  'counts',
  'ownerName',
  'dealershipName',
  'items',
  'saleAmount',
  'costAmount',
  'commissionRate',
];

/** Returns an adjustment as a statement shows it. A dealership is not told of costs and commissions. */
function adjustmentOf(pending: PendingAdjustment): Adjustment {
  const { before, after } = pending;
  const hidden: readonly AdjustedField[] = pending.kind === 'account' ? ['costAmount', 'commissionRate'] : [];
  return {
    dealId: pending.deal_id,
    month: pending.month,
    customerName: pending.customer_name,
    dealNumber: pending.deal_number,
    changes: FIELDS.filter((field) => !hidden.includes(field))
      .map((field) => ({ field, before: before?.[field] ?? null, after: after?.[field] ?? null }))
      .filter((change) => change.before !== change.after),
    reason: pending.reason,
    byName: pending.by_name,
    at: pending.created_at,
    amount: pending.amount,
  };
}

/** Of what a dealership is not told. */
const INTERNAL: ReadonlySet<MonthCheck> = new Set(['costMissing', 'rateMissing']);

const waiversFor = (kind: StatementKind, waivers: readonly WaiverRow[]): WaiverRow[] =>
  waivers
    .filter(({ check }) => kind === 'commission' || !INTERNAL.has(check))
    .toSorted((one, other) => monthChecks.indexOf(one.check) - monthChecks.indexOf(other.check));

/**
 * Returns the statements of a closing without numbers, by kind and name of the recipient. `earlier` are the recipients of
 * superseded statements of this month: each gets a new one, though nothing may be left.
 */
export function draftStatements(
  rows: readonly ClosingRow[],
  pending: readonly PendingAdjustment[],
  earlier: readonly Recipient[],
  { gstRate, waivers, ...head }: Head,
): Draft[] {
  const drafts = new Map<string, { to: Recipient; lines: Line[]; adjustments: PendingAdjustment[] }>();
  const draftFor = (to: Recipient) =>
    drafts.getOrInsertComputed(`${to.kind} ${to.id}`, () => ({ to, lines: [], adjustments: [] }));
  for (const row of rows) {
    const { commission, saleAmount } = row;
    if (commission) {
      const to = { kind: 'commission', id: row.ownerId, name: row.ownerName } as const;
      draftFor(to).lines.push(lineOf(row, commission));
    }
    if (saleAmount) {
      const to = { kind: 'account', id: row.dealershipId, name: row.dealershipName } as const;
      draftFor(to).lines.push(lineOf(row, saleAmount));
    }
  }
  for (const to of earlier) draftFor(to);
  for (const one of pending)
    draftFor({ kind: one.kind, id: one.recipient_id, name: one.recipient_name }).adjustments.push(one);
  return [...drafts.values()]
    .toSorted(
      (one, other) =>
        other.to.kind.localeCompare(one.to.kind) ||
        one.to.name.localeCompare(other.to.name, 'en-AU') ||
        (one.to.id < other.to.id ? -1 : 1),
    )
    .map(({ to, lines, adjustments }) => {
      const ofStatement = adjustments.map(adjustmentOf);
      return {
        kind: to.kind,
        adjustmentIds: adjustments.map(({ id }) => String(id)),
        content: {
          ...head,
          kind: to.kind,
          number: '',
          recipientId: to.id,
          recipientName: to.name,
          lines,
          adjustments: ofStatement,
          totals: totalsOf(lines, ofStatement, gstRate),
          waivers: waiversFor(to.kind, waivers).map((waiver) => ({
            check: waiver.check,
            rows: waiver.rows,
            reason: waiver.reason,
            waivedByName: waiver.waived_by_name,
            waivedAt: waiver.waived_at,
          })),
        },
      };
    });
}
