import { MAX_CONTACTS_AT_ONCE } from '@forecourt/contract/contact-value';
import { formatCount, formatPlural } from '../platform/formats.ts';

/** Texts of the Do not contact list (docs/product/data-entry.md, Do not contact). */
export const texts = {
  title: 'Do Not Contact',
  note: 'Customers who do not want to be contacted, by phone number and email address. Their rows are marked, and no email is sent to them.',
  table: 'Do not contact',
  add: 'Add to List',
  empty: 'Nobody is on the list',
  emptyNext: 'Add the phone numbers and email addresses of customers who do not want to be contacted.',
  noMatch: 'No entries match the search',
  noMatchNext: 'Change or clear the search.',
  loadFailed: 'Failed to load the list. Please refresh the page.',
  search: 'Search the list',

  value: 'Phone or email',
  reason: 'Reason',
  addedBy: 'Added by',
  createdAt: 'Added',

  open: 'Do not contact…',
  formTitle: 'Do not contact',
  values: 'Phone numbers and email addresses',
  valuesHint: `One on each line; paste up to ${formatCount(MAX_CONTACTS_AT_ONCE)}.`,
  reasonHint: 'What the customer said, and how.',
  submit: 'Add',
  added: (count: number) =>
    count === 0 ? 'Already on the list' : `${formatPlural(count, 'entry', 'entries')} added`,
  saveFailed: 'The list could not be changed. Please try again.',

  remove: 'Remove',
  removeTitle: 'Remove from the list',
  removeQuestion: (value: string) =>
    `Rows with ${value} are no longer marked, and it may be contacted again.`,
  removed: (value: string) => `${value} is no longer on the list`,
  reasons: { NOT_CONTACT_ADDER: 'Only the person who added it and administrators can remove it' },

  mark: 'Do not contact',
  since: (day: string, reason: string, by: string) => `Do not contact since ${day}: ${reason} (${by})`,
  nothingToAdd: 'There is no phone number or email address here',
  isListed: 'Already on the Do Not Contact list',
} as const;
