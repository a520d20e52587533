import { z } from 'zod';
import { Role } from './auth.ts';
import { MAX_ALL_CUSTOM_FIELDS } from './custom-field-types.ts';
import { CustomFieldKey } from './custom-fields.ts';
import { dealColumns } from './deal-fields.ts';
import { permissionDefaults, sessionLimits } from './permission-defaults.ts';
import { kindsWith, type KindWith, type RecordKinds } from './record-kinds.ts';
import {
  BusinessDate,
  Id,
  IdParams,
  Version,
  list,
  plainText,
  wholeList,
  wholeNumber,
  type RouteTable,
} from './route.ts';
import { MAX_STATUS_NAME_LENGTH } from './statuses.ts';

type Groups = typeof permissionDefaults;
type GroupSchemas<S extends z.ZodType> = {
  [G in keyof Groups]: z.ZodObject<{ [F in keyof Groups[G]]: S }, z.core.$strict>;
};
const groupNames = Object.keys(permissionDefaults) as (keyof Groups)[];

/** Returns an object schema for each group, with this schema for each flag. */
const groupsOf = <S extends z.ZodType>(flag: S) =>
  Object.fromEntries(
    Object.entries(permissionDefaults).map(([group, flags]) => [
      group,
      z.strictObject(Object.fromEntries(Object.keys(flags).map((name) => [name, flag]))),
    ]),
  ) as GroupSchemas<S>;

const ids = list(Id, 10_000);

/**
 * Restrictions on the rows and columns of Data Entry that a user sees (docs/product/people-and-permissions.md,
 * Restrictions).
 */
const columnVisibility = {
  viewAllColumns: z.boolean(),
  /** Only rows that the user owns, created or has a share of. */
  restrictedToOwn: z.boolean(),
  restrictedRows: ids,
  restrictedDealerships: ids,
  /** Status ids. A name is accepted and stored as its id. */
  restrictedStatuses: list(plainText(MAX_STATUS_NAME_LENGTH), 1000),
  /** Only rows created in this range of business dates, both ends included. */
  dateRangeStart: BusinessDate.nullable(),
  dateRangeEnd: BusinessDate.nullable(),
  /** The visible columns while `viewAllColumns` is off. */
  visibleColumns: list(
    z.union([z.enum(dealColumns), CustomFieldKey]),
    dealColumns.length + MAX_ALL_CUSTOM_FIELDS,
  ),
};

const flags = groupsOf(z.boolean());
const changedFlags = groupsOf(z.boolean().optional());

const limits = {
  maxSessions: wholeNumber(1, sessionLimits.maxSessions, `Must be from 1 to ${sessionLimits.maxSessions}`),
  sessionTimeout: wholeNumber(
    1,
    sessionLimits.sessionTimeout,
    `Must be from 1 to ${sessionLimits.sessionTimeout} minutes`,
  ),
};

/**
 * The permissions of one user (docs/product/people-and-permissions.md, Permission record). Ignored for administrators,
 * who may do everything.
 */
export const PermissionRecord = z.strictObject({
  ...flags,
  dataEntry: flags.dataEntry.extend({ columnVisibility: z.strictObject(columnVisibility) }),
  ...limits,
});
export type PermissionRecord = z.infer<typeof PermissionRecord>;

/** A stored record. It contains the grants on single records, which the API returns in `resources`. */
export type StoredPermissions = PermissionRecord & {
  /** Ids of the statuses that this user may change. */
  editableStatuses: string[];
};

/** The body of a change: omitted flags stay unchanged, unknown ones are refused. */
export const PermissionChanges = z
  .strictObject({
    ...changedFlags,
    dataEntry: changedFlags.dataEntry.extend({
      columnVisibility: z.strictObject(columnVisibility).partial().optional(),
    }),
    ...limits,
  })
  .partial();
export type PermissionChanges = z.infer<typeof PermissionChanges>;

export const withChanges = (record: PermissionRecord, changes: PermissionChanges): PermissionRecord =>
  PermissionRecord.parse({
    ...Object.fromEntries(groupNames.map((group) => [group, { ...record[group], ...changes[group] }])),
    dataEntry: {
      ...record.dataEntry,
      ...changes.dataEntry,
      columnVisibility: { ...record.dataEntry.columnVisibility, ...changes.dataEntry?.columnVisibility },
    },
    maxSessions: changes.maxSessions ?? record.maxSessions,
    sessionTimeout: changes.sessionTimeout ?? record.sessionTimeout,
  });

/** Ids of the records of one kind that the user owns, may view and may edit. */
const Resource = z.strictObject({ owned: ids, canView: ids, canEdit: ids });

const resourcesOf = <S>(schema: S) =>
  Object.fromEntries(kindsWith('resource').map(({ resource }) => [resource, schema])) as Record<
    RecordKinds[KindWith<'resource'>]['resource'],
    S
  >;

/** A user's record as returned by the API. */
export const UserPermissions = PermissionRecord.extend({
  userId: Id,
  role: Role,
  /**
   * Derived from ownership, sharing and view permissions, except for the statuses that a user may change, which are
   * granted.
   */
  resources: z.strictObject(resourcesOf(Resource)),
  version: Version,
});
export type UserPermissions = z.infer<typeof UserPermissions>;

/** The changes and the read-only fields of a GET, of which only `statusConfigurations.canEdit` may differ. */
const PermissionBody = PermissionChanges.extend({
  userId: Id.optional(),
  role: Role.optional(),
  resources: z
    .strictObject({
      ...resourcesOf(Resource.partial()),
      statusConfigurations: Resource.extend({ canEdit: list(Id, 1000) }).partial(),
    })
    .partial()
    .optional(),
  version: Version.optional(),
});
export type PermissionBody = z.infer<typeof PermissionBody>;

export const permissionRoutes = {
  'GET /permissions': {
    summary: 'Everybody’s permission records, for administrators',
    response: wholeList(UserPermissions),
  },
  'GET /permissions/user/:id': {
    summary: 'The caller’s permission record, or any for administrators; at most 5 times a minute',
    params: IdParams,
    response: UserPermissions,
  },
  'PUT /permissions/user/:id': {
    summary: 'Changes the permissions of a person, in their open pages within a second',
    params: IdParams,
    body: PermissionBody,
    response: UserPermissions,
  },
  'POST /permissions/user/:id/view-as': {
    summary: 'Starts to view the product as that person, without changing anything',
    params: IdParams,
    status: 201,
    response: z.strictObject({ viewAs: Id, user: z.strictObject({ _id: Id, name: z.string() }) }),
  },
} as const satisfies RouteTable;
