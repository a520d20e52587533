import { formatMonthName } from '../platform/formats.ts';

export const texts = {
  title: 'Dealership',
  close: 'Close (Escape)',
  edit: 'Edit',
  loadFailed: 'The dealership could not be loaded',
  gone: 'This dealership does not exist or is hidden from you',
  toList: 'Open Dealership Management',

  details: 'Details',
  owner: 'Owner',
  commission: 'Commission',
  none: '–',
  noContacts: 'Nobody yet. Without a contact no email can be sent.',
  lastEmail: 'Last email',
  noEmail: 'No email yet',
  month: (month: string) => `Figures of ${formatMonthName(month)}`,
  deals: 'Deals',
  sale: 'Sale',
  rows: 'Show the rows',

  done: {
    created: 'added this dealership',
    updated: 'changed it',
    shared: 'changed who it is shared with',
    transferred: 'transferred it',
  },
  fields: {
    name: 'Name',
    address: 'Address',
    template: 'Template',
    active: 'Status',
    contact: 'Contact',
    owner: 'Owner',
    sharedWith: 'Shared with',
  },
  level: { read: 'view', write: 'edit', admin: 'full access' },
} as const;
