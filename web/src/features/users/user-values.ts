import type { Role } from '@forecourt/contract/auth';
import type { User } from '@forecourt/contract/users';
import { texts } from '../../texts/users.ts';
import { EMAIL } from '../../ui/email-address.ts';
import type { ComparedField } from '../../ui/foreign-changes.ts';
import { matchingPeople } from '../../ui/matching-people.ts';

export type UserStatus = keyof typeof texts.statuses;

/** What there is to know first about a person's account; an inactive one says nothing more. */
export function statusOf(user: Pick<User, 'isActive' | 'invitedUntil' | 'forcePasswordChange'>): UserStatus {
  if (!user.isActive) return 'inactive';
  if (user.invitedUntil !== null) return 'invited';
  return user.forcePasswordChange ? 'mustChange' : 'active';
}

export type UserFilter = { search: string; role: Role | null; status: UserStatus | null };

export const noFilter: UserFilter = { search: '', role: null, status: null };

/** Those whose name or address holds what is searched for, with this role and status. */
export const matchingUsers = (users: readonly User[], { search, role, status }: UserFilter): User[] =>
  matchingPeople(users, search).filter(
    (user) => (role === null || user.role === role) && (status === null || statusOf(user) === status),
  );

/** What the form for a new person holds. */
export type NewUserValues = Pick<UserValues, 'name' | 'email' | 'role'> & {
  firstSignIn: keyof typeof texts.firstSignIns;
};

/** What the form for a person who is there holds. */
export type UserValues = { name: string; email: string; role: Role; isActive: boolean };

export const valuesOf = ({ name, email, role, isActive }: User): UserValues => ({
  name,
  email,
  role,
  isActive,
});

/** What a form can tell before asking the server. */
export const userErrors = ({ name, email }: Pick<UserValues, 'name' | 'email'>): Record<string, string> => ({
  ...(name.trim() === '' && { name: texts.nameRequired }),
  ...(!EMAIL.test(email.trim()) && { email: texts.emailInvalid }),
});

/** The form's fields as a conflict speaks of them. */
export const comparedFields: readonly ComparedField<UserValues>[] = [
  { field: 'name', label: texts.name, words: ({ name }) => name },
  { field: 'email', label: texts.email, words: ({ email }) => email },
  { field: 'role', label: texts.role, words: ({ role }) => texts.roles[role] },
  {
    field: 'isActive',
    label: texts.status,
    words: ({ isActive }) => (isActive ? texts.statuses.active : texts.statuses.inactive),
  },
];
