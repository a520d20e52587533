import { z } from 'zod';
import { Role } from './auth.ts';
import { MAX_ALL_CUSTOM_FIELDS } from './custom-field-types.ts';
import { CustomFieldKey } from './custom-fields.ts';
import { dealColumns } from './deal-fields.ts';
import { permissionDefaults, sessionLimits } from './permission-defaults.ts';
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

type Flags<T> = { [K in keyof T]: z.ZodBoolean };

/** Returns one boolean schema per flag. */
const flags = <T extends Record<string, boolean>>(defaults: T): Flags<T> =>
  Object.fromEntries(Object.keys(defaults).map((name) => [name, z.boolean()])) as Flags<T>;

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

const groups = {
  features: flags(permissionDefaults.features),
  itemConfiguration: flags(permissionDefaults.itemConfiguration),
  dealershipConfiguration: flags(permissionDefaults.dealershipConfiguration),
  emailTemplateConfiguration: flags(permissionDefaults.emailTemplateConfiguration),
  statusConfiguration: flags(permissionDefaults.statusConfiguration),
  pages: flags(permissionDefaults.pages),
};
const dataEntry = flags(permissionDefaults.dataEntry);

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
  features: z.strictObject(groups.features),
  dataEntry: z.strictObject({ ...dataEntry, columnVisibility: z.strictObject(columnVisibility) }),
  itemConfiguration: z.strictObject(groups.itemConfiguration),
  dealershipConfiguration: z.strictObject(groups.dealershipConfiguration),
  emailTemplateConfiguration: z.strictObject(groups.emailTemplateConfiguration),
  statusConfiguration: z.strictObject(groups.statusConfiguration),
  pages: z.strictObject(groups.pages),
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
    features: z.strictObject(groups.features).partial(),
    dataEntry: z
      .strictObject({ ...dataEntry, columnVisibility: z.strictObject(columnVisibility).partial() })
      .partial(),
    itemConfiguration: z.strictObject(groups.itemConfiguration).partial(),
    dealershipConfiguration: z.strictObject(groups.dealershipConfiguration).partial(),
    emailTemplateConfiguration: z.strictObject(groups.emailTemplateConfiguration).partial(),
    statusConfiguration: z.strictObject(groups.statusConfiguration).partial(),
    pages: z.strictObject(groups.pages).partial(),
    ...limits,
  })
  .partial();
export type PermissionChanges = z.infer<typeof PermissionChanges>;

export const withChanges = (record: PermissionRecord, changes: PermissionChanges): PermissionRecord =>
  PermissionRecord.parse({
    features: { ...record.features, ...changes.features },
    dataEntry: {
      ...record.dataEntry,
      ...changes.dataEntry,
      columnVisibility: { ...record.dataEntry.columnVisibility, ...changes.dataEntry?.columnVisibility },
    },
    itemConfiguration: { ...record.itemConfiguration, ...changes.itemConfiguration },
    dealershipConfiguration: { ...record.dealershipConfiguration, ...changes.dealershipConfiguration },
    emailTemplateConfiguration: {
      ...record.emailTemplateConfiguration,
      ...changes.emailTemplateConfiguration,
    },
    statusConfiguration: { ...record.statusConfiguration, ...changes.statusConfiguration },
    pages: { ...record.pages, ...changes.pages },
    maxSessions: changes.maxSessions ?? record.maxSessions,
    sessionTimeout: changes.sessionTimeout ?? record.sessionTimeout,
  });

/** Ids of the records of one kind that the user owns, may view and may edit. */
const Resource = z.strictObject({ owned: ids, canView: ids, canEdit: ids });

/** Derived from ownership, sharing and view permissions. Only the statuses that a user may change are granted. */
const resources = {
  dealerships: Resource,
  emailTemplates: Resource,
  itemConfigurations: Resource,
  statusConfigurations: Resource,
};

/** A user's record as returned by the API. */
export const UserPermissions = PermissionRecord.extend({
  userId: Id,
  role: Role,
  resources: z.strictObject(resources),
  version: Version,
});
export type UserPermissions = z.infer<typeof UserPermissions>;

/** The changes and the read-only fields of a GET, of which only `statusConfigurations.canEdit` may differ. */
const PermissionBody = PermissionChanges.extend({
  userId: Id.optional(),
  role: Role.optional(),
  resources: z
    .strictObject({
      dealerships: Resource.partial(),
      emailTemplates: Resource.partial(),
      itemConfigurations: Resource.partial(),
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
