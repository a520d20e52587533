import { z } from 'zod';
import { Role } from './auth.ts';
import {
  EmailAddress,
  Id,
  IdParams,
  Instant,
  Version,
  typedText,
  wholeList,
  wholeNumber,
  type RouteTable,
} from './route.ts';

/**
 * Providers whose mailboxes connect by OAuth 2.0 instead of a password (docs/product/email.md, Connected mailboxes).
 */
export const MailProvider = z.enum(['microsoft', 'google']);
export type MailProvider = z.infer<typeof MailProvider>;

export const Mailbox = z.strictObject({
  /** Providers at which this installation is registered. */
  providers: z.array(MailProvider),
  connected: z.strictObject({ provider: MailProvider, address: z.string() }).nullable(),
  /** Why no message can be sent; null if messages can be sent. */
  problem: z.string().nullable(),
});
export type Mailbox = z.infer<typeof Mailbox>;

/** A user's mail server settings, without the password. */
export const EmailSettings = z.strictObject({
  userId: Id,
  name: z.string(),
  email: z.string(),
  role: Role,
  smtpHost: z.string(),
  smtpPort: z.int(),
  smtpSecure: z.boolean(),
  smtpUser: z.string(),
  smtpFromEmail: z.string(),
  /** Set if the mailbox is connected by OAuth 2.0; it then has no password. */
  provider: MailProvider.nullable(),
  hasSettings: z.boolean(),
  isConfigured: z.boolean(),
  lastVerified: Instant.nullable(),
  /** Null if the user has no settings. */
  version: Version.nullable(),
});
export type EmailSettings = z.infer<typeof EmailSettings>;

/** The port used for a mail server without an explicit port. */
export const DEFAULT_SMTP_PORT = 587;

export const EmailSettingsInput = z.strictObject({
  smtpHost: typedText(253).refine(
    (text) => /^(?=.)[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) || /^[0-9a-f:]+$/i.test(text),
    'Must be a host name or an address',
  ),
  smtpPort: wholeNumber(1, 65_535, 'Must be from 1 to 65535').default(DEFAULT_SMTP_PORT),
  smtpSecure: z.boolean().default(false),
  smtpUser: typedText(254).refine((text) => text !== '', 'SMTP username is required'),
  /** May be omitted while host, port, user and TLS stay the same (docs/product/email.md, Mail servers of people). */
  smtpPassword: z
    .string()
    .max(1000)
    .refine((text) => text.trim() !== '', 'SMTP password is required')
    .optional(),
  smtpFromEmail: EmailAddress,
  /** Version that the caller saw; null if there were no settings. */
  version: Version.nullable().optional(),
});
export type EmailSettingsInput = z.infer<typeof EmailSettingsInput>;

const TestedSettings = EmailSettingsInput.omit({ version: true });

/** The step at which a connection test failed. A connected mailbox is tested without a password. */
export const VerifyStep = z.enum(['name', 'connection', 'tls', 'signIn', 'sender']);
export type VerifyStep = z.infer<typeof VerifyStep>;

/** A failed test returns 400, with the step in `details`; see `errors.ts`. */
const Verified = z.strictObject({ message: z.string(), details: z.string(), lastVerified: Instant });

const computed = [
  'userId',
  'name',
  'email',
  'role',
  'provider',
  'hasSettings',
  'isConfigured',
  'lastVerified',
];

export const emailSettingsRoutes = {
  'GET /email-settings': { summary: 'The caller’s mail server', response: EmailSettings },
  'PUT /email-settings': {
    summary: 'Saves the caller’s mail server',
    body: EmailSettingsInput,
    computed,
    secret: true,
    response: EmailSettings,
  },
  'POST /email-settings/verify': {
    summary: 'Tests the caller’s mail server, saved or not',
    body: TestedSettings,
    computed: [...computed, 'version'],
    takesNoKey: 'A connection test can be repeated.',
    response: Verified,
  },
  'GET /email-settings/mailbox': {
    summary: 'Whether the caller’s mailbox is connected, and the available providers',
    response: Mailbox,
  },
  'POST /email-settings/mailbox/connect': {
    summary:
      'Starts to connect the caller’s mailbox: returns the address at which its provider requests consent',
    body: z.strictObject({ provider: MailProvider, address: EmailAddress }),
    response: z.strictObject({ url: z.string() }),
  },
  'POST /email-settings/mailbox/finish': {
    summary: 'Finishes it with the response of the provider; the mailbox is tested before it is saved',
    body: z.strictObject({
      state: z.string().min(1).max(200),
      code: z.string().min(1).max(4096).optional(),
      /** The OAuth error of the provider: its `error` and `error_description`. */
      error: z.string().max(4096).optional(),
    }),
    takesNoKey: 'A provider accepts its code once. Please begin again.',
    response: Mailbox,
  },
  'DELETE /email-settings/mailbox': { summary: 'Disconnects the caller’s mailbox', status: 204 },
  'GET /email-settings/users': {
    summary: 'Everybody with the state of their mail server',
    response: wholeList(EmailSettings),
  },
  'GET /email-settings/user/:id': {
    summary: "One person's mail server",
    params: IdParams,
    response: EmailSettings,
  },
  'PUT /email-settings/user/:id': {
    summary: "Saves one person's mail server",
    params: IdParams,
    body: EmailSettingsInput,
    computed,
    secret: true,
    response: EmailSettings,
  },
  'DELETE /email-settings/user/:id': {
    summary: "Removes one person's mail server",
    params: IdParams,
    status: 204,
  },
  'POST /email-settings/user/:id/verify': {
    summary: "Tests one person's mail server, saved or not",
    params: IdParams,
    body: TestedSettings,
    computed: [...computed, 'version'],
    takesNoKey: 'A connection test can be repeated.',
    response: Verified,
  },
} as const satisfies RouteTable;
