type RecordKind = {
  /** Its name in a sentence of the audit log: `Ada Admin deleted item Dash cam`. */
  one: string;
  /** Its name in a list of kinds. */
  many: string;
  /** Changes are sent to open pages (see `events.ts`). */
  live?: true;
  /** The table of its records, and their column with a name unless that is `name`. */
  table?: string;
  nameColumn?: string;
  /** The message when another record has the name; its unique index is `items_name`. */
  taken?: string;
  /** API names of its share levels, in ascending order of rights (docs/product/sharing.md, Levels). */
  levels?: readonly string[];
  /** Its records have an order that people change. */
  ordered?: true;
  /** Its name among what a person owns, which is transferred when they leave. Deals and views have rules of their own. */
  owned?: string;
  /** Its name in the permission record, which lists the records that a person owns, may view and may edit. */
  resource?: string;
  /**
   * Its name in the preview of a restore, which counts its records: what people have entered, agreed or may do. Views and
   * settings only change what a screen shows.
   */
  compared?: string;
};

/**
 * Every kind of record, with what it has. Lists, unions and tables of kinds derive from this one; what only one kind has
 * is a function of its feature. Plain values, which browsers import without the schemas.
 */
export const recordKinds = {
  deal: {
    one: 'deal',
    many: 'Deals',
    live: true,
    table: 'deals',
    nameColumn: 'customer_name',
    levels: ['view', 'write'],
    compared: 'deals',
  },
  'deal-view': {
    one: 'saved view',
    many: 'Saved views',
    live: true,
    table: 'deal_views',
    taken: 'There is already a view with this name',
  },
  // The record of both is the deal.
  'deal-comments': { one: 'the comments on', many: 'Comments', live: true, compared: 'comments' },
  'deal-attachments': {
    one: 'the files of',
    many: 'Attachments of rows',
    live: true,
    compared: 'attachments',
  },
  dealership: {
    one: 'dealership',
    many: 'Dealerships',
    live: true,
    table: 'dealerships',
    levels: ['read', 'write', 'admin'],
    owned: 'dealerships',
    resource: 'dealerships',
    compared: 'dealerships',
  },
  'email-template': {
    one: 'email template',
    many: 'Email templates',
    live: true,
    table: 'email_templates',
    taken: 'There is already a template with this name',
    levels: ['read', 'write'],
    owned: 'emailTemplates',
    resource: 'emailTemplates',
    compared: 'templates',
  },
  'template-image': { one: 'image for templates', many: 'Images of templates' },
  item: {
    one: 'item',
    many: 'Items',
    live: true,
    table: 'items',
    taken: 'There is already an item with this name',
    levels: ['read', 'write'],
    owned: 'items',
    resource: 'itemConfigurations',
    ordered: true,
    compared: 'items',
  },
  status: {
    one: 'status',
    many: 'Statuses',
    live: true,
    table: 'statuses',
    taken: 'There is already a status with this name',
    resource: 'statusConfigurations',
    ordered: true,
    compared: 'statuses',
  },
  'custom-field': {
    one: 'custom field',
    many: 'Custom fields',
    live: true,
    table: 'custom_fields',
    taken: 'There is already a field with this name, perhaps a retired one',
    ordered: true,
    compared: 'customFields',
  },
  'do-not-contact': {
    one: 'do-not-contact entry',
    many: 'Do not contact',
    live: true,
    table: 'do_not_contact',
    nameColumn: 'value',
    compared: 'doNotContact',
  },
  month: { one: 'month', many: 'Months', live: true, compared: 'closedMonths' },
  statement: { one: 'statement', many: 'Statements', live: true, compared: 'statements' },
  user: { one: 'user', many: 'Users', live: true, table: 'users', compared: 'users' },
  permissions: { one: 'the permissions of', many: 'Permissions', live: true, compared: 'permissions' },
  session: { one: 'session', many: 'Signing in' },
  email: {
    one: 'email',
    many: 'Emails',
    live: true,
    table: 'emails',
    nameColumn: 'subject',
    compared: 'emails',
  },
  'email-attachment': { one: 'file for an email', many: 'Files for emails' },
  'email-settings': { one: 'the email settings of', many: 'Email settings', live: true },
  setting: { one: 'a setting', many: 'Settings', live: true },
  backup: { one: 'backup', many: 'Backups', live: true },
  export: { one: 'export', many: 'Exports', table: 'exports' },
  job: { one: 'background work', many: 'Background work', live: true },
  audit: { one: 'the audit log', many: 'Audit log' },
  setup: { one: 'installation', many: 'Installation' },
} as const satisfies Readonly<Record<string, RecordKind>>;

export type RecordKinds = typeof recordKinds;
export type KindOfRecord = keyof RecordKinds;

/** The kinds that have this property. */
export type KindWith<P extends keyof RecordKind> = {
  [K in KindOfRecord]: RecordKinds[K] extends Record<P, unknown> ? K : never;
}[KindOfRecord];

type Having<P extends keyof RecordKind> = {
  [K in KindWith<P>]: RecordKinds[K] & RecordKind & { kind: K };
}[KindWith<P>];

/** Returns the kinds that have this property, in the order of the table. */
export const kindsWith = <P extends keyof RecordKind>(property: P): readonly Having<P>[] =>
  Object.entries(recordKinds)
    .filter(([, of]) => property in of)
    .map(([kind, of]) => ({ kind, ...of }) as Having<P>);
