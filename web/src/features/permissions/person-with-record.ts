import type { UserPermissions } from '@forecourt/contract/permissions';
import type { User } from '@forecourt/contract/users';

/** A user with their permission record. */
export type PersonWithRecord = User & { readonly record: UserPermissions };
