import { texts } from '../../../texts/deal-import.ts';
import type { ImportField } from '../../../ui/import/matched-columns.ts';
import { existsFor, type DealOptions } from '../deal-fields.ts';

export type ImportedField = keyof typeof texts.fields;

/** Alternative column names in files. */
const ALIASES: { readonly [field in ImportedField]: readonly string[] } = {
  customerName: [
    'Customer name',
    'Name',
    'Full name',
    'Client',
    'Client name',
    'Buyer',
    'Buyer name',
    'Purchaser',
  ],
  customerNumber: [
    'Phone number',
    'Mobile',
    'Mobile number',
    'Mobile phone',
    'Telephone',
    'Contact number',
    'Customer number',
    'Customer phone',
    'Tel',
  ],
  dealershipId: ['Dealership name', 'Dealer', 'Dealer name', 'Branch', 'Yard'],
  status: ['Deal status'],
  customerEmail: ['Email', 'Email address'],
  dealNumber: ['Deal no', 'Deal', 'Deal ID', 'Order number', 'Order no', 'Contract number', 'Contract no'],
  vehicle: ['Car', 'Vehicle description', 'Make and model', 'Make model', 'Model'],
  deliveryDate: ['Delivery date', 'Date of delivery', 'Delivered', 'Handover', 'Handover date'],
  items: ['Item', 'Products', 'Product', 'Sold'],
  saleAmount: ['Sale amount', 'Sale price', 'Amount', 'Price', 'Total'],
  costAmount: ['Cost amount', 'Cost price'],
  followUpAt: ['Follow up at', 'Follow up date', 'Call back', 'Call back at'],
  notes: ['Note', 'Comments', 'Comment', 'Remarks'],
  month: ['Deal month', 'Business month', 'Period'],
};

/** Returns the fields that a user can import: columns that do not exist for them are excluded. */
export function importFields(options: DealOptions | undefined): readonly ImportField<ImportedField>[] {
  const choices: { readonly [field in ImportedField]?: readonly string[] } = {
    dealershipId: options?.dealerships.filter(({ active }) => active).map(({ name }) => name) ?? [],
    status: options?.statuses.filter(({ active }) => active).map(({ name }) => name) ?? [],
  };
  return (Object.keys(texts.fields) as ImportedField[])
    .filter((field) => field === 'month' || options === undefined || existsFor(options, field))
    .map((field) => ({
      field,
      label: texts.fields[field],
      aliases: ALIASES[field],
      ...(choices[field] && { options: choices[field] }),
    }));
}
