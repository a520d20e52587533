type RecordKind = {
  /** Its name in a sentence of the audit log: `Ada Admin deleted item Dash cam`. */
  one: string;
  /** Its name in a list of kinds. */
  many: string;
  /** Changes are sent to open pages (see `events.ts`). */
  live?: true;
};

/**
 * Every kind of record, with what it has. Lists, unions and tables of kinds derive from this one; what only one kind has
 * is a function of its feature. Plain values, which browsers import without the schemas.
 */
export const recordKinds = {
  deal: { one: 'deal', many: 'Deals', live: true },
  'deal-view': { one: 'saved view', many: 'Saved views', live: true },
  // The record of both is the deal.
  'deal-comments': { one: 'the comments on', many: 'Comments', live: true },
  'deal-attachments': { one: 'the files of', many: 'Attachments of rows', live: true },
  dealership: { one: 'dealership', many: 'Dealerships', live: true },
  'email-template': { one: 'email template', many: 'Email templates', live: true },
  'template-image': { one: 'image for templates', many: 'Images of templates' },
  item: { one: 'item', many: 'Items', live: true },
  status: { one: 'status', many: 'Statuses', live: true },
  'custom-field': { one: 'custom field', many: 'Custom fields', live: true },
  'do-not-contact': { one: 'do-not-contact entry', many: 'Do not contact', live: true },
  user: { one: 'user', many: 'Users', live: true },
  permissions: { one: 'the permissions of', many: 'Permissions', live: true },
  session: { one: 'session', many: 'Signing in', live: true },
  email: { one: 'email', many: 'Emails', live: true },
  'email-attachment': { one: 'file for an email', many: 'Files for emails' },
  'email-settings': { one: 'the email settings of', many: 'Email settings', live: true },
  setting: { one: 'a setting', many: 'Settings', live: true },
  backup: { one: 'backup', many: 'Backups', live: true },
  export: { one: 'export', many: 'Exports' },
  job: { one: 'background work', many: 'Background work', live: true },
  audit: { one: 'the audit log', many: 'Audit log' },
  setup: { one: 'installation', many: 'Installation' },
} as const satisfies Readonly<Record<string, RecordKind>>;

type Kinds = typeof recordKinds;
export type KindOfRecord = keyof Kinds;

/** The kinds that have this property. */
export type KindWith<P extends keyof RecordKind> = {
  [K in KindOfRecord]: Kinds[K] extends Record<P, unknown> ? K : never;
}[KindOfRecord];
