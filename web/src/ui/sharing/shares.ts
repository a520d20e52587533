import type { UseQueryResult } from '@tanstack/react-query';
import { texts } from '../../texts/sharing.ts';
import type { ListedPerson } from '../matching-people.ts';

/** A share as it is sent: who, and at which level in the words of the kind of record. */
export type Share<L extends string> = { readonly userId: string; readonly permissions: L };

/** A share as an answer carries it. */
export type KnownShare<L extends string> = Share<L> & {
  readonly user?: { readonly name: string; readonly email?: string | undefined } | undefined;
};

/** The levels of a kind of record with their words, least first: that is the one that somebody starts with. */
export type Levels<L extends string> = readonly [ShareLevel<L>, ...ShareLevel<L>[]];
type ShareLevel<L extends string> = { readonly value: L; readonly label: string };

/** Who can be shared with: the directory of active people, as it is being loaded. */
export type Directory = Pick<
  UseQueryResult<{ items: { _id: string; name: string; email: string }[] }>,
  'data' | 'error' | 'refetch'
>;

/** Why a level is less or more than what a person may do anyway; undefined where it is not known or the same. */
export type LevelWarning<L extends string> = (userId: string, level: L) => string | undefined;

type Candidate = ListedPerson & { readonly label: string };

/**
 * Everybody who can be chosen: active people but for the owner, and those who have a share and are not active any
 * more. Who has a share comes first; both parts stay in the order of their names.
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

/** Whether two lists give the same people the same levels. */
export const isSameSharing = <L extends string>(a: readonly Share<L>[], b: readonly Share<L>[]): boolean =>
  a.length === b.length &&
  a.every(({ userId, permissions }) =>
    b.some((other) => other.userId === userId && other.permissions === permissions),
  );

/** What is sent of shares that an answer carried. */
export const givenShares = <L extends string>(shares: readonly KnownShare<L>[]): Share<L>[] =>
  shares.map(({ userId, permissions }) => ({ userId, permissions }));
