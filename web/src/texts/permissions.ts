import { sessionLimits, type permissionDefaults } from '@forecourt/contract/permission-defaults';
import { formatPlural } from '../platform/formats.ts';
import { texts as deals } from './deals.ts';

/** Texts of the Permissions screen (docs/product/people-and-permissions.md, Permission record). */
export const texts = {
  title: 'Permissions',
  note: 'What each person can open, see and change. Changes take effect on their open pages within a second.',
  loadFailed: 'Failed to fetch permissions',
  saveFailed: 'Failed to update permissions',
  roles: { admin: 'Administrator', user: 'User' },
  inactive: 'Inactive',
  custom: 'Own mix',
  presets: {
    defaults: 'Defaults',
    clerk: 'Clerk',
    teamLead: 'Team lead',
    readOnly: 'Read only',
  },
  presetNotes: {
    clerk: 'Adds rows and changes their own, sends emails',
    teamLead: 'All rows in bulk, dealerships, templates, items',
    readOnly: 'Views everything, changes and exports nothing',
  },

  fillIn: 'Fill in',
  presetHint: 'Flags only. Restrictions and session limits stay.',
  copy: 'Copy from person…',
  copyTitle: 'Copy from person',
  copyLabel: 'Person',
  copyHint: 'Fills in everything they have, restrictions and session limits too. Nothing is saved yet.',
  copyChoose: 'Choose a person',
  copyRequired: 'Please choose a person',
  copyConfirm: 'Fill in',
  nobodyFound: 'Nobody with this name',
  reset: 'Reset to defaults',
  filled: (from: string, leftOff: readonly string[]) =>
    [
      `Filled in from ${from}.`,
      ...(leftOff.length > 0 ? [`Left off, since they would have no effect: ${leftOff.join(', ')}.`] : []),
      'Review and save to apply it.',
    ].join(' '),
  viewAs: 'View as',
  viewAsSelf: 'This is you',
  viewAsInactive: 'Only active people can be viewed as',
  viewAsUnsaved: 'Save or discard the changes first',
  adminNote:
    'Administrators can do everything: only the session limits of this record apply. The rest applies if the role changes to User.',

  review: 'Review and save',
  discard: 'Discard changes',
  changes: (count: number) => formatPlural(count, 'unsaved change'),
  allSaved: 'All changes saved',
  reviewTitle: (name: string) => `Save permissions of ${name}?`,
  gains: 'Will be able to',
  losses: 'Will no longer be able to',
  otherChanges: 'Limits and restrictions',
  save: 'Save',
  saved: 'Permissions saved',
  leaveTitle: 'Leave without saving?',
  leaveQuestion: (name: string) =>
    `Your changes to the permissions of ${name} are not saved and will be lost.`,
  leave: 'Leave without saving',

  groups: {
    pages: { title: 'Pages', note: 'Which screens the person can open.' },
    dataEntry: { title: 'Data Entry', note: 'What the person can do with rows.' },
    visibility: {
      title: 'What rows and columns they see',
      note: 'Hidden records do not appear anywhere: in lists, search, sums, emails or exports.',
    },
    dealershipConfiguration: { title: 'Dealerships', note: 'Sharing is for administrators only.' },
    emailTemplateConfiguration: {
      title: 'Email templates',
      note: 'People always see their own and shared ones.',
    },
    itemConfiguration: { title: 'Items', note: 'People always see their own and shared ones.' },
    statusConfiguration: { title: 'Statuses', note: 'The company’s statuses are changed by administrators.' },
    features: { title: 'Features', note: 'What applies to several screens.' },
    sessions: { title: 'Sessions', note: 'Also for administrators.' },
    resources: { title: 'Own and shared records', note: 'Follows from ownership and sharing.' },
  } satisfies Record<
    keyof typeof permissionDefaults | 'visibility' | 'sessions' | 'resources',
    { title: string; note: string }
  >,

  /** `can` completes ‘Will be able to …’; without it the flag has no effect for the role user. */
  flags: {
    'pages.dataEntry': {
      label: 'Data Entry',
      note: 'The table of rows, their sums on the dashboard, and sending emails about them.',
      can: 'open Data Entry',
    },
    'pages.emailTemplates': {
      label: 'Email pages',
      note: 'Email History. With “Manage templates” also Email Templates.',
      can: 'open Email History, and Email Templates with “Manage templates”',
    },
    'pages.itemConfiguration': {
      label: 'Item Configuration',
      note: 'Opens with “Manage items”.',
      can: 'open Item Configuration with “Manage items”',
    },
    'pages.statusConfiguration': {
      label: 'Status Configuration',
      note: 'The statuses of deals and their colours.',
      can: 'open Status Configuration',
    },
    'pages.dealerships': {
      label: 'Dealerships page',
      note: 'Opens nothing by itself: “View dealerships” below does.',
    },
    'pages.userManagement': {
      label: 'Users page',
      note: 'Opens nothing for the role User: the page is for administrators.',
    },
    'pages.backups': {
      label: 'Backups page',
      note: 'Opens nothing for the role User: the page is for administrators.',
    },
    'dataEntry.canAddRows': {
      label: 'Add rows',
      note: 'Save new rows. Typing into the blank row needs “Edit rows” too.',
      can: 'add rows',
    },
    'dataEntry.canEditRows': {
      label: 'Edit rows',
      note: 'Type into new rows. Saved rows are changed by their owner, their creator and whom they are shared with.',
      can: 'type into new rows',
    },
    'dataEntry.canDeleteRows': {
      label: 'Delete rows',
      note: 'Those that they may edit.',
      can: 'delete rows that they may edit',
    },
    'dataEntry.canChangeOwnership': {
      label: 'Change owner',
      note: 'Hand rows of their own to a colleague, several at once with “Bulk changes”.',
      can: 'hand rows to another owner',
    },
    'dataEntry.canAccessAllMonths': {
      label: 'All months',
      note: 'Without it only the current month.',
      can: 'see months other than the current one',
    },
    'dataEntry.canSearchHistorical': {
      label: 'Search all months',
      note: 'Find rows of any month.',
      can: 'search the rows of all months',
    },
    'dataEntry.canViewEmailPreview': {
      label: 'Read emails',
      note: 'The words of a message, before it is sent and in the history.',
      can: 'read emails before they are sent and in the history',
    },
    'dataEntry.canExport': {
      label: 'Export rows',
      note: 'Take rows out as a file.',
      can: 'export rows together with “Export”',
    },
    'dealershipConfiguration.viewDealerships': {
      label: 'View dealerships',
      note: 'Addresses and contacts of every dealership.',
      can: 'see every dealership with its contacts',
    },
    'dealershipConfiguration.editDealerships': {
      label: 'Edit dealerships',
      note: 'Add and change them, activate and deactivate.',
      can: 'add, change, activate and deactivate dealerships',
    },
    'dealershipConfiguration.deleteDealerships': {
      label: 'Delete dealerships',
      note: 'Only dealerships without rows.',
      can: 'delete dealerships',
    },
    'emailTemplateConfiguration.viewTemplates': {
      label: 'View templates',
      note: 'Everybody’s, not only their own.',
      can: 'read everybody’s templates',
    },
    'emailTemplateConfiguration.editTemplates': {
      label: 'Edit templates',
      note: 'Change and delete everybody’s. The screen needs “Manage templates”.',
      can: 'change everybody’s templates',
    },
    'itemConfiguration.viewItems': {
      label: 'View items',
      note: 'With prices and costs.',
      can: 'see every item with its cost',
    },
    'itemConfiguration.editItems': {
      label: 'Edit items',
      note: 'Change and delete everybody’s. The screen needs “Manage items”.',
      can: 'change everybody’s items',
    },
    'statusConfiguration.viewStatuses': {
      label: 'View statuses',
      note: 'Shows Status Configuration in the menu of those who may open it.',
      can: 'see Status Configuration in the menu if they may open it',
    },
    'features.bulkEdit': {
      label: 'Bulk changes',
      note: 'Change many rows at once, and import them.',
      can: 'change many rows at once and import rows',
    },
    'features.manageTemplates': {
      label: 'Manage templates',
      note: 'Email Templates, with their own and shared ones.',
      can: 'write email templates together with the email pages',
    },
    'features.manageDealerships': {
      label: 'Manage dealerships',
      note: 'Opens nothing by itself: the flags of dealerships decide.',
    },
    'features.manageItems': {
      label: 'Manage items',
      note: 'Item Configuration, with their own and shared ones.',
      can: 'manage items together with Item Configuration',
    },
    'features.viewReports': {
      label: 'View reports',
      note: 'Sums by month, dealership, owner and status.',
      can: 'look at reports',
    },
    'features.closeMonths': {
      label: 'Close months',
      note: 'Month Close: check what is to be settled before a month is paid, and waive it with a reason.',
      can: 'check a month before it is paid',
    },
    'features.export': {
      label: 'Export',
      note: 'Take data out as files. Rows need “Export rows” too.',
      can: 'export data',
    },
  },
  /** Missing permissions: one of each list is required. */
  noEffect: (needs: readonly (readonly string[])[]) =>
    `No effect without ${needs.map((any) => any.map((label) => `“${label}”`).join(' or ')).join(' and ')}.`,
  on: 'On',
  off: 'Off',
  anyDay: 'Any day',
  flagTurned: (label: string, on: boolean) => `${label}: ${on ? 'on' : 'off'} (opens nothing by itself)`,

  ownRows: 'Own rows only',
  ownRowsNote:
    'On: this person sees only rows that they own, added or have a share of, also in sums, search, exports and reports.',
  allColumns: 'All columns',
  allColumnsNote: 'Off: this person sees only the columns chosen below.',
  visibleColumns: 'Visible columns',
  columns: { ...deals.columns, commissionRate: 'Commission rate' },
  hiddenDealerships: 'Hidden dealerships',
  hiddenDealershipsHint: 'Their rows are hidden too.',
  hiddenStatuses: 'Hidden statuses',
  hiddenStatusesHint: 'Rows in them are not seen.',
  hiddenRows: 'Hidden rows',
  searchRow: 'Search a row by customer, number or phone',
  noRowFound: 'No row found',
  typeToSearch: 'Type to search',
  gone: 'No longer there',
  showRow: (name: string) => `No longer hide ${name}`,
  moreRows: (count: number) => `and ${formatPlural(count, 'more row')}`,
  allMayBeSeen: 'None',
  firstDay: 'Rows made from',
  lastDay: 'Rows made to',
  maxSessions: 'Sign-ins at once',
  maxSessionsHint: `From 1 to ${sessionLimits.maxSessions}. One more ends the oldest.`,
  sessionTimeout: 'Idle minutes',
  sessionTimeoutHint: `From 1 to ${sessionLimits.sessionTimeout}. An idle session ends after this many minutes.`,
  wrongOrder: 'Must not be before the first day',
  noColumn: 'Choose at least one column',

  limits: {
    columns: (columns: string) => `Will see only these columns: ${columns}`,
    allColumns: 'Will see all columns',
    ownRows: 'Will see only their own rows and those shared with them',
    allRows: 'Will no longer be limited to their own rows',
    hide: (what: string, names: string) => `${what}: ${names}`,
    nowHidden: {
      dealerships: 'Dealerships now hidden',
      statuses: 'Statuses now hidden',
      rows: 'Rows now hidden',
    },
    nowShown: {
      dealerships: 'Dealerships no longer hidden',
      statuses: 'Statuses no longer hidden',
      rows: 'Rows no longer hidden',
    },
    days: (parts: readonly string[]) => `Rows made ${parts.join(' ')}`,
    from: (day: string) => `from ${day}`,
    to: (day: string) => `to ${day}`,
    anyDay: 'Rows made on any day',
    maxSessions: (before: number, after: number) => `Sign-ins at once: ${after} (now ${before})`,
    sessionTimeout: (before: number, after: number) =>
      `Idle minutes before sign-out: ${after} (now ${before})`,
  },
  rows: (count: number) => formatPlural(count, 'row'),

  owned: 'Owns',
  canView: 'Shared to view',
  canEdit: 'Shared to edit',
  kind: 'Kind',
} as const;
