import { dealFieldNames, titlesIn, type DealFieldName } from './deal-fields.ts';

// What the variables of a template can be linked to. Plain values, which browsers import without the schemas.

/** The dealership has links of its own, and a change has no text. */
export type LinkedField = Exclude<DealFieldName, 'dealershipId' | 'updatedAt'>;

const WITH_ITEMS = {
  'deal.itemsWithPrices': 'Items with prices',
  'deal.itemsTable': 'Table of items with prices',
} as const;
const OTHERS = {
  'deals.table': 'Table of deals',
  'deals.tableWithItems': 'Table of deals with items',
  'deals.count': 'Number of deals',
  'dealership.name': 'Dealership name',
  'dealership.address': 'Dealership address',
  'contact.name': 'Contact name',
  'sender.name': 'Your name',
  'sender.email': 'Your email',
  'company.name': 'Company name',
  'statement.number': 'Statement number',
  'statement.month': 'Statement month',
  'statement.total': 'Statement total',
  today: 'Today’s date',
} as const;

/**
 * The field that supplies a variable's value if the send gives none. The part before the dot names the record; a field
 * that the sender may not see is empty (docs/product/email.md, Variables). `deals` are all deals of a message: those of
 * a digest, or the one deal. The part after the dot also names the format: items are a line, a line with prices, or a
 * table.
 */
export type FixedLink = `deal.${LinkedField}` | keyof typeof WITH_ITEMS | keyof typeof OTHERS;

const LAST: readonly DealFieldName[] = [
  'status',
  'notes',
  'followUpAt',
  'owner',
  'month',
  'createdAt',
  'lastEmailedAt',
];
const titles = titlesIn('variable');
const linked = dealFieldNames.filter((name) => !['dealershipId', 'updatedAt', ...LAST].includes(name));

/** The name of each link, in the order in which they are offered. */
export const linkNames = {
  ...Object.fromEntries(
    [...linked, ...LAST].flatMap((name) => [
      [`deal.${name}`, titles[name]],
      ...(name === 'items' ? Object.entries(WITH_ITEMS) : []),
    ]),
  ),
  ...OTHERS,
} as Readonly<Record<FixedLink, string>>;
export const fixedLinks = Object.keys(linkNames) as FixedLink[];
