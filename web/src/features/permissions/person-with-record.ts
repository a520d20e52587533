import type { UserPermissions } from '@forecourt/contract/permissions';
import type { User } from '@forecourt/contract/users';

/** Somebody with an account and what they may do. */
export type PersonWithRecord = User & { readonly record: UserPermissions };
