import { texts } from '../../texts/sharing.ts';
import type { ListedPerson } from '../matching-people.ts';

/** A share in a request. */
export type Share<L extends string> = { readonly userId: string; readonly permissions: L };

/** A share in a response. */
export type KnownShare<L extends string> = Share<L> & {
  readonly user?: { readonly name: string; readonly email?: string | undefined } | undefined;
};

/** The levels of a record kind with their labels, lowest first. The lowest is the default. */
export type Levels<L extends string> = readonly [ShareLevel<L>, ...ShareLevel<L>[]];
type ShareLevel<L extends string> = { readonly value: L; readonly label: string };

/** The levels of items and templates. */
export const readAndWrite: Levels<'read' | 'write'> = [
  { value: 'read', label: texts.levels.read },
  { value: 'write', label: texts.levels.write },
];

type Candidate = ListedPerson & { readonly label: string };

/**
 * Returns the users who can be chosen: active users except the owner, and inactive users who have a share. Users with a
 * share come first; both parts are sorted by name.
 */
export function candidatesOf<L extends string>(
  people: readonly { _id: string; name: string; email: string }[],
  shares: readonly KnownShare<L>[],
  ownerId: string | undefined,
): Candidate[] {
  const active = people
    .filter(({ _id }) => _id !== ownerId)
    .map(({ _id, name, email }) => ({ userId: _id, name, email, label: texts.person(name, email) }));
  const former = shares
    .filter(({ userId }) => !people.some(({ _id }) => _id === userId))
    .map(({ userId, user }) => {
      const name = user?.name ?? '';
      return { userId, name, email: user?.email ?? '', label: texts.formerPerson(name) };
    });
  const has = ({ userId }: Candidate): boolean => shares.some((share) => share.userId === userId);
  const all = [...active, ...former];
  return [...all.filter(has), ...all.filter((person) => !has(person))];
}

/** Whether two lists have the same users with the same levels. */
export const isSameSharing = <L extends string>(a: readonly Share<L>[], b: readonly Share<L>[]): boolean =>
  a.length === b.length &&
  a.every(({ userId, permissions }) =>
    b.some((other) => other.userId === userId && other.permissions === permissions),
  );

/** Converts shares of a response to shares of a request. */
export const givenShares = <L extends string>(shares: readonly KnownShare<L>[]): Share<L>[] =>
  shares.map(({ userId, permissions }) => ({ userId, permissions }));
