import type { Entry, User } from '@forecourt/contract/users';

/** Actions on a user that are confirmed first. */
export type Question = 'deactivate' | 'resetPassword' | 'resetTwoStep';

/** The dialog open over the table of users. */
export type OpenDialog =
  | { kind: 'add' }
  | { kind: 'edit' | 'sessions' | 'transferAll'; user: User }
  | { kind: 'question'; question: Question; user: User }
  | { kind: 'entry'; entry: Entry; user: Pick<User, 'name' | 'email'> };
