/** Texts of the General Settings screen (docs/product/settings.md, General Settings screen). */
export const texts = {
  title: 'General Settings',
  note: 'What deals earn, and how rows behave when they are edited.',
  readOnly: 'Read-only',
  onlyAdministrators: 'Only administrators can modify settings.',
  loadFailed: 'Failed to fetch settings',

  owner: 'Settings of',
  mine: 'My Settings',
  company: 'Company defaults',
  users: 'Users',
  user: (name: string, email: string) => `${name} (${email})`,
  inactiveUser: (name: string, email: string) => `${name} (${email}), inactive`,
  nobodyFound: 'Nobody with this name or email',
  about: {
    company: 'These apply to everyone without a value of their own.',
    mine: 'Where you have no value of your own, the company default applies.',
    user: (name: string) => `Where ${name} has no value of their own, the company default applies.`,
  },

  sections: {
    commission: 'Commission Settings',
    dataEntry: 'Data Entry Settings',
    statements: 'Statement Settings',
  },
  sectionNotes: {
    commission: 'Percent of the sale amount. A change applies to new deals; existing deals keep their rate.',
    dataEntry: 'How rows behave in the Data Entry table.',
    statements: 'What statements of closed months show.',
  },
  labels: {
    'commission.newSales': 'New sales commission',
    'commission.usedSales': 'Used sales commission',
    'commission.defaultSales': 'Default commission',
    'dataEntry.moveEditedToCurrentMonth': 'Move edited rows to the current month',
    'statements.gstRate': 'GST',
  },
  hints: {
    'commission.newSales': 'Dealerships whose name contains “new”',
    'commission.usedSales': 'Dealerships whose name contains “used”, but not “new”',
    'commission.defaultSales': 'All other dealerships',
    'dataEntry.moveEditedToCurrentMonth': 'Editing a row of an earlier month moves it to the current month.',
    'statements.gstRate': 'Amounts include it. A change applies to months that are closed from now on.',
  },
  percent: 'Enter a number from 0 to 100 with at most 2 decimals',
  on: 'On',
  off: 'Off',

  own: 'Own value',
  inherited: 'Company default',
  missing: 'Not set',
  productDefault: 'Default',
  toDefault: 'Use company default',
  toDefaultOf: (label: string) => `Use company default: ${label}`,
  defaultIs: (value: string) => `Company default: ${value}`,

  save: 'Save',
  unsaved: 'Not saved yet',
  discard: 'Discard',
  discardOf: (section: string) => `Discard changes: ${section}`,
  saveOf: (section: string) => `Save ${section}`,
  saved: {
    mine: (section: string) => `${section} saved`,
    company: (section: string) => `${section} of the company saved`,
    user: (section: string, name: string) => `${section} of ${name} saved`,
  },
  saveFailed: {
    commission: 'Failed to save commission settings',
    dataEntry: 'Failed to save data entry settings',
    statements: 'Failed to save statement settings',
  },
  updateFailed: (name: string) => `Failed to update setting: ${name}`,
  createFailed: 'Failed to create setting',
  deleteFailed: (name: string) => `Failed to delete setting: ${name}`,

  missingRates: (labels: string) =>
    `Not set for the company: ${labels}. Deals of people without a rate of their own get no commission rate there, and show Not set.`,
  missingOthers: (labels: string) =>
    `Not set for the company: ${labels}. Until it is, rows stay in their month.`,
  setRates: 'Set company rates',
  initialize: (values: string) => `Set company default to ${values}`,
  initialized: (values: string) => `Company default set to ${values}`,
  initializeFailed: 'Failed to initialize default settings',

  withoutRate: (deals: number) =>
    deals === 1 ? '1 deal has no commission rate.' : `${deals} deals have no commission rate.`,
  setRatesFirst: 'Set the rates that are missing to apply them.',
  applyRates: 'Apply to rows without a rate',
  applyNote:
    'These deals were written before a rate was set for them. They get the current rates; deals that have a rate keep it.',
  person: 'Person',
  deals: 'Deals',
  difference: 'Commission',
  more: (amount: string) => `+${amount}`,
  total: 'Total',
  stillWithout: (deals: number) =>
    deals === 1
      ? '1 more deal stays without a rate: none is set for its kind of dealership.'
      : `${deals} more deals stay without a rate: none is set for their kind of dealership.`,
  apply: (deals: number) => (deals === 1 ? 'Apply to 1 deal' : `Apply to ${deals} deals`),
  applied: (deals: number) =>
    deals === 1 ? '1 deal has its rate now' : `${deals} deals have their rate now`,
  applyFailed: 'Failed to apply the rates',

  unchanged: 'Nothing is changed',
  leaveTitle: 'Leave without saving?',
  leaveQuestion: 'The settings that you changed here are not saved yet.',
  leave: 'Leave',
} as const;
