import type { LinkedData, TemplateVariable } from '@forecourt/contract/email-templates';
import { texts } from '../../../texts/email-templates.ts';

/** Every field that a variable can be linked to, with its default key. */
const usualKeys: Record<LinkedData, string> = {
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

const isLinked = (text: string): text is LinkedData => text in usualKeys;

/** The fields, in order. */
export const linkedFields: readonly LinkedData[] = Object.keys(usualKeys).filter(isLinked);

const groups = new Set<string>(Object.keys(texts.categories));
const isCategory = (text: string | undefined): text is TemplateVariable['category'] =>
  text !== undefined && groups.has(text);

/** Returns the group of a field: the part before the dot. */
export function categoryOf(linked: LinkedData | null): TemplateVariable['category'] {
  const record = linked?.split('.')[0];
  return isCategory(record) ? record : 'other';
}

/** Returns the variable for a field of the catalogue. */
const catalogueVariable = (linkedData: LinkedData): TemplateVariable => ({
  key: usualKeys[linkedData],
  label: texts.linked[linkedData],
  category: categoryOf(linkedData),
  defaultValue: '',
  description: '',
  linkedData,
  required: false,
});

/** Returns variables for the fields that the template has no variable for. */
export function undeclaredFields(declared: readonly TemplateVariable[]): readonly TemplateVariable[] {
  const taken = new Set(declared.flatMap(({ key, linkedData }) => [key, linkedData]));
  return linkedFields
    .map(catalogueVariable)
    .filter(({ key, linkedData }) => !taken.has(key) && !taken.has(linkedData));
}

/** Returns the variable for an undeclared key: that of the field with this default key, or a custom one without a field. */
export function variableForKey(key: string): TemplateVariable {
  const linked = linkedFields.find((field) => usualKeys[field] === key);
  if (linked) return catalogueVariable(linked);
  return {
    key,
    label: key,
    category: 'other',
    defaultValue: '',
    description: '',
    linkedData: null,
    required: false,
  };
}
