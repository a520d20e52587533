import {
  defaultRecord,
  withChanges,
  type KeptPermissions,
  type PermissionChanges,
} from '@forecourt/contract/permissions';
import { Id } from '@forecourt/contract/route';
import { sql } from 'kysely';
import type { Db } from './db/database.ts';
import { prepared } from './db/prepared.ts';
import type { Viewer } from './http/context.ts';
import { AppError } from './http/errors.ts';

// Who a session belongs to and what they may do, as the database has it now.

const idleTime = sql`make_interval(mins => coalesce((permission_records.record ->> 'sessionTimeout')::int, 60))`;

/** Neither ended nor run out nor idle for too long, where `permission_records` is joined. */
export const isLive = sql<boolean>`(sessions.ended_at is null and sessions.expires_at > now()
  and sessions.last_used_at > now() - ${idleTime})`;

/**
 * Use is written down at most once a minute (product.md section 7), and four times within a short timeout:
 * otherwise somebody at work would count as idle.
 */
const useWrittenEvery = sql`least(interval '1 minute', ${idleTime} / 4)`;

export type Found = {
  viewer: Viewer;
  /** It is time to write down use, and this reading, in the background, was none. */
  isUseDue: boolean;
};

/** Everything about a person that a viewer carries. */
export const PERSON = [
  'users.id as userId',
  'users.name',
  'users.email',
  'users.role',
  'users.force_password_change',
  'users.last_login',
  'users.two_step_required',
  'two_step.confirmed_at as twoStepSince',
  'permission_records.record',
] as const;

type Which = { hash: Buffer } | { hashes: readonly Buffer[] } | { sessionId: string };

/** Sessions that are live, each with who is behind it. One by itself has a plan of its own: it is what most calls need. */
const live = prepared((db, which: Which) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('two_step', 'two_step.user_id', 'users.id')
    .leftJoin('permission_records', 'permission_records.user_id', 'users.id')
    .$call((query) => {
      if ('sessionId' in which) return query.where('sessions.id', '=', which.sessionId);
      return 'hash' in which
        ? query.where('sessions.token_hash', '=', which.hash)
        : query.where(sql<boolean>`sessions.token_hash = any(${which.hashes}::bytea[])`);
    })
    .where('users.is_active', '=', true)
    .where(isLive)
    .select([...PERSON, 'sessions.id as sessionId', 'sessions.token_hash'])
    .select(sql<boolean>`sessions.last_used_at < now() - ${useWrittenEvery}`.as('isStale')),
);
type LiveRow = Awaited<ReturnType<typeof live>>[number];

/** The live sessions of these tokens' hashes, in their order; undefined for one that is none. */
export async function readLive(db: Db, hashes: readonly Buffer[]): Promise<(LiveRow | undefined)[]> {
  const [hash] = hashes;
  const rows = await live(db, hash && hashes.length === 1 ? { hash } : { hashes });
  const byHash = new Map(rows.map((row) => [row.token_hash.toString('base64'), row]));
  return hashes.map((one) => byHash.get(one.toString('base64')));
}

/** Who is behind a session as it was read. Throws NOT_SIGNED_IN where it is none, and says why where somebody ended it. Counts as use unless in the background. */
export async function viewerBehind(
  db: Db,
  row: LiveRow | undefined,
  hash: Buffer,
  background: boolean,
): Promise<Found> {
  if (!row) throw new AppError('NOT_SIGNED_IN', await whyEnded(db, hash));
  if (row.isStale && !background) {
    await db
      .updateTable('sessions')
      .set({ last_used_at: sql`now()` })
      .where('id', '=', row.sessionId)
      .execute();
  }
  return { viewer: toViewer(row, row.sessionId), isUseDue: row.isStale && background };
}

/** Who is behind a session, by its id, without counting as use. Throws NOT_SIGNED_IN. */
export async function viewerOf(db: Db, sessionId: string): Promise<Viewer> {
  const [row] = await live(db, { sessionId });
  if (!row) throw new AppError('NOT_SIGNED_IN');
  return toViewer(row, sessionId);
}

/** What the holder of a token is told about a session that somebody or something else has ended. */
const REASONS: Record<string, string> = {
  'signed in elsewhere':
    'You signed in on another device, and your account may be signed in on a limited number at a time.',
  'password changed': 'Your password was changed.',
  'ended by the person': 'You ended this session from another device.',
  'ended by an administrator': 'An administrator ended your session.',
  'account changed': 'An administrator changed your account.',
  'backup restored': 'An administrator restored a backup.',
};

async function whyEnded(db: Db, hash: Buffer): Promise<{ details?: string }> {
  const row = await db
    .selectFrom('sessions')
    .select('ended_because')
    .where('token_hash', '=', hash)
    .executeTakeFirst();
  const details = REASONS[row?.ended_because ?? ''];
  return details === undefined ? {} : { details };
}

/** The person whom an administrator looks at the product as, with the rights of now. Throws VIEW_ENDED once it is over. */
export async function readViewed(db: Db, viewing: string, admin: Viewer): Promise<Viewer> {
  const { data: viewingId } = Id.safeParse(viewing);
  if (viewingId === undefined || admin.role !== 'admin') throw new AppError('VIEW_ENDED');
  const row = await db
    .selectFrom('viewings')
    .innerJoin('users', 'users.id', 'viewings.user_id')
    .leftJoin('two_step', 'two_step.user_id', 'users.id')
    .leftJoin('permission_records', 'permission_records.user_id', 'users.id')
    .where('viewings.id', '=', viewingId)
    .where('viewings.session_id', '=', admin.sessionId)
    .where('users.is_active', '=', true)
    .select(PERSON)
    .executeTakeFirst();
  if (!row) throw new AppError('VIEW_ENDED');
  return {
    ...toViewer(row, admin.sessionId),
    // What the administrator has to do first is theirs; what the person has to do first is not shown.
    forcePasswordChange: admin.forcePasswordChange,
    mustSetUpTwoStep: admin.mustSetUpTwoStep,
    viewedBy: { userId: admin.userId, name: admin.name },
  };
}

/** A person, read with `PERSON`, in a session of theirs. */
export const toViewer = (
  row: {
    userId: string;
    name: string;
    email: string;
    role: string;
    force_password_change: boolean;
    last_login: string | null;
    two_step_required: boolean;
    twoStepSince: string | null;
    record: unknown;
  },
  sessionId: string,
): Viewer => ({
  userId: row.userId,
  sessionId,
  role: row.role as Viewer['role'],
  name: row.name,
  email: row.email,
  forcePasswordChange: row.force_password_change,
  lastLogin: row.last_login,
  mustSetUpTwoStep: row.two_step_required && row.twoStepSince === null,
  permissions: readRecord(row.record),
});

/** A stored record with the defaults of what it does not say. */
export function readRecord(stored: unknown): KeptPermissions {
  const { editableStatuses = [], ...changes } = (stored ?? {}) as PermissionChanges &
    Partial<KeptPermissions>;
  return { ...withChanges(defaultRecord, changes), editableStatuses };
}
