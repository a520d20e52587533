import type { Entry, User } from '@forecourt/contract/users';

/** What is asked before it is done to a person. */
export type Question = 'deactivate' | 'resetPassword' | 'resetTwoStep';

/** What is open on top of the table of people. */
export type OpenDialog =
  | { kind: 'add' }
  | { kind: 'edit' | 'sessions' | 'handOver'; user: User }
  | { kind: 'question'; question: Question; user: User }
  | { kind: 'entry'; entry: Entry; user: Pick<User, 'name' | 'email'> };
