import type { LinkedData, TemplateVariable } from '@forecourt/contract/email-templates';
import { texts } from '../../../texts/email-templates.ts';

/** Every field that a variable can be filled in from, with the key that it usually gets. */
const usualKeys: Record<LinkedData, string> = {
  'deal.customerName': 'customerName',
  'deal.customerNumber': 'customerNumber',
  'deal.customerEmail': 'customerEmail',
  'deal.dealNumber': 'dealNumber',
  'deal.vehicle': 'vehicle',
  'deal.deliveryDate': 'deliveryDate',
  'deal.saleAmount': 'saleAmount',
  'deal.status': 'dealStatus',
  'deal.notes': 'notes',
  'deals.table': 'deals',
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

/** The fields in their order. */
export const linkedFields: readonly LinkedData[] = Object.keys(usualKeys).filter(isLinked);

const groups = new Set<string>(Object.keys(texts.categories));
const isCategory = (text: string | undefined): text is TemplateVariable['category'] =>
  text !== undefined && groups.has(text);

/** The group of a field: the part before the dot. */
export function categoryOf(linked: LinkedData | null): TemplateVariable['category'] {
  const record = linked?.split('.')[0];
  return isCategory(record) ? record : 'other';
}

/** The variable that a field of the catalogue becomes in a template. */
export const catalogueVariable = (linkedData: LinkedData): TemplateVariable => ({
  key: usualKeys[linkedData],
  label: texts.linked[linkedData],
  category: categoryOf(linkedData),
  defaultValue: '',
  description: '',
  linkedData,
  required: false,
});

/**
 * What an undeclared key becomes: the field that usually has this key, or a variable of its own that is filled
 * in from nothing.
 */
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
