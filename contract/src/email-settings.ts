import { z } from 'zod';
import { Role } from './auth.ts';
import { EmailAddress, Id, IdParams, Instant, typedText, wholeList, type RouteTable } from './route.ts';

/** Whose mailboxes can be connected by OAuth 2.0 in place of a password (product.md section 6). */
export const MailProvider = z.enum(['microsoft', 'google']);
export type MailProvider = z.infer<typeof MailProvider>;

/** The own mailbox, as its owner connects it. */
export const Mailbox = z.strictObject({
  /** Those that this installation is registered with. */
  providers: z.array(MailProvider),
  connected: z.strictObject({ provider: MailProvider, address: z.string() }).nullable(),
  /** Why nothing goes out at the moment. */
  problem: z.string().nullable(),
});
export type Mailbox = z.infer<typeof Mailbox>;

/** A person's mail server as browsers may see it: never with the password. */
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
  /** Set where the mailbox is connected by OAuth 2.0: there is no password. */
  provider: MailProvider.nullable(),
  hasSettings: z.boolean(),
  isConfigured: z.boolean(),
  lastVerified: Instant.nullable(),
});
export type EmailSettings = z.infer<typeof EmailSettings>;

export const EmailSettingsInput = z.strictObject({
  smtpHost: typedText(253).refine(
    (text) => /^(?=.)[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) || /^[0-9a-f:]+$/i.test(text),
    'Must be a host name or an address',
  ),
  smtpPort: z.int().min(1, 'Must be from 1 to 65535').max(65_535, 'Must be from 1 to 65535'),
  smtpSecure: z.boolean(),
  smtpUser: typedText(254).refine((text) => text !== '', 'SMTP username is required'),
  /** May be left out while host, port, user and TLS stay the same (product.md section 6). */
  smtpPassword: z.string().min(1, 'SMTP password is required').max(1000).optional(),
  smtpFromEmail: EmailAddress,
});
export type EmailSettingsInput = z.infer<typeof EmailSettingsInput>;

/** The step at which a connection test ended. */
export const VerifyStep = z.enum(['name', 'connection', 'tls', 'signIn', 'sender']);
export type VerifyStep = z.infer<typeof VerifyStep>;

/** A failed test is a 400 whose `details` names the step; see `errors.ts`. */
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
  'GET /email-settings': { summary: 'The own mail server', response: EmailSettings },
  'PUT /email-settings': {
    summary: 'Saves the own mail server',
    body: EmailSettingsInput,
    computed,
    secret: true,
    response: EmailSettings,
  },
  'POST /email-settings/verify': {
    summary: 'Tries the own mail server, saved or not',
    body: EmailSettingsInput,
    computed,
    response: Verified,
  },
  'GET /email-settings/mailbox': {
    summary: 'Whether the own mailbox is connected, and with whom it can be',
    response: Mailbox,
  },
  'POST /email-settings/mailbox/connect': {
    summary: 'Begins to connect the own mailbox: the address at which its provider asks for consent',
    body: z.strictObject({ provider: MailProvider, address: EmailAddress }),
    response: z.strictObject({ url: z.string() }),
  },
  'POST /email-settings/mailbox/finish': {
    summary: 'Ends it with what the provider gave back; the mailbox is tried before it is kept',
    body: z.strictObject({ code: z.string().min(1).max(4096), state: z.string().min(1).max(200) }),
    secret: true,
    response: Mailbox,
  },
  'DELETE /email-settings/mailbox': { summary: 'Disconnects the own mailbox', status: 204 },
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
    summary: "Tries one person's mail server, saved or not",
    params: IdParams,
    body: EmailSettingsInput,
    computed,
    response: Verified,
  },
} as const satisfies RouteTable;
