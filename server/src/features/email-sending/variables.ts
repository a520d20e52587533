import { isCustomKey, readableCustomValue, type CustomKey } from '@forecourt/contract/custom-field-types';
import { sumOfLines } from '@forecourt/contract/deal-amounts';
import { fieldOf, type DealFieldName, type FieldType } from '@forecourt/contract/deal-fields';
import type { Contact } from '@forecourt/contract/dealerships';
import type { Deal } from '@forecourt/contract/deals';
import type { LinkedData } from '@forecourt/contract/email-templates';
import type { FixedLink, LinkedField } from '@forecourt/contract/variable-links';
import * as formats from '../../platform/formats.ts';
import type { VisibleFields } from '../custom-fields/custom-fields.service.ts';

/** The deal fields that a message can contain. Fields hidden from the sender are absent. */
export type DealFacts = Partial<Deal> & {
  /** The texts of custom fields, by key. */
  customTexts?: CustomTexts;
};

export type CustomTexts = { [key in CustomKey]?: string };

/** The records of a message as its sender may see them; hidden values are absent. */
export type Subjects = {
  deal: DealFacts | undefined;
  /** All deals of the message: those of a digest, or the single one. */
  deals: DealFacts[];
  dealership: { name: string; address: string | undefined } | undefined;
  contact: Pick<Contact, 'name'> | undefined;
  sender: { name: string; email: string };
  company: { name: string };
  /** The account statement that the message brings. Amounts include GST. */
  statement?: { number: string; month: string; total: number } | undefined;
  /** The business date in TIME_ZONE. */
  today: string;
  /** TIME_ZONE: the zone of times in the message. */
  timeZone: string;
};

/** The value of a variable as a table, with unescaped texts. */
export type ValueTable = { headings: string[]; rows: string[][] };

/** What a variable can be linked to. */
type Linked = {
  /** Returns the text in a message; empty when there is no value or the sender may not see it. */
  text: (subjects: Subjects) => string;
  /** The value where a table is possible: in a paragraph, but not in a subject. */
  table?: (subjects: Subjects) => ValueTable | undefined;
  /** The deal fields whose change makes the text of a sent message outdated. */
  changesWith: readonly string[];
};

/** The format of a value, by type of field; others are texts, or have names. */
const FORMATS: { readonly [type in FieldType]?: (value: never, timeZone: string) => string } = {
  number: formats.formatNumber,
  currency: formats.formatMoney,
  percent: formats.formatPercent,
  date: formats.formatDate,
  time: formats.formatInstant,
  month: formats.formatMonth,
  items: formats.formatItems,
};
const formatValue = (type: FieldType, value: unknown, timeZone: string): string =>
  FORMATS[type]?.(value as never, timeZone) ?? String(value);

function fieldText(deal: DealFacts | undefined, name: LinkedField, timeZone: string): string {
  const value = deal?.[name === 'owner' ? 'ownerName' : name];
  return value === undefined || value === '' || value === null
    ? ''
    : formatValue(fieldOf(name).type, value, timeZone);
}

const dealField = (name: LinkedField): Linked => ({
  text: ({ deal, timeZone }) => fieldText(deal, name, timeZone),
  changesWith: fieldOf(name).from ?? [name],
});

const pricedItems = ({ deal }: Subjects): string => formats.formatItemsWithPrices(deal?.items ?? []);

/** The columns of a table of deals, in order. */
const TABLE: readonly LinkedField[] = [
  'customerName',
  'dealNumber',
  'vehicle',
  'items',
  'deliveryDate',
  'status',
  'saleAmount',
];

const dealTable = (names: readonly LinkedField[]): Linked => ({
  text: ({ deals }) => deals.map(({ customerName }) => customerName ?? '').join(', '),
  /**
   * A row for each deal, in order. A column that the sender may not see, or that is empty in all rows, is omitted
   * (docs/product/email.md, Variables).
   */
  table({ deals, timeZone }) {
    if (deals.length === 0) return undefined;
    const rows = deals.map((deal) => names.map((name) => fieldText(deal, name, timeZone)));
    const filled = names.map((_, at) => at).filter((at) => rows.some((row) => row[at] !== ''));
    return {
      headings: filled.map((at) =>
        names[at] === 'saleAmount' ? 'Amount' : fieldOf(names[at] as DealFieldName).label,
      ),
      rows: rows.map((row) => filled.map((at) => row[at]!)),
    };
  },
  changesWith: names,
});

function itemTable({ deal }: Subjects): ValueTable | undefined {
  const items = deal?.items ?? [];
  if (items.length === 0) return undefined;
  return {
    headings: ['Item', 'Quantity', 'Price', 'Amount'],
    rows: items.map(({ name, quantity, unitPrice }) => [
      name,
      String(quantity),
      formats.formatMoney(unitPrice),
      formats.formatMoney(sumOfLines([{ quantity, unitPrice }])),
    ]),
  };
}

const of = (text: (subjects: Subjects) => string | undefined, ...changesWith: string[]): Linked => ({
  text: (subjects) => text(subjects) ?? '',
  changesWith,
});

/** The links that are no single field of a deal. */
const OTHERS: Record<Exclude<FixedLink, `deal.${LinkedField}`>, Linked> = {
  'deal.itemsWithPrices': of(pricedItems, 'items'),
  'deal.itemsTable': { ...of(pricedItems, 'items'), table: itemTable },
  'deals.table': dealTable(TABLE.filter((name) => name !== 'items')),
  'deals.tableWithItems': dealTable(TABLE),
  'deals.count': of(({ deals }) => String(deals.length)),
  'dealership.name': of(({ dealership }) => dealership?.name, 'dealershipId'),
  'dealership.address': of(({ dealership }) => dealership?.address, 'dealershipId'),
  'contact.name': of(({ contact }) => contact?.name, 'dealershipId'),
  'sender.name': of(({ sender }) => sender.name),
  'sender.email': of(({ sender }) => sender.email),
  'company.name': of(({ company }) => company.name),
  'statement.number': of(({ statement }) => statement?.number),
  'statement.month': of(({ statement }) => statement && formats.formatMonth(statement.month)),
  'statement.total': of(({ statement }) => statement && formats.formatMoney(statement.total)),
  today: of(({ today }) => formats.formatDate(today)),
};

const isOther = (link: LinkedData): link is keyof typeof OTHERS => Object.hasOwn(OTHERS, link);

export function linkedValue(link: LinkedData): Linked {
  if (isOther(link)) return OTHERS[link];
  const name = link.slice('deal.'.length);
  return isCustomKey(name)
    ? of(({ deal }) => deal?.customTexts?.[name], name)
    : dealField(name as LinkedField);
}

/** Returns whether only a single deal can provide a value for this link. */
export const isDealLink = (link: LinkedData | null): boolean => link?.startsWith('deal.') === true;

/** Returns whether this is a link to a table of all deals of a message. */
export const isDealTable = (link: LinkedData | null): boolean =>
  link === 'deals.table' || link === 'deals.tableWithItems';

/** Returns the texts of the custom fields of a deal, with options and people by name. */
export const customTexts = (
  { custom = {} }: Pick<Deal, 'custom'>,
  { fields, people }: VisibleFields,
): CustomTexts =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = custom[field.key];
      if (value === undefined) return [];
      const readable = readableCustomValue(field, value, (id) => people.get(id));
      return [[field.key, formatValue(field.type, readable, '')]];
    }),
  );
