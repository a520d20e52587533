import type { Deal, DealItem, DealPatch } from '@forecourt/contract/deals';
import { dealColumns, type DealColumn } from '@forecourt/contract/permission-defaults';
import type { Viewer } from '../../platform/http/context.ts';
import { invalidField } from '../../platform/http/errors.ts';
import { presentHeld } from '../../platform/sharing/held.ts';
import type { DealColumns } from './deal-write.queries.ts';
import { canDelete, canEdit, canEmail, canSee, columnsSeenBy, sharingAbilities } from './deals.policy.ts';
import type { DealRow } from './deals.queries.ts';

/** The fields that a write sets: what was typed, and what follows from it. */
export type DealValues = Omit<
  DealPatch,
  'version' | 'items' | 'owner' | 'sharedWith' | 'grossProfit' | 'commissionRate' | 'commission'
> & {
  items?: DealItem[] | undefined;
  commissionRate?: number;
  commission?: number | null;
};

/** Fields that are one column each. `status` is a name outside and a reference inside; the service resolves it. */
const COLUMNS = {
  dealershipId: 'dealership_id',
  customerName: 'customer_name',
  customerNumber: 'customer_number',
  customerEmail: 'customer_email',
  dealNumber: 'deal_number',
  vehicle: 'vehicle',
  deliveryDate: 'delivery_date',
  saleAmount: 'sale_amount',
  costAmount: 'cost_amount',
  commissionRate: 'commission_rate',
  notes: 'notes',
  followUpAt: 'follow_up_at',
  month: 'month',
} as const satisfies Partial<Record<keyof DealValues, keyof DealColumns>>;

/** The columns that a change writes. */
export function columnsOf(input: DealValues): DealColumns {
  const columns: DealColumns = {};
  for (const [field, column] of Object.entries(COLUMNS)) {
    const value = input[field as keyof typeof COLUMNS];
    if (value !== undefined) columns[column] = value;
  }
  return columns;
}

/** A field that stands or falls with a column. */
type ColumnField = { column: DealColumn; of: (row: DealRow) => unknown };

const COLUMN_FIELDS = {
  status: { column: 'status', of: (row) => row.status },
  dealershipId: { column: 'dealershipId', of: (row) => row.dealership_id },
  dealershipName: { column: 'dealershipId', of: (row) => row.dealership_name },
  customerName: { column: 'customerName', of: (row) => row.customer_name },
  customerNumber: { column: 'customerNumber', of: (row) => row.customer_number },
  customerEmail: { column: 'customerEmail', of: (row) => row.customer_email },
  dealNumber: { column: 'dealNumber', of: (row) => row.deal_number },
  vehicle: { column: 'vehicle', of: (row) => row.vehicle },
  deliveryDate: { column: 'deliveryDate', of: (row) => row.delivery_date },
  saleAmount: { column: 'saleAmount', of: (row) => row.sale_amount },
  costAmount: { column: 'costAmount', of: (row) => row.cost_amount },
  items: { column: 'items', of: (row) => row.items },
  grossProfit: { column: 'grossProfit', of: (row) => grossProfit(row.sale_amount, row.cost_amount) },
  commissionRate: { column: 'commissionRate', of: (row) => row.commission_rate },
  commission: { column: 'commission', of: (row) => row.commission },
  notes: { column: 'notes', of: (row) => row.notes },
  followUpAt: { column: 'followUpAt', of: (row) => row.follow_up_at },
  owner: { column: 'owner', of: (row) => row.owner_id },
  ownerName: { column: 'owner', of: (row) => row.owner_name },
  createdBy: { column: 'owner', of: (row) => row.created_by },
  lastEmailedAt: { column: 'lastEmailedAt', of: (row) => row.last_emailed_at },
  emailStatus: { column: 'lastEmailedAt', of: (row) => row.email_status },
  isChangedSinceSent: { column: 'lastEmailedAt', of: (row) => row.is_changed_since_sent ?? false },
} as const satisfies Partial<Record<keyof Deal, ColumnField>>;

/** Every field of an answer; those without a column exist for everybody. */
const FIELDS: Record<keyof Deal, { column?: DealColumn; of: (row: DealRow, viewer: Viewer) => unknown }> = {
  _id: { of: (row) => row.id },
  ...COLUMN_FIELDS,
  month: { of: (row) => row.month },
  createdAt: { of: (row) => row.created_at },
  updatedAt: { of: (row) => row.updated_at },
  updatedByName: { of: (row) => row.updated_by_name },
  sharedWith: { of: (row, viewer) => presentHeld(viewer, 'deal', row).sharedWith },
  version: { of: (row) => row.version },
  abilities: {
    of: (row, viewer) => ({
      edit: canEdit(viewer, row),
      delete: canDelete(viewer, row),
      email: canEmail(viewer),
      ...sharingAbilities(viewer, row),
    }),
  },
};

const fieldNames = Object.keys(FIELDS) as (keyof Deal)[];
/** What names a row and the state it is in: part of every answer. */
const IDENTITY: ReadonlySet<keyof Deal> = new Set(['_id', 'version'] as const);

/**
 * The fields of an answer: those that exist for a viewer, or of them those that were asked for. Throws a 400 that names
 * one that was asked for and does not exist for them.
 */
export function fieldsFor(viewer: Viewer, asked?: readonly (keyof Deal)[]): (keyof Deal)[] {
  const seen = new Set<DealColumn | undefined>([undefined, ...columnsSeenBy(viewer)]);
  const exists = (field: keyof Deal): boolean => seen.has(FIELDS[field].column);
  if (!asked) return fieldNames.filter(exists);
  const hidden = asked.find((field) => !exists(field));
  if (hidden !== undefined) throw hiddenColumn(hidden);
  return fieldNames.filter((field) => asked.includes(field) || IDENTITY.has(field));
}

/** The values of these fields, in their order. */
export const valuesOf = (viewer: Viewer, row: DealRow, fields: readonly (keyof Deal)[]): unknown[] =>
  fields.map((field) => FIELDS[field].of(row, viewer));

/** A row with these fields and no other. */
export function withFields(viewer: Viewer, row: DealRow, fields: readonly (keyof Deal)[]): Deal {
  const deal: Record<string, unknown> = {};
  for (const field of fields) deal[field] = FIELDS[field].of(row, viewer);
  return deal as Deal;
}

/** A row as this viewer gets it, field by field. A column that does not exist for them is absent. */
export const present = (viewer: Viewer, row: DealRow): Deal => withFields(viewer, row, fieldsFor(viewer));

/** A whole row for the audit, whoever acts. */
export function recorded(row: DealRow): Partial<Deal> {
  const deal: Record<string, unknown> = { month: row.month };
  for (const [field, { of }] of Object.entries(COLUMN_FIELDS)) deal[field] = of(row);
  return deal as Partial<Deal>;
}

/** Some of a row's fields. */
export const pick = (row: Partial<Deal>, fields: readonly string[]): Partial<Deal> =>
  Object.fromEntries(fields.map((field) => [field, row[field as keyof Deal]]));

/** Throws a 400 that names the first field in an input that does not exist for this viewer. */
export function refuseHidden(viewer: Viewer, input: object): void {
  const hidden = dealColumns.find((column) => Object.hasOwn(input, column) && !canSee(viewer, column));
  if (hidden !== undefined) throw hiddenColumn(hidden);
}

const hiddenColumn = (field: string) => invalidField(field, 'You may not see this column');

/** What the items come to, in whole cents; null where there are none. */
export const itemsSum = (items: readonly DealItem[]): number | null =>
  items.length === 0
    ? null
    : items.reduce((cents, { quantity, unitPrice }) => cents + quantity * Math.round(unitPrice * 100), 0) /
      100;

/** Sale less cost in whole cents; unknown while either is. */
const grossProfit = (sale: number | null, cost: number | null): number | null =>
  sale === null || cost === null ? null : (Math.round(sale * 100) - Math.round(cost * 100)) / 100;
