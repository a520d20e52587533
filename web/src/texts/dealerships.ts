import { errorCatalogue } from '../platform/error-catalogue.ts';
import { formatPlural } from '../platform/formats.ts';

const { dealershipScreen, dealerships } = errorCatalogue;

/** Texts of the Dealership Settings screen (docs/product/dealerships.md, Dealership Settings screen). */
export const texts = {
  title: 'Dealership Management',
  note: 'Who receives the emails about a deal, and which template they get.',
  table: 'Dealerships',
  add: 'Add Dealership',
  edit: 'Edit Dealership',
  actions: 'Actions',
  activateSelected: 'Activate Selected',
  deactivateSelected: 'Deactivate Selected',
  shareSelected: 'Share Selected',
  transferSelected: 'Transfer Selected',
  many: (count: number) => (count === 1 ? '1 dealership' : `${count} dealerships`),
  empty: 'No dealerships available',
  emptyNext:
    'Add the first one with its contacts: deals belong to a dealership, and its contacts get the emails.',
  loadFailed: dealershipScreen.load,
  noView: dealershipScreen.noView,

  name: 'Name',
  address: 'Address',
  defaultTemplate: 'Default Template',
  contacts: 'Contacts',
  status: 'Status',
  active: 'Active',
  inactive: 'Inactive',
  noTemplate: 'None',
  contactCount: (count: number) => formatPlural(count, 'contact'),
  commission: {
    newSales: 'New sales commission',
    usedSales: 'Used sales commission',
    defaultSales: 'Default commission',
  },
  commissionBecause: {
    newSales: 'The name contains “new”: deals here earn the new sales rate.',
    usedSales: 'The name contains “used”: deals here earn the used sales rate.',
    defaultSales: 'The name contains neither “new” nor “used”: deals here earn the default rate.',
  },

  reasons: {
    NO_DEALERSHIP_EDIT: 'You do not have permission to edit dealerships',
    NO_DEALERSHIP_TOGGLE: 'You do not have permission to change dealership status',
    NO_DEALERSHIP_DELETE: 'You do not have permission to delete dealerships',
    NO_DEALERSHIP_SHARE: 'Only administrators can share dealerships',
    NO_DEALERSHIP_TRANSFER: 'Only administrators can transfer dealerships',
  },

  deleteTitle: 'Delete Dealership',
  deleteQuestion: 'Are you sure you want to delete this dealership? This action cannot be undone.',
  deleteWhat: (name: string, contacts: number) =>
    contacts === 0 ? name : `${name}, with ${contacts === 1 ? '1 contact' : `${contacts} contacts`}`,
  delete: 'Delete',

  defaultTemplateLabel: 'Default email template',
  chooseTemplate: 'Choose a template',
  hiddenTemplate: 'A template that you cannot see',
  noTemplateFound: 'No template has this name',
  draftTemplate: (name: string) => `${name} (draft)`,
  draftNote: 'Draft: cannot be sent',
  draftWarning: 'This template is a draft. Emails to this dealership cannot be sent until it is active.',
  noTemplates: 'There is no template yet.',
  makeTemplate: 'Write the first one',
  activeHint: 'Inactive dealerships are not offered for new deals.',
  contactsNote: 'Active contacts marked To or Cc receive the email about each deal.',
  noContacts: 'Nobody yet. Without a contact no email can be sent.',
  addContact: 'Add contact',
  removeContact: (number: number) => `Remove contact ${number}`,
  contactGroup: (number: number) => `Contact ${number}`,
  contactName: 'Name',
  contactEmail: 'Email',
  contactTemplate: 'Template',
  contactTo: 'To',
  contactCc: 'Cc',
  contactActive: 'Active',

  nameRequired: 'Dealership name is required',
  addressRequired: 'Address is required',
  templateRequired: 'Default email template is required',
  contactNameRequired: 'Contact name is required',
  contactEmailInvalid: 'Must be an email address',
  fixErrors: 'Please fix the validation errors below',

  saveFailed: dealershipScreen.save,
  created: 'Dealership added successfully',
  updated: 'Dealership updated successfully',
  deleted: dealershipScreen.deleted,
  deleteFailed: dealershipScreen.delete,
  statusFailed: dealerships.status,
  activated: dealershipScreen.activated,
  deactivated: dealershipScreen.deactivated,
  manyActivated: dealershipScreen.manyActivated,
  manyDeactivated: dealershipScreen.manyDeactivated,

  sharing: 'Sharing',
  sharingNote: 'Who else sees this dealership, or may change it.',
  shared: (count: number, people: number) =>
    people === 0
      ? `Successfully removed all sharing from ${count} dealership(s)`
      : `Successfully shared ${count} dealership(s) with ${people} user(s)`,
  transferred: (count: number) => `Successfully transferred ${count} dealership(s)`,
  editsAnyway: (name: string) => `${name} may edit all dealerships anyway.`,
  editsOnlyHere: (name: string) => `${name} may not edit other dealerships.`,
  seesOnlyHere: (name: string) => `${name} may not see or edit other dealerships.`,
} as const;
