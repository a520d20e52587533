import { sumOfLines } from '@forecourt/contract/deal-amounts';
import type { LinkedData } from '@forecourt/contract/email-templates';
import { DEAL_FIELDS, type DealFacts, type DealLink } from './deal-fields.ts';
import { formatMoney } from './formats.ts';

/** The value of a variable as a table; its texts are not escaped. */
export type ValueTable = { headings: string[]; rows: string[][] };

/** Headings of the columns of a table of deals, in display order. */
const HEADINGS: Partial<Record<DealLink, string>> = {
  'deal.customerName': 'Customer',
  'deal.dealNumber': 'Deal number',
  'deal.vehicle': 'Vehicle',
  'deal.items': 'Items',
  'deal.deliveryDate': 'Delivery',
  'deal.status': 'Status',
  'deal.saleAmount': 'Amount',
};

const WITH_ITEMS = Object.keys(HEADINGS) as DealLink[];

/** The columns of tables of deals, by the link of the variable. */
const DEAL_TABLES: { readonly [link in LinkedData]?: readonly DealLink[] } = {
  'deals.table': WITH_ITEMS.filter((link) => link !== 'deal.items'),
  'deals.tableWithItems': WITH_ITEMS,
};

/** Returns the deal fields of a table of deals; none for other links. */
export const dealTableFields = (linkedData: LinkedData | null): readonly DealLink[] =>
  (linkedData && DEAL_TABLES[linkedData]) ?? [];

export function tableOf(
  linkedData: LinkedData | null,
  { deal, deals, timeZone }: { deal: DealFacts | undefined; deals: DealFacts[]; timeZone: string },
): ValueTable | undefined {
  if (linkedData === 'deal.itemsTable') return itemTable(deal?.items ?? []);
  return dealTable(dealTableFields(linkedData), deals, timeZone);
}

/** Returns a row per deal. Columns hidden or empty in all rows are omitted (docs/product/email.md, Variables). */
function dealTable(
  links: readonly DealLink[],
  deals: readonly DealFacts[],
  timeZone: string,
): ValueTable | undefined {
  if (links.length === 0 || deals.length === 0) return undefined;
  const cell = (deal: DealFacts, link: DealLink) => DEAL_FIELDS[link].text(deal, timeZone);
  const shown = links.filter((link) => deals.some((deal) => cell(deal, link) !== ''));
  return {
    headings: shown.map((link) => HEADINGS[link]!),
    rows: deals.map((deal) => shown.map((link) => cell(deal, link))),
  };
}

function itemTable(items: NonNullable<DealFacts['items']>): ValueTable | undefined {
  if (items.length === 0) return undefined;
  return {
    headings: ['Item', 'Quantity', 'Price', 'Amount'],
    rows: items.map(({ name, quantity, unitPrice }) => [
      name,
      String(quantity),
      formatMoney(unitPrice),
      formatMoney(sumOfLines([{ quantity, unitPrice }])),
    ]),
  };
}
