import { z } from 'zod';
import { MAX_PASSWORD_LENGTH, MAX_USER_NAME_LENGTH } from './auth-limits.ts';
import { isAtMost } from './characters.ts';
import { MAX_EMAIL_LENGTH } from './email-address.ts';
import { normalisedPassword, shortPasswordError } from './new-password.ts';
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
import { tooLongMessage } from './too-long.ts';

export const Role = z.enum(['admin', 'user']);
export type Role = z.infer<typeof Role>;

/** The signed-in user (docs/product/screens.md, Session at start). */
export const SessionUser = z.strictObject({
  _id: Id,
  userId: Id,
  role: Role,
  name: z.string(),
  email: z.string(),
  forcePasswordChange: z.boolean(),
  lastLogin: Instant.nullable(),
  /** Two-step sign-in is required and not set up. All other pages are blocked until the user sets it up. */
  mustSetUpTwoStep: z.boolean(),
});
export type SessionUser = z.infer<typeof SessionUser>;

const SignedIn = z.strictObject({ token: z.string(), user: SessionUser });
export type SignedIn = z.infer<typeof SignedIn>;

/**
 * Validates the length only. The other rules need the user, so the service validates them
 * (docs/product/people-and-permissions.md, Passwords).
 */
export const NewPassword = z
  .string()
  .max(1000, tooLongMessage(MAX_PASSWORD_LENGTH))
  .transform(normalisedPassword)
  .refine((text) => shortPasswordError(text) === undefined, {
    error: ({ input }) => shortPasswordError(String(input)),
  })
  .refine((text) => isAtMost(text, MAX_PASSWORD_LENGTH), tooLongMessage(MAX_PASSWORD_LENGTH));

/** The current password, required for changes that a stolen session must not make. */
const CurrentPassword = z.strictObject({ currentPassword: z.string().max(1000) });

/** The response shows the codes once; they are stored as hashes. Each code replaces the authenticator app once. */
const RecoveryCodes = z.strictObject({ recoveryCodes: z.array(z.string()) });

export const SessionInfo = z.strictObject({
  _id: Id,
  /** Browser and system, for example `Firefox on Windows`. */
  device: z.string(),
  ip: z.string(),
  createdAt: Instant,
  lastUsedAt: Instant,
  expiresAt: Instant,
  current: z.boolean(),
});
export type SessionInfo = z.infer<typeof SessionInfo>;

/** Appears in the refusal of an Idempotency-Key: a wrong password must count even if the transaction is rolled back. */
const OWN_SIGN_IN = 'Please look at the state of your sign-in before you repeat this.';

export const authRoutes = {
  'POST /auth/login': {
    summary: 'Signs a person in; two-step sign-in also requires the code of the app or a recovery code',
    body: z.strictObject({
      email: plainText(MAX_EMAIL_LENGTH),
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
    summary: 'Changes the caller’s password, ends their other sessions and returns a new token',
    body: z.strictObject({ currentPassword: z.string().max(1000), newPassword: NewPassword }),
    takesNoKey: OWN_SIGN_IN,
    response: SignedIn,
  },
  'GET /auth/sessions': {
    summary: 'The caller’s active sessions, this one first',
    response: wholeList(SessionInfo),
  },
  'DELETE /auth/sessions/:id': {
    summary: 'Ends a session of the caller',
    params: IdParams,
    status: 204,
  },
  'POST /auth/forgot-password': {
    summary: 'Mails a reset link if there is such an account; the response is the same if not',
    body: z.strictObject({ email: plainText(MAX_EMAIL_LENGTH) }),
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
    summary: 'Whether the caller signs in with a second step',
    response: z.strictObject({
      on: z.boolean(),
      /** An administrator requires two-step sign-in, so the user cannot turn it off. */
      required: z.boolean(),
      recoveryCodesLeft: z.int(),
    }),
  },
  'POST /auth/two-step': {
    summary: 'Starts to set up an authenticator app; nothing changes until a code confirms it',
    body: CurrentPassword,
    takesNoKey: OWN_SIGN_IN,
    status: 201,
    /** `uri` is the content of the QR code (otpauth://…); `secret` is the same in base32 for typing. */
    response: z.strictObject({ secret: z.string(), uri: z.string() }),
  },
  'POST /auth/two-step/confirm': {
    summary: 'Turns two-step sign-in on with the first code of the app; other sessions end',
    body: z.strictObject({ code: plainText(40) }),
    takesNoKey: OWN_SIGN_IN,
    response: RecoveryCodes,
  },
  'POST /auth/two-step/recovery-codes': {
    summary: 'Creates new recovery codes and invalidates the old ones',
    body: CurrentPassword,
    takesNoKey: OWN_SIGN_IN,
    response: RecoveryCodes,
  },
  'POST /auth/two-step/turn-off': {
    summary: 'Turns two-step sign-in off, unless an administrator requires it',
    body: CurrentPassword,
    takesNoKey: OWN_SIGN_IN,
    status: 204,
  },
  'GET /auth/setup': {
    summary: 'Whether the first administrator must still be created, and whether reset links are mailed',
    response: z.strictObject({ open: z.boolean(), mailsResetLinks: z.boolean() }),
  },
  'POST /auth/register': {
    summary: 'Creates the first administrator with the one-time set-up key; permanently closed afterwards',
    body: z.strictObject({
      key: z.string().max(200),
      name: typedText(MAX_USER_NAME_LENGTH).refine((text) => text !== '', 'Name is required'),
      email: EmailAddress,
      password: NewPassword,
    }),
    status: 201,
    response: SignedIn,
  },
} as const satisfies RouteTable;
