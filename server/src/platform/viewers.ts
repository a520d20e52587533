import { defaultRecord, sessionDefaults, sessionLimits } from '@forecourt/contract/permission-defaults';
import { PermissionChanges, withChanges, type StoredPermissions } from '@forecourt/contract/permissions';
import { Id } from '@forecourt/contract/route';
import { errorsByField, type Issue } from '@forecourt/contract/validate';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Tx } from './db/database.ts';
import { prepared } from './db/prepared.ts';
import type { Viewer } from './http/context.ts';
import { AppError } from './http/errors.ts';
import type { Log } from './log.ts';

// Reads the user and the permissions behind a session.

/** A limit of `permission_records`, or the default if it is missing or invalid. */
export const sessionLimit = (name: keyof typeof sessionLimits) => sql<number>`coalesce(
  jsonb_path_query_first(permission_records.record, ${sql.lit(`$.${name} ? (@ >= 1 && @ <= ${sessionLimits[name]})`)})::int,
  ${sql.lit(sessionDefaults[name])})`;

const idleTime = sql`make_interval(mins => ${sessionLimit('sessionTimeout')})`;

/** The session is neither ended, expired nor idle for too long. Requires a join with `permission_records`. */
export const isLive = sql<boolean>`(sessions.ended_at is null and sessions.expires_at > now()
  and sessions.last_used_at > now() - ${idleTime})`;

/**
 * Use is recorded at most once a minute, and four times within a short timeout, otherwise an active user would count as
 * idle (docs/product/people-and-permissions.md, Sessions).
 */
const useWrittenEvery = sql`least(interval '1 minute', ${idleTime} / 4)`;

/** A viewer read for a request. */
export type ReadViewer = {
  viewer: Viewer;
  /** Use should be recorded, which this background read did not do. */
  isUseDue: boolean;
};

export const VIEWER_COLUMNS = [
  'users.id as userId',
  'users.name',
  'users.email',
  'users.role',
  'users.force_password_change',
  'users.last_login',
  'users.two_step_required',
  'two_step.confirmed_at as twoStepSince',
  'permission_records.record',
  sql<Viewer['customColumns']>`(
    select coalesce(json_agg(json_build_object('key', key, 'type', type) order by position), '[]') from custom_fields
    where active and (visible_to = 'everybody' or users.role = 'admin'))`.as('customColumns'),
] as const;

/** Selects active users with the columns for `toViewer`. */
const activeUsers = (db: Db | Tx) =>
  db
    .selectFrom('users')
    .leftJoin('two_step', 'two_step.user_id', 'users.id')
    .leftJoin('permission_records', 'permission_records.user_id', 'users.id')
    .where('users.is_active', '=', true)
    .select(VIEWER_COLUMNS);

type Which = { hash: Buffer } | { hashes: readonly Buffer[] } | { sessionId: string };

/** Returns live sessions with their users. A single hash has a plan of its own, because most requests need it. */
const findLive = prepared((db, which: Which) =>
  activeUsers(db)
    .innerJoin('sessions', 'sessions.user_id', 'users.id')
    .$call((query) => {
      if ('sessionId' in which) return query.where('sessions.id', '=', which.sessionId);
      return 'hash' in which
        ? query.where('sessions.token_hash', '=', which.hash)
        : query.where(sql<boolean>`sessions.token_hash = any(${which.hashes}::bytea[])`);
    })
    .where(isLive)
    .select(['sessions.id as sessionId', 'sessions.token_hash'])
    .select(sql<boolean>`sessions.last_used_at < now() - ${useWrittenEvery}`.as('isStale')),
);
type LiveRow = Awaited<ReturnType<typeof findLive>>[number];

/** Returns the live sessions of these token hashes in the same order; undefined if there is none. */
export async function readLive(db: Db, hashes: readonly Buffer[]): Promise<(LiveRow | undefined)[]> {
  const [hash] = hashes;
  const rows = await findLive(db, hash && hashes.length === 1 ? { hash } : { hashes });
  const byHash = new Map(rows.map((row) => [row.token_hash.toString('base64'), row]));
  return hashes.map((one) => byHash.get(one.toString('base64')));
}

/**
 * Returns the viewer of a session row; counts as use unless it is a background request. Throws NOT_SIGNED_IN without a
 * row, with the reason if the session was ended.
 */
export async function viewerOfRow(
  db: Db,
  row: LiveRow | undefined,
  hash: Buffer,
  background: boolean,
  log: Log,
): Promise<ReadViewer> {
  if (!row) throw new AppError('NOT_SIGNED_IN', await findEndReason(db, hash));
  if (row.isStale && !background) {
    await db
      .updateTable('sessions')
      .set({ last_used_at: sql`now()` })
      .where('id', '=', row.sessionId)
      // Recording use must not block reads while commits wait for a standby.
      .returning(sql`set_config('synchronous_commit', 'off', true)`.as('commit'))
      .execute();
  }
  return { viewer: toViewer(row, row.sessionId, log), isUseDue: row.isStale && background };
}

/** Returns the viewer of a session by its id; does not count as use. Throws NOT_SIGNED_IN. */
export async function viewerOf(db: Db, sessionId: string, log: Log): Promise<Viewer> {
  const [row] = await findLive(db, { sessionId });
  if (!row) throw new AppError('NOT_SIGNED_IN');
  return toViewer(row, sessionId, log);
}

/** Messages for ended sessions, by stored reason. */
const REASONS: Record<string, string> = {
  'signed in elsewhere':
    'You signed in on another device, and your account may be signed in on a limited number at a time.',
  'password changed': 'Your password was changed.',
  'ended by the person': 'You ended this session from another device.',
  'ended by an administrator': 'An administrator ended your session.',
  'account changed': 'An administrator changed your account.',
  'backup restored': 'An administrator restored a backup.',
};

async function findEndReason(db: Db, hash: Buffer): Promise<{ details?: string }> {
  const row = await db
    .selectFrom('sessions')
    .select('end_reason')
    .where('token_hash', '=', hash)
    .executeTakeFirst();
  const details = REASONS[row?.end_reason ?? ''];
  return details === undefined ? {} : { details };
}

/** Returns the user whom an administrator impersonates. Throws VIEW_ENDED if the impersonation has ended. */
export async function readImpersonated(db: Db, viewing: string, admin: Viewer): Promise<Viewer> {
  const { data: viewingId } = Id.safeParse(viewing);
  if (viewingId === undefined || admin.role !== 'admin') throw new AppError('VIEW_ENDED');
  const row = await activeUsers(db)
    .innerJoin('impersonations', 'impersonations.user_id', 'users.id')
    .where('impersonations.id', '=', viewingId)
    .where('impersonations.session_id', '=', admin.sessionId)
    .executeTakeFirst();
  if (!row) throw new AppError('VIEW_ENDED');
  return {
    ...toViewer(row, admin.sessionId),
    // Required steps at sign-in are the administrator's, not the impersonated user's.
    forcePasswordChange: admin.forcePasswordChange,
    mustSetUpTwoStep: admin.mustSetUpTwoStep,
    viewedBy: { userId: admin.userId, name: admin.name },
  };
}

/** Returns active users as viewers without a session, to check their permissions outside a request. */
export async function readViewers(db: Db | Tx, userIds: readonly string[]): Promise<Viewer[]> {
  if (userIds.length === 0) return [];
  const rows = await activeUsers(db)
    .where(sql<boolean>`users.id = any(${userIds}::uuid[])`)
    .orderBy('users.name')
    .orderBy('users.id')
    .execute();
  return rows.map((row) => toViewer(row, ''));
}

/** Converts a user row (`VIEWER_COLUMNS`) and a session id to a viewer. */
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
    customColumns: Viewer['customColumns'];
  },
  sessionId: string,
  log?: Log,
): Viewer => ({
  userId: row.userId,
  sessionId,
  role: row.role as Viewer['role'],
  name: row.name,
  email: row.email,
  forcePasswordChange: row.force_password_change,
  lastLogin: row.last_login,
  mustSetUpTwoStep: row.two_step_required && row.twoStepSince === null,
  permissions: readPermissions(row.record, (fields) =>
    log?.error({ userId: row.userId, fields }, 'permission record unreadable'),
  ),
  customColumns: row.customColumns,
});

/** A record as it is stored. */
export const StoredRecord = PermissionChanges.extend({ editableStatuses: z.array(Id).optional() });

/** The limits of a record with an invalid part, which may have been a restriction. */
const strictest: PermissionChanges = {
  features: { export: false },
  dataEntry: { canExport: false, columnVisibility: { viewAllColumns: false, restrictedToOwn: true } },
};

/**
 * Returns a stored record with defaults for missing fields, without fields that only a newer release knows. Invalid
 * parts, which only a bug can have stored, must not lock anybody out: they are replaced by defaults within the
 * strictest limits, and logged when the user signs in or sends a request.
 */
export function readPermissions(
  stored: unknown,
  onUnreadable: (fields: string[]) => void = () => {},
): StoredPermissions {
  const { data, invalid } = readParts(stored ?? {});
  const { editableStatuses = [], ...changes } = data;
  const record = withChanges(defaultRecord, changes);
  if (invalid.length === 0) return { ...record, editableStatuses };
  onUnreadable(Object.keys(errorsByField(invalid)));
  return { ...withChanges(record, strictest), editableStatuses };
}

type Part = { [key: PropertyKey]: Part } | undefined;

/** Returns the known and valid parts of a stored record, and the issues of the invalid parts. */
function readParts(
  stored: unknown,
  invalid: readonly Issue[] = [],
): { data: z.output<typeof StoredRecord>; invalid: readonly Issue[] } {
  const { data, error } = StoredRecord.safeParse(stored);
  if (data) return { data, invalid };
  const issues: Issue[] = error.issues;
  const rest: Part = { record: structuredClone(stored) as Part };
  // Starts at the end, because removing an entry moves later ones.
  for (const { path, keys } of issues.toReversed()) {
    const parts = keys ? keys.map((key) => [...path, key]) : [path];
    for (const part of parts) removeAt(rest, ['record', ...part]);
  }
  return readParts(rest['record'] ?? {}, [...invalid, ...issues.filter(({ keys }) => !keys)]);
}

/** Removes a field, or an entry of a list. */
function removeAt(whole: Part, path: readonly PropertyKey[]): void {
  const parent = path.slice(0, -1).reduce((part, key) => part?.[key], whole);
  const last = path.at(-1)!;
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else if (parent) Reflect.deleteProperty(parent, last);
}
