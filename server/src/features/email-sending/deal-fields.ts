import type { Deal } from '@forecourt/contract/deals';
import type { LinkedData } from '@forecourt/contract/email-templates';
import * as formats from './formats.ts';

/** The deal fields that a message can contain. Fields hidden from the sender are absent. */
export type DealFacts = Pick<
  Deal,
  | 'customerName'
  | 'customerNumber'
  | 'customerEmail'
  | 'dealNumber'
  | 'vehicle'
  | 'deliveryDate'
  | 'items'
  | 'saleAmount'
  | 'costAmount'
  | 'grossProfit'
  | 'commissionRate'
  | 'commission'
  | 'status'
  | 'notes'
  | 'followUpAt'
  | 'ownerName'
  | 'month'
  | 'createdAt'
  | 'lastEmailedAt'
>;

export type DealLink = Extract<LinkedData, `deal.${string}`>;

type MailedField = {
  /** Returns the text in a message; empty when the deal has no value or the sender may not see it. */
  text: (deal: Partial<DealFacts>, timeZone: string) => string;
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

/** A change of one of these can change the rate. */
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
  // The text where a table is not possible, such as in a subject (value-tables.ts).
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

/** Returns whether only a single deal can provide a value for this link. */
export const isDealLink = (linkedData: LinkedData | null): linkedData is DealLink =>
  linkedData !== null && Object.hasOwn(DEAL_FIELDS, linkedData);
