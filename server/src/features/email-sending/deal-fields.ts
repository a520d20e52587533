import {
  isCustomLink,
  readableCustomValue,
  type CustomFieldType,
  type CustomKey,
  type CustomLink,
} from '@forecourt/contract/custom-field-types';
import type { Deal } from '@forecourt/contract/deals';
import type { FixedLink, LinkedData } from '@forecourt/contract/email-templates';
import type { VisibleFields } from '../custom-fields/custom-fields.service.ts';
import * as formats from './formats.ts';

/** The deal fields that a message can contain. Fields hidden from the sender are absent. */
export type DealFacts = Partial<Deal> & {
  /** Formatted custom fields by key. */
  customTexts?: CustomTexts;
};

export type CustomTexts = { [key in CustomKey]?: string };

export type DealLink = Extract<FixedLink, `deal.${string}`>;

type MailedField = {
  /** Returns the formatted value; empty if the deal has none or the sender may not see it. */
  text: (deal: DealFacts, timeZone: string) => string;
  /** The fields whose change makes the text of a sent message outdated. */
  changesWith: readonly string[];
};

const field = <Name extends keyof DealFacts>(
  name: Name,
  format: (value: NonNullable<DealFacts[Name]>, timeZone: string) => string,
  changesWith: readonly string[] = [name],
): MailedField => ({
  text: (deal, timeZone) => {
    const value = deal[name];
    return value === undefined || value === null || value === '' ? '' : format(value, timeZone);
  },
  changesWith,
});

/** Fields on which the rate depends. */
const PRICED_BY = ['commissionRate', 'dealershipId', 'owner', 'saleAmount'];

/** Every deal field that a variable can be linked to, with its format. */
export const DEAL_FIELDS: Record<DealLink, MailedField> = {
  'deal.customerName': field('customerName', formats.asTyped),
  'deal.customerNumber': field('customerNumber', formats.asTyped),
  'deal.customerEmail': field('customerEmail', formats.asTyped),
  'deal.dealNumber': field('dealNumber', formats.asTyped),
  'deal.vehicle': field('vehicle', formats.asTyped),
  'deal.deliveryDate': field('deliveryDate', formats.formatDate),
  'deal.items': field('items', formats.formatItems),
  'deal.itemsWithPrices': field('items', formats.formatItemsWithPrices),
  // The text for places where a table is impossible, such as a subject (value-tables.ts).
  'deal.itemsTable': field('items', formats.formatItemsWithPrices),
  'deal.saleAmount': field('saleAmount', formats.formatMoney),
  'deal.costAmount': field('costAmount', formats.formatMoney),
  'deal.grossProfit': field('grossProfit', formats.formatMoney, ['saleAmount', 'costAmount']),
  'deal.commissionRate': field('commissionRate', formats.formatPercent, PRICED_BY),
  'deal.commission': field('commission', formats.formatMoney, PRICED_BY),
  'deal.status': field('status', formats.asTyped),
  'deal.notes': field('notes', formats.asTyped),
  'deal.followUpAt': field('followUpAt', formats.formatInstant),
  'deal.owner': field('ownerName', formats.asTyped, ['owner']),
  'deal.month': field('month', formats.formatMonth),
  'deal.createdAt': field('createdAt', formats.formatInstant, []),
  'deal.lastEmailedAt': field('lastEmailedAt', formats.formatInstant, []),
};

const keyOf = (link: CustomLink) => link.slice('deal.'.length) as CustomKey;

export const mailedField = (link: DealLink | CustomLink): MailedField =>
  isCustomLink(link)
    ? { text: ({ customTexts }) => customTexts?.[keyOf(link)] ?? '', changesWith: [keyOf(link)] }
    : DEAL_FIELDS[link];

/** Whether only a single deal can supply a value for this link. */
export const isDealLink = (linkedData: LinkedData | null): linkedData is DealLink | CustomLink =>
  linkedData !== null && (isCustomLink(linkedData) || Object.hasOwn(DEAL_FIELDS, linkedData));

/** Custom field types whose format in a message differs from the one on the screen. */
const CUSTOM_FORMATS: { readonly [type in CustomFieldType]?: (value: never) => string } = {
  number: formats.formatNumber,
  currency: formats.formatMoney,
  percent: formats.formatPercent,
  date: formats.formatDate,
};

export const customTexts = (
  { custom = {} }: Pick<Deal, 'custom'>,
  { fields, people }: VisibleFields,
): CustomTexts =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = custom[field.key];
      if (value === undefined) return [];
      const readable = readableCustomValue(field, value, (id) => people.get(id));
      return [[field.key, CUSTOM_FORMATS[field.type]?.(readable as never) ?? String(readable)]];
    }),
  );
