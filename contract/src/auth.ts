import { z } from 'zod';
import {
  EmailAddress,
  Id,
  IdParams,
  Instant,
  plainText,
  typedText,
  wholeList,
  type RouteTable,
} from './route.ts';

export const Role = z.enum(['admin', 'user']);
export type Role = z.infer<typeof Role>;

/** The signed-in person, as spec.md section 3 lists the fields of the authentication state. */
export const SessionUser = z.strictObject({
  _id: Id,
  userId: Id,
  role: Role,
  name: z.string(),
  email: z.string(),
  forcePasswordChange: z.boolean(),
  lastLogin: Instant.nullable(),
  /** An administrator asks for two-step sign-in and it is not set up: nothing else opens until it is. */
  mustSetUpTwoStep: z.boolean(),
});
export type SessionUser = z.infer<typeof SessionUser>;

const SignedIn = z.strictObject({ token: z.string(), user: SessionUser });
export type SignedIn = z.infer<typeof SignedIn>;

/** Length is counted here; the other rules of product.md section 7 need the person and are the service's. */
const NewPassword = z
  .string()
  .max(1000, 'Must be at most 200 characters')
  // In the form in which it is hashed: what looks alike is one password, for every rule.
  .transform((text) => text.normalize('NFKC'))
  .pipe(z.string().min(12, 'Must be at least 12 characters').max(200, 'Must be at most 200 characters'));

/** The password again, for what a stolen session must not be able to change. */
const CurrentPassword = z.strictObject({ currentPassword: z.string().max(1000) });

/** Shown once and kept only as hashes: each of them stands in for the authenticator app, once. */
const RecoveryCodes = z.strictObject({ recoveryCodes: z.array(z.string()) });

/** One sign-in that is still live. */
export const SessionInfo = z.strictObject({
  _id: Id,
  /** Browser and system in words, such as `Firefox on Windows`. */
  device: z.string(),
  ip: z.string(),
  createdAt: Instant,
  lastUsedAt: Instant,
  expiresAt: Instant,
  /** The one that this call was made with. */
  current: z.boolean(),
});
export type SessionInfo = z.infer<typeof SessionInfo>;

export const authRoutes = {
  'POST /auth/login': {
    summary: 'Signs a person in; with two-step sign-in also the code of the app or a recovery code',
    body: z.strictObject({
      email: plainText(254),
      password: z.string().max(1000),
      code: plainText(40).optional(),
    }),
    response: SignedIn,
  },
  'POST /auth/logout': { summary: 'Ends this session on the server', status: 204 },
  'GET /auth/me': {
    summary: 'The signed-in person',
    response: z.strictObject({ data: z.strictObject({ user: SessionUser }) }),
  },
  'POST /auth/change-password': {
    summary: 'Changes the own password; every other session ends and this one gets a new token',
    body: z.strictObject({ currentPassword: z.string().max(1000), newPassword: NewPassword }),
    secret: true,
    response: SignedIn,
  },
  'GET /auth/sessions': {
    summary: 'The own live sessions, this one first',
    response: wholeList(SessionInfo),
  },
  'DELETE /auth/sessions/:id': {
    summary: 'Ends one of the own sessions',
    params: IdParams,
    status: 204,
  },
  'POST /auth/forgot-password': {
    summary: 'Mails a reset link if there is such an account; the answer is the same if not',
    body: z.strictObject({ email: plainText(254) }),
    status: 202,
    response: z.strictObject({ message: z.string() }),
  },
  'POST /auth/reset-password': {
    summary:
      'Sets a new password with the single-use key of a mailed link or an invitation; every session ends',
    body: z.strictObject({ key: z.string().max(200), newPassword: NewPassword }),
    secret: true,
    status: 204,
  },
  'GET /auth/two-step': {
    summary: 'Whether the own sign-in needs a second step',
    response: z.strictObject({
      on: z.boolean(),
      /** Asked for by an administrator: it cannot be turned off. */
      required: z.boolean(),
      recoveryCodesLeft: z.int(),
    }),
  },
  'POST /auth/two-step': {
    summary: 'Begins to set up an authenticator app; nothing changes until a code confirms it',
    body: CurrentPassword,
    secret: true,
    status: 201,
    /** `uri` is what the QR code holds (otpauth://…); `secret` the same to type in, base32. */
    response: z.strictObject({ secret: z.string(), uri: z.string() }),
  },
  'POST /auth/two-step/confirm': {
    summary: 'Turns two-step sign-in on with the first code of the app; other sessions end',
    body: z.strictObject({ code: plainText(40) }),
    secret: true,
    response: RecoveryCodes,
  },
  'POST /auth/two-step/recovery-codes': {
    summary: 'Makes new recovery codes; the old ones no longer work',
    body: CurrentPassword,
    secret: true,
    response: RecoveryCodes,
  },
  'POST /auth/two-step/turn-off': {
    summary: 'Turns two-step sign-in off, unless an administrator requires it',
    body: CurrentPassword,
    secret: true,
    status: 204,
  },
  'GET /auth/setup': {
    summary: 'Whether the first administrator is still to be created, and whether reset links are mailed',
    response: z.strictObject({ open: z.boolean(), mailsResetLinks: z.boolean() }),
  },
  'POST /auth/register': {
    summary: 'Creates the first administrator with the one-time set-up key; closed for good afterwards',
    body: z.strictObject({
      key: z.string().max(200),
      name: typedText(120).refine((text) => text !== '', 'Name is required'),
      email: EmailAddress,
      password: NewPassword,
    }),
    status: 201,
    response: SignedIn,
  },
} as const satisfies RouteTable;
