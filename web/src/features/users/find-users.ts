import type { Role } from '@forecourt/contract/auth';
import type { User } from '@forecourt/contract/users';
import type { texts } from '../../texts/users.ts';
import { matchingPeople } from '../../ui/matching-people.ts';

export type UserStatus = keyof typeof texts.statuses;

/** Returns the status of an account; inactive has precedence. */
export function statusOf(user: Pick<User, 'isActive' | 'invitedUntil' | 'forcePasswordChange'>): UserStatus {
  if (!user.isActive) return 'inactive';
  if (user.invitedUntil !== null) return 'invited';
  return user.forcePasswordChange ? 'mustChange' : 'active';
}

export type UserFilter = { search: string; role: Role | null; status: UserStatus | null };

export const noFilter: UserFilter = { search: '', role: null, status: null };

/** Returns the users with this role and status whose name or address contains the search text. */
export const matchingUsers = (users: readonly User[], { search, role, status }: UserFilter): User[] =>
  matchingPeople(users, search).filter(
    (user) => (role === null || user.role === role) && (status === null || statusOf(user) === status),
  );
