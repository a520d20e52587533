import { sql, type SqlBool } from 'kysely';
import { anyOf, equals, type Condition } from '../conditions.ts';
import type { Viewer } from '../http/context.ts';
import { apiLevelOf, type Level, type Shareable, type ApiLevel } from './levels.ts';

/** One user's share of a record, as read by queries. */
export type Share = { userId: string; level: Level; sharedAt: string; name: string; email: string };

/** Owner and shares of a record, on which all sharing policies depend. */
export type AccessFields = { owner_id: string; owner_name: string; shares: Share[] };

/** A share in a request. */
export type GivenShare<K extends Shareable> = { userId: string; permissions: ApiLevel<K> };

type Person = { userId: string };

/** The fields that conditions on owner and shares use. */
export type SharedRecord = { owner_id: string; shares: readonly Pick<Share, 'userId' | 'level'>[] };

export const isOwner: Condition<Person, Pick<SharedRecord, 'owner_id'>> = equals('owner_id', 'userId');

/** Whether the record has a share of one of these levels. In SQL the field is a condition on rows of `shares`. */
const hasShare = (levels: readonly Level[]): Condition<Person, Pick<SharedRecord, 'shares'>> => ({
  matches: (viewer, { shares }) =>
    shares.some(({ userId, level }) => userId === viewer.userId && levels.includes(level)),
  sql: (viewer, { shares }) => sql<SqlBool>`exists (
    select from shares where ${shares} and shares.user_id = ${viewer.userId}
      and shares.level in (${sql.join(levels.map((level) => sql.lit(level)))}))`,
});

const anyShare = hasShare(['view', 'edit', 'full']);

export const hasAnyShare: Condition<Person, Pick<SharedRecord, 'shares'>> = {
  ...anyShare,
  sql: (viewer, record) => record.isShared ?? anyShare.sql(viewer, record),
};

/** The viewer is the owner or has a share of any level. */
export const hasAccess = anyOf<Person, SharedRecord>(isOwner, hasAnyShare);

/** The viewer is the owner or has a share with edit rights. */
export const hasEditAccess = anyOf<Person, SharedRecord>(isOwner, hasShare(['edit', 'full']));

/**
 * Returns owner and shares as the viewer may see them: administrators and the owner see all shares, others only their
 * own. Email addresses are for administrators only (docs/product/security.md, Email addresses of colleagues).
 */
export function presentAccess<K extends Shareable>(viewer: Viewer, kind: K, record: AccessFields) {
  const isAdmin = viewer.role === 'admin';
  const seesAll = isAdmin || isOwner.matches(viewer, record);
  return {
    owner: record.owner_id,
    ownerName: record.owner_name,
    sharedWith: record.shares
      .filter(({ userId }) => seesAll || userId === viewer.userId)
      .map(({ userId, level, sharedAt, name, email }) => ({
        userId,
        permissions: apiLevelOf(kind, level),
        sharedAt,
        user: { _id: userId, name, ...(isAdmin && { email }) },
      })),
  };
}

type Plain = { userId: string; permissions: string };

/** Whether two lists of shares give the same users the same levels. */
export const isSameSharing = (a: readonly Plain[], b: readonly Plain[]): boolean => {
  const levels = new Map(a.map(({ userId, permissions }) => [userId, permissions]));
  return a.length === b.length && b.every(({ userId, permissions }) => levels.get(userId) === permissions);
};

/** Returns shares for the audit log, in an order that does not depend on names. */
export const recordedShares = <K extends Shareable>(
  kind: K,
  shares: readonly Pick<Share, 'userId' | 'level'>[],
): GivenShare<K>[] =>
  shares
    .map(({ userId, level }) => ({ userId, permissions: apiLevelOf(kind, level) }))
    .sort((a, b) => (a.userId < b.userId ? -1 : 1));

/** Returns owner and shares for the audit entry of a deletion, which decides who receives its live event. */
export const recordedAccess = (kind: Shareable, record: AccessFields) => ({
  owner: record.owner_id,
  sharedWith: recordedShares(kind, record.shares),
});

/** Whether the viewer owned the record or had a share, by the `before` of an audit entry. */
export const hadAccess = ({ userId }: Viewer, before: Record<string, unknown>): boolean =>
  before.owner === userId ||
  ((before.sharedWith ?? []) as GivenShare<Shareable>[]).some((share) => share.userId === userId);
