import { z } from 'zod';
import { PermissionRecord } from './permissions.ts';
import { EmailAddress, Id, Instant, plainText, typedText, type RouteTable } from './route.ts';

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
  permissions: PermissionRecord,
});
export type SessionUser = z.infer<typeof SessionUser>;

const SignedIn = z.strictObject({ token: z.string(), user: SessionUser });
export type SignedIn = z.infer<typeof SignedIn>;

/** Length is counted here; the other rules of product.md section 7 need the person and are the service's. */
const NewPassword = z
  .string()
  .min(12, 'Must be at least 12 characters')
  .max(200, 'Must be at most 200 characters');

export const authRoutes = {
  'POST /auth/login': {
    summary: 'Signs a person in',
    body: z.strictObject({ email: plainText(254), password: z.string().max(1000) }),
    response: SignedIn,
  },
  'POST /auth/logout': { summary: 'Ends this session on the server', status: 204 },
  'GET /auth/me': {
    summary: 'The signed-in person with their permissions',
    response: z.strictObject({ data: z.strictObject({ user: SessionUser }) }),
  },
  'POST /auth/change-password': {
    summary: 'Changes the own password; every other session ends and this one gets a new token',
    body: z.strictObject({ currentPassword: z.string().max(1000), newPassword: NewPassword }),
    secret: true,
    response: SignedIn,
  },
  'GET /auth/setup': {
    summary: 'Whether the first administrator is still to be created',
    response: z.strictObject({ open: z.boolean() }),
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
