import type { Deal } from '@forecourt/contract/deals';
import type { CellValue } from '../../grid/grid.ts';
import { itemsValue } from './items/deal-items.ts';

/** The fields that users edit. Others are computed or set by the server. */
export const dealFields = [
  'status',
  'customerName',
  'customerNumber',
  'customerEmail',
  'dealershipId',
  'dealNumber',
  'vehicle',
  'deliveryDate',
  'items',
  'saleAmount',
  'costAmount',
  'followUpAt',
  'notes',
  'owner',
] as const satisfies readonly (keyof Deal)[];
export type DealField = (typeof dealFields)[number];

export const isDealField = (name: string): name is DealField =>
  (dealFields as readonly string[]).includes(name);

/** Returns the saved value of a field, as the value of its cell. */
export const savedValue = (deal: Deal | null, field: DealField): CellValue =>
  field === 'items' ? itemsValue(deal?.items ?? []) : (deal?.[field] ?? null);

/** Whether values are equal. An empty cell is null here, and an empty text in contract fields that are never null. */
export const sameValue = (a: CellValue, b: CellValue): boolean => (a ?? '') === (b ?? '');
