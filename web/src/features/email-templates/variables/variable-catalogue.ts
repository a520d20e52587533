import type { CustomKey, CustomLink } from '@forecourt/contract/custom-field-types';
import type { VisibleCustomField } from '@forecourt/contract/custom-fields';
import type { FixedLink, LinkedData, TemplateVariable } from '@forecourt/contract/email-templates';
import { usePermissions } from '../../../platform/permissions.ts';
import { texts } from '../../../texts/email-templates.ts';
import { useDealOptions } from '../../deals/deals.queries.ts';
import { keyFromLabel } from './variable-keys.ts';

/** The default keys of all fields that a variable can be linked to, except custom fields. */
const usualKeys: Record<FixedLink, string> = {
  'deal.customerName': 'customerName',
  'deal.customerNumber': 'customerNumber',
  'deal.customerEmail': 'customerEmail',
  'deal.dealNumber': 'dealNumber',
  'deal.vehicle': 'vehicle',
  'deal.deliveryDate': 'deliveryDate',
  'deal.items': 'items',
  'deal.itemsWithPrices': 'itemsWithPrices',
  'deal.itemsTable': 'itemsTable',
  'deal.saleAmount': 'saleAmount',
  'deal.costAmount': 'costAmount',
  'deal.grossProfit': 'grossProfit',
  'deal.commissionRate': 'commissionRate',
  'deal.commission': 'commission',
  'deal.status': 'dealStatus',
  'deal.notes': 'notes',
  'deal.followUpAt': 'followUp',
  'deal.owner': 'dealOwner',
  'deal.month': 'dealMonth',
  'deal.createdAt': 'dateAdded',
  'deal.lastEmailedAt': 'lastEmailed',
  'deals.table': 'deals',
  'deals.tableWithItems': 'dealsWithItems',
  'deals.count': 'dealCount',
  'dealership.name': 'dealershipName',
  'dealership.address': 'dealershipAddress',
  'contact.name': 'contactName',
  'sender.name': 'senderName',
  'sender.email': 'senderEmail',
  'company.name': 'companyName',
  today: 'today',
};

const isLinked = (text: string): text is FixedLink => text in usualKeys;

type CustomFields = readonly Pick<VisibleCustomField, 'key' | 'name'>[];
export function useCustomFields(): CustomFields {
  const { data } = useDealOptions(usePermissions().page('dataEntry'));
  return data?.customFields ?? NONE;
}
const NONE: CustomFields = [];

export const customLink = (key: CustomKey): CustomLink => `deal.${key}`;

export const linkedFields: readonly FixedLink[] = Object.keys(usualKeys).filter(isLinked);

const groups = new Set<string>(Object.keys(texts.categories));
const isCategory = (text: string | undefined): text is TemplateVariable['category'] =>
  text !== undefined && groups.has(text);

/** Returns the group of a field, which is its prefix. */
export function categoryOf(linked: LinkedData | null): TemplateVariable['category'] {
  const record = linked?.split('.')[0];
  return isCategory(record) ? record : 'other';
}

const catalogueVariable = (linkedData: FixedLink): TemplateVariable =>
  newVariable(linkedData, usualKeys[linkedData], texts.linked[linkedData]);

const newVariable = (linkedData: LinkedData | null, key: string, label: string): TemplateVariable => ({
  key,
  label,
  category: categoryOf(linkedData),
  defaultValue: '',
  description: '',
  linkedData,
  required: false,
});

export function undeclaredFields(
  declared: readonly TemplateVariable[],
  customFields: CustomFields,
): readonly TemplateVariable[] {
  const taken = new Set(declared.flatMap(({ key, linkedData }) => [key, linkedData]));
  const custom = customFields.map(({ key, name }) => {
    const usual = keyFromLabel(name);
    // False if the name has no Latin letter, or another variable has the key.
    const isFree = usual !== '' && !taken.has(usual) && !Object.values(usualKeys).includes(usual);
    return newVariable(customLink(key), isFree ? usual : key, name);
  });
  const fixed = linkedFields.map(catalogueVariable);
  return [
    ...fixed.filter(({ category }) => category === 'deal'),
    ...custom,
    ...fixed.filter(({ category }) => category !== 'deal'),
  ].filter(({ key, linkedData }) => !taken.has(key) && !taken.has(linkedData));
}

/** Returns the variable for an undeclared key: linked to the field with this default key, otherwise custom. */
export function variableForKey(key: string): TemplateVariable {
  const linked = linkedFields.find((field) => usualKeys[field] === key);
  return linked ? catalogueVariable(linked) : newVariable(null, key, key);
}
