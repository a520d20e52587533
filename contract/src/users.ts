import { z } from 'zod';
import { MAX_USER_NAME_LENGTH, TEMPORARY_PASSWORD_HOURS } from './auth-limits.ts';
import { Role, SessionInfo } from './auth.ts';
import { kindsWith, type KindWith, type RecordKinds } from './record-kinds.ts';
import {
  EmailAddress,
  Id,
  IdParams,
  Instant,
  Version,
  stored,
  typedText,
  wholeList,
  type RouteTable,
} from './route.ts';

/**
 * A user as returned to administrators. `_id` and `userId` have the same value (docs/product/api.md, Ids, times and
 * money).
 */
export const User = z.strictObject({
  _id: Id,
  userId: Id,
  name: z.string(),
  email: z.string(),
  role: Role,
  isActive: z.boolean(),
  forcePasswordChange: z.boolean(),
  lastLogin: Instant.nullable(),
  sessions: z.int(),
  twoStep: z.strictObject({ on: z.boolean(), required: z.boolean() }),
  /** Expiry of an unused invitation; null without one. */
  invitedUntil: Instant.nullable(),
  ...stored,
});
export type User = z.infer<typeof User>;

/** The fields needed to choose a user for a share. */
export const DirectoryPerson = z.strictObject({ _id: Id, name: z.string(), email: z.string() });
export type DirectoryPerson = z.infer<typeof DirectoryPerson>;

const fields = {
  name: typedText(MAX_USER_NAME_LENGTH).refine((text) => text !== '', 'Name is required'),
  email: EmailAddress,
  role: Role,
};

export const NewUser = z.strictObject({
  ...fields,
  role: Role.default('user'),
  /** How the user signs in first: with a temporary password shown once, or by a link to choose a password. */
  firstSignIn: z.enum(['password', 'invitation']).default('password'),
});
export type NewUser = z.input<typeof NewUser>;

/**
 * The four fields that can be changed (docs/product/security.md, Only four fields of a person); omitted ones stay
 * unchanged.
 */
export const UserChanges = z.strictObject({ ...fields, isActive: z.boolean(), version: Version }).partial();
export type UserChanges = z.infer<typeof UserChanges>;

/** The credential of a first sign-in or a reset, shown once: a temporary password or an invitation. */
export const Entry = z.strictObject({
  temporaryPassword: z.string().optional(),
  /** Path of the invitation page, including its key; the browser prepends its origin. */
  invitationPath: z.string().optional(),
  mailed: z.boolean(),
  expiresAt: Instant,
});
export type Entry = z.infer<typeof Entry>;

const counts = kindsWith('owned').map(({ owned }) => [owned, z.int()] as const);

/** Number of records that a user owns, by kind. */
export const Belongings = z.strictObject({
  ...(Object.fromEntries(counts) as Record<RecordKinds[KindWith<'owned'>]['owned'], z.ZodInt>),
  deals: z.int(),
  /** Only shared views: a private view stays with its owner. */
  dealViews: z.int(),
});
export type Belongings = z.infer<typeof Belongings>;

const computed = [
  '_id',
  'userId',
  'forcePasswordChange',
  'lastLogin',
  'sessions',
  'twoStep',
  'invitedUntil',
  'createdAt',
  'updatedAt',
];

export const userRoutes = {
  'GET /users': { summary: 'Everybody with an account, by name', response: wholeList(User) },
  'GET /users/directory': {
    summary: 'Active people by name, for users who may share',
    response: wholeList(DirectoryPerson),
  },
  'GET /users/:id': { summary: 'One person with an account', params: IdParams, response: User },
  'POST /users': {
    summary: 'Adds a person, with a temporary password or an invitation',
    body: NewUser,
    secret: true,
    status: 201,
    response: User.extend({ entry: Entry }),
  },
  'PUT /users/:id': {
    summary: 'Changes name, email, role or whether the person is active',
    params: IdParams,
    body: UserChanges,
    computed,
    response: User,
  },
  'POST /users/:id/reset-password': {
    summary: `Sets a temporary password for ${TEMPORARY_PASSWORD_HOURS} hours, to be changed at the next sign-in; their sessions end`,
    params: IdParams,
    secret: true,
    response: Entry,
  },
  'POST /users/:id/invitation': {
    summary: 'Creates a new invitation link and invalidates older ones',
    params: IdParams,
    secret: true,
    response: Entry,
  },
  'GET /users/:id/sessions': {
    summary: 'The active sessions of a person',
    params: IdParams,
    response: wholeList(SessionInfo),
  },
  'DELETE /users/:id/sessions': { summary: 'Ends all sessions of a person', params: IdParams, status: 204 },
  'DELETE /users/:id/sessions/:sessionId': {
    summary: 'Ends one session of a person',
    params: z.strictObject({ id: Id, sessionId: Id }),
    status: 204,
  },
  'PUT /users/:id/two-step': {
    summary: 'Whether two-step sign-in is required of a person',
    params: IdParams,
    body: z.strictObject({ required: z.boolean() }),
    response: User,
  },
  'DELETE /users/:id/two-step': {
    summary: 'Removes the authenticator app of a person who lost it, and ends their sessions',
    params: IdParams,
    response: User,
  },
  'GET /users/:id/belongings': {
    summary: 'The number of records that a person owns, before a transfer',
    params: IdParams,
    response: Belongings,
  },
  'POST /users/:id/transfer': {
    summary: 'Transfers all records of a person to another, and can deactivate them in the same step',
    params: IdParams,
    body: z.strictObject({
      targetUserId: Id,
      /** The previous owner keeps the edit level. */
      keepSharing: z.boolean().default(false),
      reason: typedText(400).default(''),
      deactivate: z.boolean().default(false),
    }),
    response: Belongings,
    changesDeals: 'call',
  },
} as const satisfies RouteTable;
