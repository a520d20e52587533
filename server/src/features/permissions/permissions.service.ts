import { isDeepStrictEqual } from 'node:util';
import {
  withChanges,
  type StoredPermissions,
  type PermissionBody,
  type PermissionRecord,
  type UserPermissions,
} from '@forecourt/contract/permissions';
import { audit } from '../../platform/audit.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inTransaction, type Context, type Viewer, type TxContext } from '../../platform/http/context.ts';
import { AppError, invalidField, requireFound } from '../../platform/http/errors.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import { newId } from '../../platform/ids.ts';
import { enforceRateLimit } from '../../platform/rate-limit.ts';
import type { Sessions } from '../../platform/sessions.ts';
import { readPermissions } from '../../platform/viewers.ts';
import {
  withoutHidden,
  canRead,
  dealershipsOf,
  difference,
  findIdleFlag,
  viewedStatuses,
} from './permissions.policy.ts';
import * as queries from './permissions.queries.ts';

/** Maximum reads of one user's record by one caller per minute (docs/product/limits.md, Sign-in and sessions). */
const FETCHES = 5;
const FETCH_SECONDS = 60;

/** The version of a user without a stored record. The first save is version 2. */
const FIRST_VERSION = 1;

/**
 * Permissions of users (docs/product/people-and-permissions.md, Permission record), and impersonation
 * (docs/product/people-and-permissions.md, View as).
 */
export function createPermissionsService(sessions: Sessions) {
  /** Saves the record of a locked user as its next version, which applies at once. Returns the user with it. */
  async function save(
    ctx: TxContext,
    row: queries.PersonRow,
    record: StoredPermissions,
  ): Promise<queries.PersonRow> {
    const version = (row.version ?? FIRST_VERSION) + 1;
    await queries.saveRecord(ctx.db, row.id, record, version);
    await sessions.applyPermissions(ctx, row.id);
    await audit(ctx, 'permissions.updated', row.id, {
      version,
      ...difference(readPermissions(row.record), record),
    });
    return { ...row, record, version };
  }

  return {
    list: async (ctx: Context): Promise<{ items: UserPermissions[]; total: number }> =>
      wholeList((await queries.listPeople(ctx.db)).map((row) => present(ctx.viewer, row))),

    /** Returns a user's record, or else the defaults. Throws TOO_MANY_REQUESTS after 5 reads in a minute. */
    async get(ctx: Context, userId: string): Promise<UserPermissions> {
      const { viewer } = ctx;
      if (!canRead(viewer, userId)) throw new AppError('ADMIN_REQUIRED');
      await enforceRateLimit(ctx, {
        subject: `permissions:${(viewer.viewedBy ?? viewer).userId}:${userId}`,
        times: FETCHES,
        seconds: FETCH_SECONDS,
        message: 'Too many permission requests, please wait',
      });
      return present(viewer, requireFound(await queries.findPerson(ctx.db, userId)));
    },

    /** Returns the viewer's own permissions for their live connection, without the rate limit. */
    ofViewer: async (db: Db, viewer: Viewer): Promise<UserPermissions> =>
      present(viewer, requireFound(await queries.findPerson(db, viewer.userId))),

    /**
     * Omitted flags stay unchanged. The change applies at once on every instance and is published to the user's open
     * pages. Throws CONFLICT with the current record if `version` is outdated.
     */
    async update(ctx: Context, userId: string, body: PermissionBody): Promise<UserPermissions> {
      return inTransaction(ctx, async (inner) => {
        const row = requireFound(await queries.lockPerson(inner.db, userId));
        const current = present(ctx.viewer, row);
        if (body.version !== undefined && body.version !== current.version) {
          throw new AppError('CONFLICT', { current });
        }
        rejectReadOnlyChanges(body, current);
        const { userId: _userId, role: _role, resources, version: _version, ...changes } = body;
        const before = readPermissions(row.record);
        const granted = resources?.statusConfigurations?.canEdit ?? before.editableStatuses;
        const after = {
          ...(await validateRecord(inner.db, before, withChanges(before, changes))),
          editableStatuses: await existingStatuses(inner.db, before, granted),
        };
        if (isDeepStrictEqual(before, after)) return current;
        return present(ctx.viewer, await save(inner, row, after));
      });
    },

    /** Removes a deleted status from every record that references it. The caller checks permissions. */
    async forgetStatus(ctx: TxContext, statusId: string): Promise<void> {
      const others = (ids: string[]): string[] => ids.filter((id) => id !== statusId);
      for (const row of await queries.lockUsersWithStatus(ctx.db, statusId)) {
        const record = readPermissions(row.record);
        const { columnVisibility } = record.dataEntry;
        const restrictedStatuses = others(columnVisibility.restrictedStatuses);
        await save(ctx, row, {
          ...record,
          dataEntry: { ...record.dataEntry, columnVisibility: { ...columnVisibility, restrictedStatuses } },
          editableStatuses: others(record.editableStatuses),
        });
      }
    },

    /**
     * Starts the impersonation of an active user in the administrator's own session. The client sends the returned id
     * in the header X-View-As of read-only requests.
     */
    async viewAs(ctx: Context, userId: string) {
      return inTransaction(ctx, async (inner) => {
        const { db, viewer } = inner;
        const { name, is_active: isActive } = requireFound(await queries.findPerson(db, userId));
        if (userId === viewer.userId || !isActive) {
          throw new AppError('INVALID_REQUEST', { message: 'Choose another person who is active' });
        }
        const viewAs = newId();
        await queries.insertImpersonation(db, { id: viewAs, session_id: viewer.sessionId, user_id: userId });
        await audit(inner, 'user.viewed', userId);
        return { viewAs, user: { _id: userId, name } };
      });
    },
  };
}

export type PermissionsService = ReturnType<typeof createPermissionsService>;

/** Throws a 400 if the body changes fields that GET returns but PUT cannot change. */
function rejectReadOnlyChanges(body: PermissionBody, current: UserPermissions): void {
  if (body.userId !== undefined && body.userId !== current.userId)
    throw invalidField('userId', 'Must be the person of the address');
  if (body.role !== undefined && body.role !== current.role)
    throw invalidField('role', 'The role is changed with the person, not with their permissions');
  for (const [kind, lists] of Object.entries(body.resources ?? {}))
    for (const [list, ids] of Object.entries(lists ?? {})) {
      const isGranted = kind === 'statusConfigurations' && list === 'canEdit';
      if (!isGranted && !isDeepStrictEqual(ids, current.resources[kind as Kind][list as List]))
        throw invalidField(
          `resources.${kind}.${list}`,
          'Follows from ownership, sharing and view rights and cannot be written',
        );
    }
}

type Kind = keyof UserPermissions['resources'];
type List = keyof UserPermissions['resources'][Kind];

/** Returns the granted statuses without duplicates. Throws a 400 for a status that does not exist. */
async function existingStatuses(db: Tx, before: StoredPermissions, granted: string[]): Promise<string[]> {
  const existing = await queries.existingIds(db, 'statuses', granted);
  if (granted.some((id) => !existing.has(id) && !before.editableStatuses.includes(id)))
    throw invalidField('resources.statusConfigurations.canEdit', 'Names one that is not there');
  return [...new Set(granted)];
}

const VISIBILITY = 'dataEntry.columnVisibility';

/** Returns the record with statuses as ids. Throws a 400 for a flag without effect and an unknown restriction. */
async function validateRecord(
  db: Tx,
  before: PermissionRecord,
  record: PermissionRecord,
): Promise<PermissionRecord> {
  const idle = findIdleFlag(before, record);
  if (idle) {
    const needs = idle.missing.map((any) => any.join(' or ')).join(' and ');
    throw invalidField(idle.flag, `Has no effect without ${needs}`);
  }
  const { columnVisibility } = record.dataEntry;
  const former = before.dataEntry.columnVisibility;
  const { dateRangeStart, dateRangeEnd, restrictedStatuses } = columnVisibility;
  if (dateRangeStart && dateRangeEnd && dateRangeStart > dateRangeEnd)
    throw invalidField(`${VISIBILITY}.dateRangeEnd`, 'Must not be before the first day');
  for (const [field, table] of [
    ['restrictedRows', 'deals'],
    ['restrictedDealerships', 'dealerships'],
  ] as const) {
    // Only new ids are checked: a stored restriction may reference a deleted record.
    const added = columnVisibility[field].filter((id) => !former[field].includes(id));
    const existing = await queries.existingIds(db, table, added);
    if (added.some((id) => !existing.has(id)))
      throw invalidField(`${VISIBILITY}.${field}`, `Names one that is not there`);
  }
  const statusIds = await resolveStatuses(db, restrictedStatuses, former.restrictedStatuses);
  return {
    ...record,
    dataEntry: {
      ...record.dataEntry,
      columnVisibility: {
        ...columnVisibility,
        restrictedRows: [...new Set(columnVisibility.restrictedRows)],
        restrictedDealerships: [...new Set(columnVisibility.restrictedDealerships)],
        restrictedStatuses: statusIds,
        visibleColumns: [...new Set(columnVisibility.visibleColumns)],
      },
    },
  };
}

async function resolveStatuses(db: Tx, texts: string[], former: string[]): Promise<string[]> {
  const statuses = texts.length > 0 ? await queries.findStatuses(db, texts) : [];
  const ids = texts.map((text) => {
    const status = statuses.find(({ id, name }) => id === text || name.toLowerCase() === text.toLowerCase());
    if (!status && !former.includes(text))
      throw invalidField(`${VISIBILITY}.restrictedStatuses`, `There is no status ${text}`);
    return status?.id ?? text;
  });
  return [...new Set(ids)];
}

/** A person's record as this viewer gets it. `readPermissions` leaves only fields of the contract. */
const present = (viewer: Viewer, row: queries.PersonRow): UserPermissions => {
  const storedRecord = readPermissions(row.record);
  const { editableStatuses, ...record } = withoutHidden(viewer, storedRecord);
  return {
    userId: row.id,
    role: row.role as UserPermissions['role'],
    resources: {
      ...row.resources,
      dealerships: dealershipsOf(viewer, row.role, storedRecord, row.resources.dealerships),
      statusConfigurations: {
        owned: [],
        canView: viewedStatuses(storedRecord, row.statuses),
        canEdit: editableStatuses,
      },
    },
    ...record,
    version: row.version ?? FIRST_VERSION,
  };
};
