import type { RouteKey } from '@forecourt/contract/api';
import { createClock } from '../../src/platform/clock.ts';
import { newId } from '../../src/platform/ids.ts';
import { CLOSED_MONTH, MESSAGE, NEXT_MONTH, TEMPLATE, VIEW, WAIVED_MONTH, type Records } from './world.ts';

/** Which personas may make a call, with input that is valid apart from permissions. */
export type Expectation = {
  may: (persona: string) => boolean;
  /** Open to personas who are blocked elsewhere with one of these codes. */
  openBefore?: readonly string[];
  /** Returns a file, which is refused while viewing as another user. */
  isDownload?: true;
  /** The call ends or replaces its session, so it gets a new one. */
  ownSession?: true;
  /** Personas whose input is invalid: its records are hidden from them, or the code is wrong. */
  badInputFor?: (persona: string) => boolean;
  /** Personas who may know that the records in the body exist, although the call is refused. */
  knownTo?: (persona: string) => boolean;
  params?: (records: Records) => Record<string, string>;
  query?: string;
  body?: (records: Records) => object;
};

const everyone = (): boolean => true;
const ADMINISTRATORS = new Set(['administrator', 'administrator who views']);
/** Administrators and the named personas. */
const only =
  (...names: string[]) =>
  (persona: string): boolean =>
    ADMINISTRATORS.has(persona) || names.includes(persona);
const allBut =
  (...names: string[]) =>
  (persona: string): boolean =>
    !names.includes(persona);

const NO_PAGE = 'without pages.dataEntry';
const NO_REPORTS = 'without features.viewReports';
/** Personas without access to the row of the matrix. */
const WITHOUT_ACCESS = [
  NO_PAGE,
  'restricted row',
  'restricted dealership',
  'restricted status',
  'restricted first day',
  'restricted last day',
  'restricted to own rows',
];
const NO_EXPORT = [NO_PAGE, 'without features.export', 'without dataEntry.canExport'];
const RESTRICTED = [...WITHOUT_ACCESS.slice(1), 'restricted columns'];
const SHARES = ['write share', 'read share', 'full share'];
/** Every persona with bulkEdit, manageTemplates, manageItems and the flags of a clerk. */
const WORKING = ['owner', ...SHARES, ...RESTRICTED];

const SEES_DEALERSHIP = [
  'owner',
  ...SHARES,
  'with dealershipConfiguration.viewDealerships',
  'dealership editor',
];
const EDITS_DEALERSHIP = ['owner', 'write share', 'full share', 'dealership editor'];
const SEES_TEMPLATE = [
  'owner',
  ...SHARES,
  'with emailTemplateConfiguration.viewTemplates',
  'with emailTemplateConfiguration.editTemplates',
  'template editor',
];
const MANAGES_TEMPLATES = [
  'with features.manageTemplates',
  'template manager',
  'template editor',
  ...WORKING,
];
const EDITS_TEMPLATES = ['with emailTemplateConfiguration.editTemplates', 'template editor'];
const EDITS_TEMPLATE = ['owner', 'write share', 'full share', ...EDITS_TEMPLATES];
const EDITS_ITEMS = ['with itemConfiguration.editItems', 'item editor'];
const SEES_ITEM = [
  'owner',
  ...SHARES,
  'with itemConfiguration.viewItems',
  'with itemConfiguration.editItems',
  'item editor',
];
const MANAGES_ITEMS = ['with features.manageItems', 'item manager', 'item editor', ...WORKING];
const EDITS_DEAL = ['owner', 'write share', 'full share'];

const id = (field: keyof Records) => (records: Records) => ({ id: records[field] });
const dealership = (records: Records) => ({
  name: 'Harbour Cars',
  address: '1 Pier Street',
  defaultEmailTemplateId: records.templateId,
});
const merge = ({ dealId, otherDealId }: Records) => ({ survivor: dealId, others: [otherDealId] });
const dealAttachment = ({ dealId, dealAttachmentId }: Records) => ({
  id: dealId,
  attachmentId: dealAttachmentId,
});
const comment = ({ dealId, commentId }: Records) => ({ id: dealId, commentId });
const item = () => ({ name: `Item ${Math.random()}`, price: 99.5 });
const status = () => ({ name: `Status ${Math.random()}`, color: '#2f6fb2' });
const customField = () => ({ name: `Field ${Math.random()}`, type: 'text' });
const monthNow = () => createClock('Australia/Sydney').businessMonth();
const view = () => ({ name: `View ${Math.random()}`, ...VIEW });
const template = () => ({ name: `Template ${Math.random()}`, ...TEMPLATE });
const sharedWith = (permissions: string) => (records: Records) => ({
  sharedWith: [{ userId: records.bystanderId, permissions }],
});
const transfer = (field: string, of: keyof Records) => (records: Records) => ({
  [field]: [records[of]],
  targetUserId: records.strangerId,
});
const sshServer = {
  enabled: true,
  host: '127.0.0.1',
  port: 9,
  username: 'keeper',
  authMethod: 'password',
  password: 'x',
  remotePath: 'copies',
};

const bucket = {
  enabled: true,
  endpoint: 'http://127.0.0.1:9',
  bucket: 'copies',
  pathStyle: true,
  accessKeyId: 'keeper',
  secretAccessKey: 'x',
};

const mailServer = {
  smtpHost: '127.0.0.1',
  smtpPort: 9,
  smtpSecure: false,
  smtpUser: 'user',
  smtpPassword: 'mail password',
  smtpFromEmail: 'user@example.com',
};
const NEW_SALES = 'commission.newSales';
const settingOf = (field: keyof Records) => (records: Records) => ({
  userId: records[field],
  name: NEW_SALES,
});
const newSales = () => ({ value: 4.5, dataType: 'number', category: 'commission' });
const person = id('bystanderId');
const monthClosers = { may: only('with features.closeMonths') };
const readsStatement = { may: only('owner', 'with features.closeMonths'), params: id('statementId') };
const ownStatement = { may: (persona: string) => persona === 'owner', params: id('statementId') };
/** Administrators, about the bystander. */
const ofPerson = { may: only(), params: person };
/** The caller's own password. A wrong password is refused after authorisation. */
const PASSWORD = { currentPassword: 'not the password' };

/** Public routes, which need no session. */
export const OPEN = [
  'GET /health',
  'GET /live',
  'GET /ready',
  'POST /auth/login',
  'GET /auth/setup',
  'POST /auth/register',
  'POST /auth/forgot-password',
  'POST /auth/reset-password',
  'GET /downloads/:ticket',
] as const satisfies readonly RouteKey[];

/** Bodies for the public routes that take one. */
export const openBodies: { [key in (typeof OPEN)[number]]?: () => object } = {
  'POST /auth/login': () => ({ email: `${newId()}@example.com`, password: 'x' }),
  'POST /auth/register': () => ({
    key: 'guessed',
    name: 'Eve',
    email: 'eve@example.com',
    password: 'a wholly new password',
  }),
  'POST /auth/forgot-password': () => ({ email: `${newId()}@example.com` }),
  'POST /auth/reset-password': () => ({ key: 'guessed', newPassword: 'a wholly new password' }),
};

/** Administrators, about a backup. */
const ofBackup = {
  may: only(),
  params: ({ backupName }: Records) => ({ name: backupName }),
};

const TWO_STEP = ['TWO_STEP_SETUP_REQUIRED'];
const ENTRY = ['PASSWORD_CHANGE_REQUIRED', ...TWO_STEP];

const newDeal = ({ dealershipId }: Records) => ({ dealershipId, customerName: 'Bob' });
/** Whoever may add the row and then sees it. */
const addsDeal = {
  may: only(
    'with dataEntry.canAddRows',
    'clerk',
    'team lead',
    'owner',
    ...SHARES,
    'restricted row',
    'restricted status',
    'restricted to own rows',
  ),
  badInputFor: (persona: string) => ['restricted dealership', 'restricted columns'].includes(persona),
  // Names of dealerships are visible to everyone with the page.
  knownTo: (persona: string) => ['restricted first day', 'restricted last day'].includes(persona),
};

/** Every other route. A missing one fails the type check and the matrix. */
export const expectations: Record<Exclude<RouteKey, (typeof OPEN)[number]>, Expectation> = {
  'POST /auth/logout': { may: everyone, openBefore: ENTRY, ownSession: true },
  'GET /auth/me': { may: everyone, openBefore: ENTRY },
  'POST /auth/change-password': {
    may: everyone,
    openBefore: ENTRY,
    body: () => ({ ...PASSWORD, newPassword: 'a wholly new password' }),
  },
  'GET /auth/sessions': { may: everyone },
  // The session belongs to another user: nobody may end it here, not even an administrator.
  'DELETE /auth/sessions/:id': { may: () => false, params: id('sessionId') },
  'GET /auth/two-step': { may: everyone, openBefore: TWO_STEP },
  'POST /auth/two-step': { may: everyone, openBefore: TWO_STEP, body: () => PASSWORD },
  'POST /auth/two-step/confirm': {
    may: everyone,
    openBefore: TWO_STEP,
    badInputFor: everyone,
    body: () => ({ code: '000000' }),
  },
  'POST /auth/two-step/recovery-codes': { may: everyone, body: () => PASSWORD },
  'POST /auth/two-step/turn-off': { may: everyone, body: () => PASSWORD },

  'GET /permissions': { may: only() },
  'GET /permissions/user/:id': ofPerson,
  'PUT /permissions/user/:id': { ...ofPerson, body: () => ({ features: { bulkEdit: true } }) },
  'POST /permissions/user/:id/view-as': ofPerson,

  'GET /settings': { may: everyone },
  'GET /settings/category/:category': { may: everyone, params: () => ({ category: 'commission' }) },
  'GET /settings/user/:userId': { may: only(), params: settingOf('bystanderId') },
  'GET /settings/user/:userId/category/:category': {
    may: only(),
    params: ({ bystanderId }) => ({ userId: bystanderId, category: 'dataEntry' }),
  },
  'PUT /settings/:name': { may: only(), params: () => ({ name: NEW_SALES }), body: () => ({ value: 4.5 }) },
  'PATCH /settings/:name': { may: only(), params: () => ({ name: NEW_SALES }), body: newSales },
  'PUT /settings/user/:userId/:name': {
    may: only(),
    params: settingOf('bystanderId'),
    body: () => ({ value: 4.5 }),
  },
  'PATCH /settings/user/:userId/:name': { may: only(), params: settingOf('bystanderId'), body: newSales },
  'DELETE /settings/user/:userId/:name': { may: only(), params: settingOf('configuredId') },
  'POST /settings': {
    may: only(),
    body: () => ({ settingName: 'commission.usedSales', value: 4.5 }),
  },
  'DELETE /settings/:name': { may: only(), params: () => ({ name: 'commission.defaultSales' }) },
  'POST /settings/initialize': { may: only() },

  'GET /user-activity': { may: only() },
  'GET /user-activity/sessions': { may: only() },

  'GET /exports': { may: allBut(...NO_EXPORT) },
  'POST /exports': { may: only(), body: () => ({ kind: 'users', format: 'xlsx' }) },
  'GET /exports/:id': { may: only('owner'), params: id('exportId') },
  'GET /exports/:id/download': { may: only('owner'), isDownload: true, params: id('exportId') },
  'POST /exports/:id/download-ticket': { may: only('owner'), params: id('exportId') },
  'DELETE /exports/:id': { may: only('owner'), params: id('exportId') },

  'GET /audit-logs': { may: only() },
  'GET /audit-logs/verify': { may: only() },
  'POST /audit-logs/redact': {
    may: only(),
    body: ({ deletedDealId }) => ({ recordId: deletedDealId, reason: 'The customer asked for it' }),
  },

  'GET /users': { may: only() },
  'GET /users/directory': {
    may: allBut(NO_PAGE),
  },
  'GET /users/:id': ofPerson,
  'POST /users': {
    may: only(),
    body: () => ({ name: 'New Person', email: `new-${Math.random()}@example.com` }),
  },
  'PUT /users/:id': { ...ofPerson, body: () => ({ role: 'admin' }) },
  'POST /users/:id/reset-password': ofPerson,
  'POST /users/:id/invitation': ofPerson,
  'GET /users/:id/sessions': ofPerson,
  'DELETE /users/:id/sessions': ofPerson,
  'DELETE /users/:id/sessions/:sessionId': {
    may: only(),
    params: ({ bystanderId, sessionId }) => ({ id: bystanderId, sessionId }),
  },
  'PUT /users/:id/two-step': { ...ofPerson, body: () => ({ required: true }) },
  'DELETE /users/:id/two-step': ofPerson,
  'GET /users/:id/belongings': ofPerson,
  'POST /users/:id/transfer': {
    ...ofPerson,
    body: ({ strangerId }) => ({ targetUserId: strangerId, reason: 'leaving' }),
  },

  'GET /dealerships': { may: everyone },
  'GET /dealerships/:id': { may: only(...SEES_DEALERSHIP), params: id('dealershipId') },
  'GET /dealerships/:id/timeline': { may: only(...SEES_DEALERSHIP), params: id('dealershipId') },
  'POST /dealerships': {
    may: only('with dealershipConfiguration.editDealerships', 'dealership editor'),
    body: dealership,
  },
  'POST /dealerships/import': {
    may: only('with dealershipConfiguration.editDealerships', 'dealership editor'),
    body: (records) => ({ dealerships: [{ ...dealership(records), name: `Dealership ${Math.random()}` }] }),
  },
  'PUT /dealerships/:id': {
    may: only(...EDITS_DEALERSHIP),
    params: id('dealershipId'),
    body: dealership,
  },
  'DELETE /dealerships/:id': { may: only('dealership editor'), params: id('dealershipId') },
  'POST /dealerships/bulk/active': {
    may: only(...EDITS_DEALERSHIP),
    body: ({ dealershipId }) => ({ ids: [dealershipId], active: false }),
  },
  'PUT /dealerships/:id/sharing': { may: only(), params: id('dealershipId'), body: sharedWith('admin') },
  'POST /dealerships/bulk-share': {
    may: only(),
    body: (records) => ({ dealershipIds: [records.dealershipId], ...sharedWith('read')(records) }),
  },
  'POST /dealerships/transfer-ownership': { may: only(), body: transfer('resourceIds', 'dealershipId') },

  'GET /email-templates': { may: everyone },
  'GET /email-templates/:id': { may: only(...SEES_TEMPLATE), params: id('templateId') },
  'GET /email-templates/usage': { may: everyone },
  'GET /email-templates/:id/usage': { may: only(...SEES_TEMPLATE), params: id('templateId') },
  'GET /email-templates/:id/versions': { may: only(...SEES_TEMPLATE), params: id('templateId') },
  'GET /email-templates/:id/versions/:number': {
    may: only(...SEES_TEMPLATE),
    params: ({ templateId }) => ({ id: templateId, number: '1' }),
  },
  'POST /email-templates/:id/versions/:number/restore': {
    may: only(...EDITS_TEMPLATE),
    params: ({ templateId }) => ({ id: templateId, number: '1' }),
    body: () => ({}),
  },
  // Personas with the right are refused because this is no file.
  'POST /email-templates/images': { may: only(...MANAGES_TEMPLATES, ...EDITS_TEMPLATES) },
  'GET /email-templates/images/:id': { may: only(...SEES_TEMPLATE), params: id('imageId') },
  'POST /email-templates': { may: only(...MANAGES_TEMPLATES), body: template },
  'PUT /email-templates/:id': {
    may: only(...EDITS_TEMPLATE),
    params: id('templateId'),
    body: template,
  },
  'DELETE /email-templates/:id': { may: only('owner', ...EDITS_TEMPLATES), params: id('templateId') },
  'PUT /email-templates/:id/sharing': {
    may: only('owner'),
    params: id('templateId'),
    body: sharedWith('write'),
  },
  'POST /email-templates/bulk-share': {
    may: only('owner'),
    body: (records) => ({ templateIds: [records.templateId], ...sharedWith('read')(records) }),
  },
  'POST /email-templates/transfer-ownership': {
    may: only('owner'),
    body: transfer('resourceIds', 'templateId'),
  },

  'GET /item-configurations': { may: everyone },
  'GET /item-configurations/:id': { may: only(...SEES_ITEM), params: id('itemId') },
  'POST /item-configurations': { may: only(...MANAGES_ITEMS), body: item },
  'PUT /item-configurations/:id': {
    may: only('owner', 'write share', 'full share', ...EDITS_ITEMS),
    params: id('itemId'),
    body: item,
  },
  'DELETE /item-configurations/:id': { may: only('owner', ...EDITS_ITEMS), params: id('itemId') },
  'POST /item-configurations/reorder': {
    may: () => false,
    // A reorder must name every item, and this is one.
    badInputFor: only('item editor'),
    body: ({ itemId }) => ({ ids: [itemId] }),
  },
  'PUT /item-configurations/:id/sharing': {
    may: only('owner'),
    params: id('itemId'),
    body: sharedWith('write'),
  },
  'POST /item-configurations/bulk-share': {
    may: only('owner'),
    body: (records) => ({ itemIds: [records.itemId], ...sharedWith('read')(records) }),
  },
  'POST /item-configurations/transfer-ownership': {
    may: only('owner'),
    body: transfer('resourceIds', 'itemId'),
  },

  'GET /status-configurations': { may: allBut(NO_PAGE) },
  'GET /status-configurations/:id': { may: allBut(NO_PAGE, 'restricted status'), params: id('statusId') },
  'POST /status-configurations': { may: only(), body: status },
  'PUT /status-configurations/:id': { may: only('status editor'), params: id('statusId'), body: status },
  'DELETE /status-configurations/:id': { may: only(), params: id('statusId') },
  'PUT /status-configurations/commission': { may: only(), body: ({ statusId }) => ({ ids: [statusId] }) },
  'POST /status-configurations/reorder': {
    may: () => false,
    badInputFor: only(),
    body: ({ statusId }) => ({ ids: [statusId] }),
  },

  'GET /custom-fields': { may: only() },
  'GET /custom-fields/:id': { may: only(), params: id('customFieldId') },
  'POST /custom-fields': { may: only(), body: customField },
  'PUT /custom-fields/:id': { may: only(), params: id('customFieldId'), body: customField },
  'POST /custom-fields/reorder': {
    may: () => false,
    // A reorder must name every field, and this is one.
    badInputFor: only(),
    body: ({ customFieldId }) => ({ ids: [customFieldId] }),
  },

  'GET /do-not-contact': { may: allBut(NO_PAGE) },
  'POST /do-not-contact': {
    may: allBut(NO_PAGE),
    badInputFor: (persona) => persona === 'restricted columns',
    body: () => ({ values: [`${newId()}@buyer.example`], reason: 'Asked' }),
  },
  'DELETE /do-not-contact/:id': {
    may: only('owner'),
    // Everybody who sees the column of addresses reads the list.
    knownTo: (persona) => ![NO_PAGE, 'restricted columns'].includes(persona),
    params: id('doNotContactId'),
  },

  'POST /email-templates/preview': {
    may: only(...SEES_TEMPLATE),
    body: ({ templateId }) => ({ templateId }),
  },
  'GET /deals/:id/templates': { may: allBut(...WITHOUT_ACCESS, 'restricted columns'), params: id('dealId') },
  'POST /email-templates/:templateId/send': {
    may: only(...SEES_TEMPLATE),
    // The row is visible to them and owned by another user.
    knownTo: (persona) => persona === 'restricted columns',
    params: ({ templateId }) => ({ templateId }),
    body: ({ dealId }) => ({ dealId }),
  },
  'POST /deals/:id/email': {
    may: allBut(...WITHOUT_ACCESS, 'restricted columns'),
    knownTo: (persona) => persona === 'restricted columns',
    params: id('dealId'),
    body: () => ({ again: true }),
  },
  'POST /deals/bulk/email/review': {
    may: only(...EDITS_DEAL, 'read share', 'team lead', 'with features.bulkEdit'),
    body: ({ dealId }) => ({ ids: [dealId] }),
  },
  'POST /deals/bulk/email': {
    may: only(...EDITS_DEAL, 'read share', 'team lead', 'with features.bulkEdit'),
    body: ({ dealId }) => ({ ids: [dealId], again: true }),
  },
  // Personas with the right are refused because this is no file.
  'POST /email/attachments': { may: allBut(NO_PAGE) },
  'POST /email/attachments/copy': {
    may: allBut(...WITHOUT_ACCESS),
    body: ({ dealId, dealAttachmentId }) => ({ dealId, attachmentId: dealAttachmentId }),
  },
  // Only for its uploader; invisible to everyone else, including administrators.
  'DELETE /email/attachments/:id': { may: (persona) => persona === 'owner', params: id('attachmentId') },
  'GET /email/logs/:id/attachments/:attachmentId': {
    may: only('owner'),
    isDownload: true,
    params: ({ emailId, sentAttachmentId }) => ({ id: emailId, attachmentId: sentAttachmentId }),
  },
  'GET /email/logs': { may: everyone },
  'GET /email/logs/:id': { may: only('owner'), params: id('emailId') },
  'POST /email/logs/:id/cancel': { may: only('owner'), params: id('emailId') },
  'POST /email/logs/:id/retry': { may: only('owner'), params: id('failedEmailId') },
  'GET /email/batches/:id': { may: only('owner'), params: id('batchId') },
  'POST /email/batches/:id/cancel': { may: only('owner'), params: id('batchId') },
  'POST /email/batches/:id/retry': { may: only('owner'), params: id('batchId') },

  'GET /email-settings': { may: everyone },
  'PUT /email-settings': { may: only(), body: () => mailServer },
  'POST /email-settings/verify': { may: only(), body: () => mailServer },
  'GET /email-settings/mailbox': { may: everyone },
  // No provider is registered here, so it does not exist for anyone.
  'POST /email-settings/mailbox/connect': {
    may: () => false,
    body: () => ({ provider: 'google', address: 'kim@example.com' }),
  },
  'POST /email-settings/mailbox/finish': {
    may: () => false,
    badInputFor: everyone,
    body: () => ({ code: 'code', state: 'state' }),
  },
  'DELETE /email-settings/mailbox': { may: () => false },
  'GET /email-settings/users': { may: only() },
  'GET /email-settings/user/:id': ofPerson,
  'PUT /email-settings/user/:id': { ...ofPerson, body: () => mailServer },
  'DELETE /email-settings/user/:id': { ...ofPerson, params: id('configuredId') },
  'POST /email-settings/user/:id/verify': { ...ofPerson, body: () => mailServer },

  'GET /deals': { may: allBut(NO_PAGE) },
  'GET /deals/summary': { may: allBut(NO_PAGE) },
  'GET /dashboard': { may: allBut(NO_PAGE) },
  'GET /dashboard/to-call': { may: allBut(NO_PAGE) },
  'GET /dashboard/changes': { may: allBut(NO_PAGE) },
  'GET /demo': { may: everyone },
  'GET /demo/mailbox': { may: everyone },
  'GET /demo/mailbox/:id': { may: everyone, params: () => ({ id: MESSAGE._id }) },
  'GET /notifications': { may: everyone },
  'POST /notifications/read': { may: everyone, body: () => ({ ids: [newId()] }) },
  'GET /notifications/settings': { may: everyone },
  'PUT /notifications/settings': { may: everyone, body: () => ({ mentionMail: false }) },
  'GET /months': monthClosers,
  'GET /months/:month': { ...monthClosers, params: () => ({ month: monthNow() }) },
  'POST /months/:month/waive': {
    ...monthClosers,
    params: () => ({ month: WAIVED_MONTH }),
    body: () => ({ check: 'openStatus', rows: 1, reason: 'Paid next month' }),
  },
  'DELETE /months/:month/waivers/:check': {
    ...monthClosers,
    params: () => ({ month: WAIVED_MONTH, check: 'saleMissing' }),
  },
  // Before the month is opened again.
  'GET /months/:month/accounting': {
    ...monthClosers,
    isDownload: true,
    params: () => ({ month: CLOSED_MONTH }),
    query: 'kind=commission&program=xero',
  },
  'POST /months/:month/close': { ...monthClosers, params: () => ({ month: NEXT_MONTH }) },
  'POST /months/:month/reopen': {
    may: only(),
    params: () => ({ month: CLOSED_MONTH }),
    body: () => ({ reason: 'A deal was missing' }),
  },
  'GET /statements': { may: everyone },
  'GET /statements/:id': readsStatement,
  'GET /statements/:id.pdf': { ...readsStatement, isDownload: true },
  'GET /statements/:id.csv': { ...readsStatement, isDownload: true },
  'GET /statements/:id.xlsx': { ...readsStatement, isDownload: true },
  'POST /statements/:id/download-ticket': { ...readsStatement, body: () => ({ format: 'csv' }) },
  // Others who may close months may not use the template.
  'POST /statements/send': {
    may: only(),
    body: ({ accountStatementId, templateId }) => ({ ids: [accountStatementId], templateId }),
  },
  'POST /statements/:id/seen': ownStatement,
  'POST /statements/:id/query': { ...ownStatement, body: () => ({ text: 'Where is the Ute?' }) },
  'POST /statements/:id/answer': {
    ...monthClosers,
    params: id('statementId'),
    body: () => ({ text: 'In February.' }),
  },
  'GET /reports': { may: allBut(NO_PAGE, NO_REPORTS) },
  'GET /reports/commission-statement': {
    may: allBut(NO_PAGE, NO_REPORTS),
    badInputFor: (persona) => persona === 'restricted columns',
  },
  'GET /reports/commission-statements': {
    may: allBut(NO_PAGE, NO_REPORTS),
    badInputFor: (persona) => persona === 'restricted columns',
  },
  'GET /deals/options': { may: allBut(NO_PAGE) },
  'GET /deals/marks': { may: allBut(NO_PAGE) },
  'GET /deals/:id': { may: allBut(...WITHOUT_ACCESS), params: id('dealId') },
  'POST /deals': { ...addsDeal, body: newDeal },
  'GET /deals/without-rate': { may: only() },
  'POST /deals/without-rate': { may: only(), body: () => ({ deals: 0, commission: 0 }) },
  'GET /deals/deleted': { may: only() },
  'POST /deals/bulk/create': {
    // Invalid choices are reported per row; the call itself succeeds.
    may: only('with dataEntry.canAddRows', 'clerk', 'team lead', 'owner', ...SHARES, ...RESTRICTED),
    knownTo: (persona) => persona.startsWith('restricted'),
    body: ({ dealershipId }) => ({
      rows: [{ key: newId().replaceAll('-', ''), deal: { dealershipId, customerName: 'Bob' } }],
    }),
  },
  'POST /events/presence': {
    may: allBut(...WITHOUT_ACCESS, 'restricted columns'),
    badInputFor: (persona) => persona === 'restricted columns',
    body: ({ dealId }) => ({ month: monthNow(), dealId, column: 'customerName' }),
  },
  'GET /deal-views': { may: allBut(NO_PAGE) },
  'GET /deal-views/:id': { may: allBut(NO_PAGE), params: id('dealViewId') },
  'POST /deal-views': { may: allBut(NO_PAGE), body: view },
  'PUT /deal-views/:id': { may: only('owner'), params: id('dealViewId'), body: view },
  'DELETE /deal-views/:id': { may: only('owner'), params: id('dealViewId') },
  'PATCH /deals/:id': {
    may: only(...EDITS_DEAL),
    params: id('dealId'),
    body: () => ({ version: 1, notes: 'changed' }),
  },
  'DELETE /deals/:id': { may: only(...EDITS_DEAL), params: id('dealId') },
  // Reached by those who may change both rows.
  'POST /deals/merge/preview': { may: only(...EDITS_DEAL), body: merge },
  'POST /deals/merge': { may: only(...EDITS_DEAL), body: merge },
  'GET /changes': { may: allBut(NO_PAGE) },
  'GET /changes/:id': { may: only('owner'), params: id('changeSetId') },
  'POST /changes/:id/revert/preview': {
    may: only('owner'),
    params: id('changeSetId'),
    body: ({ deletedDealId: dealId }) => ({ rows: [dealId], overwrite: [{ dealId, fields: ['notes'] }] }),
  },
  'POST /changes/:id/revert': {
    may: only('owner'),
    params: id('changeSetId'),
    body: ({ deletedDealId }) => ({ rows: [deletedDealId] }),
  },
  'GET /deals/:id/history': { may: allBut(...WITHOUT_ACCESS), params: id('dealId') },
  'GET /deals/:id/timeline': { may: allBut(...WITHOUT_ACCESS), params: id('dealId') },
  'GET /deals/:id/duplicates': { may: allBut(...WITHOUT_ACCESS), params: id('dealId') },
  'GET /deals/:id/attachments': { may: allBut(...WITHOUT_ACCESS), params: id('dealId') },
  // Personas with the page are refused because this is no file.
  'POST /deals/:id/attachments': { may: allBut(NO_PAGE), params: id('dealId') },
  'GET /deals/:id/attachments/:attachmentId': {
    may: allBut(...WITHOUT_ACCESS),
    isDownload: true,
    params: dealAttachment,
  },
  'DELETE /deals/:id/attachments/:attachmentId': { may: only(...EDITS_DEAL), params: dealAttachment },
  'GET /deals/:id/comments': { may: allBut(...WITHOUT_ACCESS), params: id('dealId') },
  'POST /deals/:id/comments': {
    may: allBut(...WITHOUT_ACCESS),
    params: id('dealId'),
    body: ({ bystanderId }) => ({ body: 'Rang @bystander', mentions: [bystanderId] }),
  },
  // Only its author, not even an administrator.
  'PATCH /deals/:id/comments/:commentId': {
    may: (persona) => persona === 'owner',
    params: comment,
    body: () => ({ body: 'Rang back', version: 1 }),
  },
  'DELETE /deals/:id/comments/:commentId': { may: only('owner'), params: comment },
  'PUT /deals/:id/comments/read': {
    may: allBut(...WITHOUT_ACCESS),
    params: id('dealId'),
    body: ({ commentId }) => ({ commentId }),
  },
  'PUT /deals/:id/sharing': { may: only('owner'), params: id('dealId'), body: sharedWith('view') },
  'POST /deals/bulk/share': {
    may: only('owner'),
    body: (records) => ({ ids: [records.dealId], ...sharedWith('write')(records) }),
  },
  'POST /deals/bulk/owner': { may: only('owner'), body: transfer('ids', 'dealId') },
  'POST /deals/bulk/status': {
    may: only(...EDITS_DEAL),
    body: ({ dealId }) => ({ ids: [dealId], status: 'Called' }),
  },
  'POST /deals/bulk/month': {
    may: only(...EDITS_DEAL),
    body: ({ dealId }) => ({ ids: [dealId], month: '2024-05' }),
  },
  'POST /deals/bulk/delete': { may: only(...EDITS_DEAL), body: ({ dealId }) => ({ ids: [dealId] }) },
  'POST /deals/bulk/restore': {
    may: only('owner'),
    body: ({ deletedDealId }) => ({ ids: [deletedDealId] }),
  },
  // One row, which needs no bulkEdit.
  'POST /deals/import': { ...addsDeal, body: (records) => ({ rows: [newDeal(records)] }) },
  'POST /deals/import/preview': {
    may: allBut(NO_PAGE, 'restricted columns'),
    badInputFor: (persona) => persona === 'restricted columns',
    body: () => ({ mode: 'update', matchBy: 'dealNumber', rows: [{ dealNumber: 'D-1', notes: 'Rang' }] }),
  },
  'GET /deals/import/columns/:id': {
    may: allBut(NO_PAGE, 'restricted dealership'),
    params: id('dealershipId'),
  },
  'POST /deals/import/duplicates': {
    may: only('team lead', ...WORKING.filter((name) => name !== 'restricted columns')),
    badInputFor: (persona) => persona === 'restricted columns',
    body: () => ({ customerNumbers: ['(0412) 345 678'], dealNumbers: ['D-1'] }),
  },

  // The matrix holds the backup lock, so personas with the right get BACKUP_BUSY.
  'GET /backups': { may: only() },
  'POST /backups': { may: only() },
  'GET /backups/:name': { ...ofBackup, isDownload: true },
  'POST /backups/:name/download-ticket': ofBackup,
  'POST /backups/:name/check': ofBackup,
  'POST /backups/:name/rows': { ...ofBackup, body: () => ({}) },
  'POST /backups/:name/rows/copy': { ...ofBackup, body: () => ({ rows: [newId()] }) },
  'POST /backups/:name/fetch': ofBackup,
  'POST /backups/:name/restore': { ...ofBackup, body: () => ({ confirmName: 'Harbour' }) },
  'DELETE /backups/:name': ofBackup,
  'GET /backups/held-mail': { may: only() },
  'POST /backups/held-mail/release': { may: only() },
  'POST /backups/held-mail/discard': { may: only() },
  // Personas with the right are refused because this is no file.
  'POST /backups/upload': { may: only() },
  'GET /backups/scheduler/status': { may: only() },
  'POST /backups/scheduler/start': { may: only() },
  'POST /backups/scheduler/stop': { may: only() },
  'POST /backups/scheduler/trigger': { may: only() },
  'GET /backups/ssh-settings': { may: only() },
  'POST /backups/ssh-settings': { may: only(), body: () => sshServer },
  'POST /backups/ssh-settings/test': { may: only(), body: () => sshServer },
  'GET /backups/s3-settings': { may: only() },
  'POST /backups/s3-settings': { may: only(), body: () => bucket },
  'POST /backups/s3-settings/test': { may: only(), body: () => bucket },
  'GET /jobs': { may: only() },
  'GET /jobs/:id': { may: only('owner'), params: id('jobId') },
  'POST /jobs/:id/cancel': { may: only(), params: id('runningJobId') },
  'POST /jobs/recurring/:name/run': { may: only(), params: () => ({ name: 'export-clean-up' }) },
  'POST /jobs/failed/:id/retry': { may: only(), params: id('failedJobId') },
};
