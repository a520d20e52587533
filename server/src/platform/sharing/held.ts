import type { Viewer } from '../http/context.ts';
import { wordFor, type Level, type Shareable, type WordOf } from './levels.ts';

/** One person's share of a record, as the queries read it. */
export type Share = { userId: string; level: Level; sharedAt: string; name: string; email: string };

/** Whose a record is and who else has a share of it: what every policy about sharing looks at. */
export type Held = { owner_id: string; owner_name: string; shares: Share[] };

/** A share as it is given: the API's words and nothing computed. */
export type GivenShare<K extends Shareable> = { userId: string; permissions: WordOf<K> };

export const isOwner = (viewer: Pick<Viewer, 'userId'>, record: Pick<Held, 'owner_id'>): boolean =>
  record.owner_id === viewer.userId;

const levelOf = (viewer: Viewer, { shares }: Pick<Held, 'shares'>): Level | undefined =>
  shares.find(({ userId }) => userId === viewer.userId)?.level;

/** Ownership or a share of any level. */
export const isHeld = (viewer: Viewer, record: Held): boolean =>
  isOwner(viewer, record) || levelOf(viewer, record) !== undefined;

/** Ownership or a share that lets edit. */
export const isHeldToEdit = (viewer: Viewer, record: Held): boolean =>
  isOwner(viewer, record) || ['edit', 'full'].includes(levelOf(viewer, record) ?? 'view');

/**
 * Whose a record is and its shares, as far as a viewer is told: administrators and the owner know all of them,
 * others their own. Addresses are for administrators (security.md C5).
 */
export function presentHeld<K extends Shareable>(viewer: Viewer, kind: K, record: Held) {
  const isAdmin = viewer.role === 'admin';
  const knowsAll = isAdmin || isOwner(viewer, record);
  return {
    owner: record.owner_id,
    ownerName: record.owner_name,
    sharedWith: record.shares
      .filter(({ userId }) => knowsAll || userId === viewer.userId)
      .map(({ userId, level, sharedAt, name, email }) => ({
        userId,
        permissions: wordFor(kind, level),
        sharedAt,
        user: { _id: userId, name, ...(isAdmin && { email }) },
      })),
  };
}

type Plain = { userId: string; permissions: string };

/** Whether two lists of shares give the same people the same levels. */
export const isSameSharing = (a: readonly Plain[], b: readonly Plain[]): boolean => {
  const levels = new Map(a.map(({ userId, permissions }) => [userId, permissions]));
  return a.length === b.length && b.every(({ userId, permissions }) => levels.get(userId) === permissions);
};

/** Shares as the audit log keeps them, in an order that does not depend on names. */
export const recordedShares = <K extends Shareable>(
  kind: K,
  shares: readonly Pick<Share, 'userId' | 'level'>[],
): GivenShare<K>[] =>
  shares
    .map(({ userId, level }) => ({ userId, permissions: wordFor(kind, level) }))
    .sort((a, b) => (a.userId < b.userId ? -1 : 1));

/** Owner and shares as the audit log keeps them of a record that goes: whoever had it is told. */
export const recordedHeld = (kind: Shareable, record: Held) => ({
  owner: record.owner_id,
  sharedWith: recordedShares(kind, record.shares),
});

/** Whether an audit entry's `before` says that a person had a record: it was theirs or shared with them. */
export const wasHeld = ({ userId }: Viewer, before: Record<string, unknown>): boolean =>
  before.owner === userId ||
  ((before.sharedWith ?? []) as GivenShare<Shareable>[]).some((share) => share.userId === userId);
