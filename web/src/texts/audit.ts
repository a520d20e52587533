import { formatPlural } from '../platform/formats.ts';

/** What a kind of record is called in a sentence, and alone in a list of kinds. */
const kinds = {
  deal: { one: 'deal', many: 'Deals' },
  dealership: { one: 'dealership', many: 'Dealerships' },
  'email-template': { one: 'email template', many: 'Email templates' },
  'template-image': { one: 'image for templates', many: 'Images of templates' },
  email: { one: 'email', many: 'Emails' },
  'email-attachment': { one: 'file for an email', many: 'Files for emails' },
  user: { one: 'user', many: 'Users' },
  permissions: { one: 'the permissions of', many: 'Permissions' },
  session: { one: 'session', many: 'Signing in' },
  'email-settings': { one: 'the email settings of', many: 'Email settings' },
  item: { one: 'item', many: 'Items' },
  status: { one: 'status', many: 'Statuses' },
  setting: { one: 'a setting', many: 'Settings' },
  backup: { one: 'backup', many: 'Backups' },
  export: { one: 'export', many: 'Exports' },
  audit: { one: 'the audit log', many: 'Audit log' },
} as const;

/** What was done, for every kind of record. */
const verbs: Readonly<Record<string, string>> = {
  created: 'added',
  updated: 'changed',
  deleted: 'deleted',
  restored: 'restored',
  shared: 'changed the sharing of',
  transferred: 'handed over',
  requested: 'asked for',
  downloaded: 'downloaded',
  cancelled: 'cancelled',
  paused: 'paused',
  verified: 'tested',
  finished: 'finished',
  failed: 'could not finish',
};

/** What is said in words of its own. */
const whole: Readonly<Record<string, string>> = {
  'session.started': 'signed in',
  'session.ended': 'ended a session',
  'session.refused': 'refused a sign-in',
  'password-link.requested': 'was asked for a link to choose a password',
  'user.password-reset': 'gave a temporary password to',
  'user.invited': 'invited',
  'user.sessions-ended': 'ended sessions of',
  'user.two-step-reset': 'forgot the authenticator app of',
  'user.transferred': 'handed over everything of',
  'user.viewed': 'looked at the product as',
  'export.created': 'began the export',
  'export.finished': 'got the finished export',
  'export.downloaded': 'downloaded the export',
  'export.cancelled': 'cancelled the export',
  'export.deleted': 'deleted the export',
  'audit.blanked': 'removed the values of the entries about',
};

/** Texts of the audit log. */
export const texts = {
  title: 'Audit Logs',
  note: 'Who did what, from where, and what it was before. Nothing in here can be changed.',
  table: 'Audit entries',
  loadFailed: 'The audit log could not be loaded',
  kinds,
  verbs,
  whole,

  search: 'Search names, values and addresses',
  person: 'Person',
  everybody: 'Everybody',
  kind: 'Kind',
  everything: 'Everything',
  action: 'Action',
  anyAction: 'Any action',
  from: 'From',
  to: 'To',
  record: 'Only one record',
  clear: 'Clear filters',
  empty: 'Nothing has happened yet',
  noMatch: 'No entry matches',
  noMatchNext: 'Try fewer words, or a longer time.',
  searchedSoFar: 'Nothing found so far; there are older entries.',

  when: 'When',
  what: 'What',
  where: 'From where',
  older: 'Show older entries',
  found: (total: string, isCapped: boolean) => `${total}${isCapped ? ' or more' : ''} found`,
  open: (sentence: string) => `Open “${sentence}”`,

  entry: 'Audit entry',
  by: 'Who',
  program: 'The program itself',
  address: 'Address',
  request: 'Request',
  field: 'Field',
  before: 'Before',
  after: 'After',
  nothing: '–',
  yes: 'Yes',
  no: 'No',
  noValues: 'This entry has no values.',
  blanked: 'The values of this entry were removed on the order of an administrator.',
  ofThisRecord: 'All entries about this record',
  blank: 'Remove personal data…',
  blankTitle: 'Remove personal data',
  blankWhat: (name: string) =>
    `The values before and after are removed from every entry about ${name}. Who did what and when stays, and so does your order with its reason. This action cannot be undone.`,
  blankReason: 'Reason',
  blankReasonRequired: 'Reason is required',
  blankSubmit: 'Remove Values',
  blankDone: (count: number) => `Removed the values of ${formatPlural(count, 'entry', 'entries')}`,
  blankFailed: 'Failed to remove the values',

  export: 'Export',
  verify: 'Verify Log',
  verifying: (entries: string) => `Verifying… ${entries} entries so far`,
  verifyFailed: 'The log could not be verified',
  isWhole: 'The log is whole',
  isWholeWhat: (entries: string) =>
    `${entries} entries are as they were written: none was changed, removed, added or moved.`,
  broken: 'The log was tampered with',
  brokenWhat: (count: number) =>
    `${formatPlural(count, 'place')} ${count === 1 ? 'does' : 'do'} not fit. Somebody changed the database past the program: keep a copy of it before anything else.`,
  otherKey: (seals: number) =>
    `${formatPlural(seals, 'seal')} were made with a former SECRET_KEY: they fit their entries, but who made them cannot be told.`,
  head: (seal: string, when: string) =>
    `The log ends with seal ${seal} of ${when}. Note its mark to compare it later:`,
  unsealed: (count: number) =>
    `${formatPlural(count, 'entry', 'entries')} of the last seconds will be sealed in a moment.`,
  problems: {
    changed: (entry: string) => `Entry ${entry} says something else than when it was written.`,
    missing: (entry: string) => `Entry ${entry} is gone.`,
    inserted: (entry: string) => `Entry ${entry} was added past the program.`,
    blanked: (entry: string) => `The values of entry ${entry} were removed without an order.`,
    seal: (seal: string) => `Seal ${seal} does not follow from the one before it.`,
    end: (seal: string) => `The log does not end with seal ${seal}: newer entries were cut off.`,
  },
} as const;
