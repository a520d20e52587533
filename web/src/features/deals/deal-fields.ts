import type { ResponseBody } from '@forecourt/contract/api';
import type { Deal, DealItem } from '@forecourt/contract/deals';
import { identityColumns, type ViewColumnName } from '@forecourt/contract/permission-defaults';
import type { CellValue } from '../../grid/grid.ts';

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

/** An item sold in a row. Without a price the server's is used: the row's own, or that of the item. */
export type DealLine = Omit<DealItem, 'unitPrice'> & { readonly unitPrice: number | null };

/** Items as the value of a cell: one text, so that drafts, undo and conflicts need no lists. */
export const itemsValue = (lines: readonly DealLine[]): string | null =>
  lines.length === 0
    ? null
    : JSON.stringify(
        lines.map(({ itemId, name, quantity, unitPrice }) => [itemId, name, quantity, unitPrice]),
      );

export function linesOf(value: CellValue): DealLine[] {
  if (typeof value !== 'string' || value === '') return [];
  const stored = JSON.parse(value) as [string, string, number, number | null][];
  return stored.map(([itemId, name, quantity, unitPrice]) => ({ itemId, name, quantity, unitPrice }));
}

/** Returns the saved value of a field, as the value of its cell. */
export const savedValue = (deal: Deal | null, field: DealField): CellValue =>
  field === 'items' ? itemsValue(deal?.items ?? []) : (deal?.[field] ?? null);

/** Whether values are equal. An empty cell is null here, and an empty text in contract fields that are never null. */
export const sameValue = (a: CellValue, b: CellValue): boolean => (a ?? '') === (b ?? '');

/** The options of cells, and the columns that exist for the user. */
export type DealOptions = ResponseBody<'GET /deals/options'>;

/** Columns that identify a row exist for all users: they can be neither hidden by permissions nor edited. */
const everybodys: readonly string[] = identityColumns;

/** Returns the contract's name of a column or of the column of a group: the state of the email belongs to its time. */
export const contractColumn = (id: string): ViewColumnName =>
  (id === 'emailStatus' || id === 'emailState' ? 'lastEmailedAt' : id) as ViewColumnName;

/** Whether a column exists for the user (docs/product/people-and-permissions.md, Restrictions). */
export const existsFor = ({ columns }: DealOptions, id: string): boolean =>
  everybodys.includes(id) || (columns as readonly string[]).includes(contractColumn(id));
