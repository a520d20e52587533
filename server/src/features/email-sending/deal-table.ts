import type { Deal } from '@forecourt/contract/deals';
import { formatValue } from './formats.ts';

/** A table of deals, ready to be shown: texts that are still to be escaped for where they stand. */
export type DealTable = { headings: string[]; rows: string[][] };

const COLUMNS = {
  customerName: 'Customer',
  dealNumber: 'Deal number',
  vehicle: 'Vehicle',
  deliveryDate: 'Delivery',
  status: 'Status',
  saleAmount: 'Amount',
} as const;

type Field = keyof typeof COLUMNS;

/** The fields of a deal that a table of deals tells. */
export const TABLE_FIELDS = Object.keys(COLUMNS) as Field[];

/**
 * A line for each deal, in their order. A column that the sender does not see, or that is empty in all of them, is left
 * out (product.md section 6).
 */
export function dealTable(deals: readonly Pick<Deal, Field>[]): DealTable {
  const cell = (deal: Pick<Deal, Field>, field: Field) => formatValue(`deal.${field}`, deal[field]);
  const shown = TABLE_FIELDS.filter((field) => deals.some((deal) => cell(deal, field) !== ''));
  return {
    headings: shown.map((field) => COLUMNS[field]),
    rows: deals.map((deal) => shown.map((field) => cell(deal, field))),
  };
}
