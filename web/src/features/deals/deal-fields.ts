import type { Deal } from '@forecourt/contract/deals';
import type { CellValue } from '../../grid/grid.ts';
import { itemsValue } from './deal-items.ts';

/** The fields that somebody types. The others are computed or kept by the server. */
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

/** What the server has in a field, as a cell holds it. */
export const savedValue = (deal: Deal | null, field: DealField): CellValue =>
  field === 'items' ? itemsValue(deal?.items ?? []) : (deal?.[field] ?? null);

/** An empty cell is null here and the empty text in those fields of the contract that are never null. */
export const sameValue = (a: CellValue, b: CellValue): boolean => (a ?? '') === (b ?? '');
