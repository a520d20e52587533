import { errorCatalogue } from '../platform/error-catalogue.ts';

/** Texts of the Share dialog and of transfers, for every kind of record (docs/product/sharing.md, Share dialog). */
export const texts = {
  share: (what: string) => `Share ${what}`,
  update: 'Update Sharing',
  removeAll: 'Remove All Shares',
  updating: 'Updating...',
  failed: errorCatalogue.dealerships.share,
  chooseUser: 'Please select a user',
  people: 'People',
  person: (name: string, email: string) => `${name} (${email})`,
  formerPerson: (name: string) => `${name} (no longer active)`,
  access: (name: string) => `Access for ${name}`,
  search: 'Search people',
  nobody: 'There is nobody to share with yet.',
  nobodyFound: 'Nobody with this name or email.',
  selected: (count: number) => (count === 1 ? '1 person selected' : `${count} people selected`),
  loadFailed: 'People could not be loaded',
  conflict: 'Somebody else has changed the sharing. This is the list as it is now; make your change again.',

  levels: { read: 'View', view: 'View', write: 'Edit' },
  dealershipLevels: { read: 'View Only', write: 'Edit', admin: 'Full Access' },

  sharedWith: 'Shared With',
  notShared: 'Nobody',
  entry: (name: string, level: string) => `${name} (${level})`,
  open: (names: string) => `Shared with ${names}. Change`,

  transferTitle: (what: string) => `Transfer ${what}`,
  transferConfirm: 'Transfer',
  transferring: 'Transferring...',
  transferFailed: errorCatalogue.dealerships.transfer,
  newOwner: 'New owner',
  chooseOwner: 'Choose a person',
  keep: 'Owners until now keep edit access',
  keepHint: 'Without it they have what their own permissions allow.',
  cannotSeeRows: (name: string) =>
    `${name} may not open Data Entry and will not see the rows. An administrator can allow it.`,
  reason: 'Reason',
  reasonHint: 'Kept in the audit log.',
} as const;
