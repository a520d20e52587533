import type { Deal, DealPatch, NewDeal } from '@forecourt/contract/deals';
import type { Viewer } from '../../platform/http/context.ts';
import { canDelete, canEdit, canEmail } from './deals.policy.ts';
import type { DealColumns, DealRow } from './deals.queries.ts';

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
  notes: 'notes',
  followUpAt: 'follow_up_at',
  month: 'month',
} as const satisfies Partial<Record<keyof NewDeal, keyof DealColumns>>;

/** The columns that a change writes. */
export function columnsOf(input: Omit<DealPatch, 'version'> | NewDeal): DealColumns {
  const columns: DealColumns = {};
  for (const [field, column] of Object.entries(COLUMNS)) {
    const value = input[field as keyof typeof COLUMNS];
    if (value !== undefined) columns[column] = value;
  }
  return columns;
}

/** A row as this viewer gets it, field by field. */
export const present = (viewer: Viewer, row: DealRow): Deal => ({
  _id: row.id,
  status: row.status,
  dealershipId: row.dealership_id,
  dealershipName: row.dealership_name,
  customerName: row.customer_name,
  customerNumber: row.customer_number,
  customerEmail: row.customer_email,
  dealNumber: row.deal_number,
  vehicle: row.vehicle,
  deliveryDate: row.delivery_date,
  saleAmount: row.sale_amount,
  costAmount: row.cost_amount,
  grossProfit: grossProfit(row.sale_amount, row.cost_amount),
  notes: row.notes,
  followUpAt: row.follow_up_at,
  month: row.month,
  owner: row.owner_id,
  ownerName: row.owner_name,
  createdBy: row.created_by,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  updatedByName: row.updated_by_name,
  lastEmailedAt: row.last_emailed_at,
  emailStatus: row.email_status as Deal['emailStatus'],
  version: row.version,
  abilities: { edit: canEdit(viewer, row), delete: canDelete(viewer, row), email: canEmail(viewer) },
});

/** Sale less cost in whole cents; unknown while either is. */
const grossProfit = (sale: number | null, cost: number | null): number | null =>
  sale === null || cost === null ? null : (Math.round(sale * 100) - Math.round(cost * 100)) / 100;
