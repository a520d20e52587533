import { z } from 'zod';
import { Role } from './auth.ts';
import { dealColumns, permissionDefaults, sessionDefaults } from './permission-defaults.ts';
import { BusinessDate, Id, IdParams, Version, plainText, wholeList, type RouteTable } from './route.ts';

type Flags<T> = { [K in keyof T]: z.ZodBoolean };

/** One true or false for each name. */
const flags = <T extends Record<string, boolean>>(defaults: T): Flags<T> =>
  Object.fromEntries(Object.keys(defaults).map((name) => [name, z.boolean()])) as Flags<T>;

const ids = z.array(Id).max(10_000);

/** Which rows and columns of Data Entry a person sees (product.md section 4, Restrictions). */
const columnVisibility = {
  viewAllColumns: z.boolean(),
  /** What this person may NOT see, by id. */
  restrictedRows: ids,
  restrictedDealerships: ids,
  /** By id; a name is accepted and kept as its id. */
  restrictedStatuses: z.array(plainText(60)).max(1000),
  /** Rows made within these days of the company's calendar, both included. */
  dateRangeStart: BusinessDate.nullable(),
  dateRangeEnd: BusinessDate.nullable(),
  /** The columns that exist for this person while `viewAllColumns` is off. */
  visibleColumns: z.array(z.enum(dealColumns)).max(dealColumns.length),
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
  maxSessions: z.int().min(1, 'Must be from 1 to 100').max(100, 'Must be from 1 to 100'),
  sessionTimeout: z
    .int()
    .min(1, 'Must be from 1 to 720 minutes')
    .max(12 * 60, 'Must be from 1 to 720 minutes'),
};

/** What one person may do (spec.md section 3). An administrator's is not consulted: they may do everything. */
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

/** A record as it is kept: with what is granted of single records, which answers show among `resources`. */
export type KeptPermissions = PermissionRecord & {
  /** The statuses that this person may change. */
  editableStatuses: string[];
};

/** What an administrator sends: flags that are left out stay as they are. Unknown ones are refused. */
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

const noColumnVisibility: PermissionRecord['dataEntry']['columnVisibility'] = {
  viewAllColumns: true,
  restrictedRows: [],
  restrictedDealerships: [],
  restrictedStatuses: [],
  dateRangeStart: null,
  dateRangeEnd: null,
  visibleColumns: [],
};

/** What a person without a record may do. */
export const defaultRecord: PermissionRecord = {
  ...permissionDefaults,
  dataEntry: { ...permissionDefaults.dataEntry, columnVisibility: noColumnVisibility },
  ...sessionDefaults,
};

/** A record with these changes in it. What the changes leave out stays. */
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

/** Records of one kind that are this person's or shared with them. */
const Resource = z.strictObject({ owned: z.array(Id), canView: z.array(Id), canEdit: z.array(Id) });

/** Follows from ownership, sharing and view rights, but for the statuses that somebody may change: these are granted. */
const resources = {
  dealerships: Resource,
  emailTemplates: Resource,
  itemConfigurations: Resource,
  statusConfigurations: Resource,
};

/** A person's record as answers carry it. */
export const UserPermissions = PermissionRecord.extend({
  userId: Id,
  role: Role,
  resources: z.strictObject(resources),
  version: Version,
});
export type UserPermissions = z.infer<typeof UserPermissions>;

/**
 * What a PUT takes: the changes, and what a GET answered beside them. Of that only
 * `resources.statusConfigurations.canEdit` may differ.
 */
const PermissionBody = PermissionChanges.extend({
  userId: Id.optional(),
  role: Role.optional(),
  resources: z
    .strictObject({
      dealerships: Resource.partial(),
      emailTemplates: Resource.partial(),
      itemConfigurations: Resource.partial(),
      statusConfigurations: Resource.extend({ canEdit: z.array(Id).max(1000) }).partial(),
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
    summary: 'The own permission record, or anybody’s for administrators; at most 5 times a minute',
    params: IdParams,
    response: UserPermissions,
  },
  'PUT /permissions/user/:id': {
    summary: 'Changes what a person may do; it holds in their open pages within a second',
    params: IdParams,
    body: PermissionBody,
    response: UserPermissions,
  },
  'POST /permissions/user/:id/view-as': {
    summary: 'Lets an administrator see the product as that person does, without changing anything',
    params: IdParams,
    status: 201,
    response: z.strictObject({ viewAs: Id, user: z.strictObject({ _id: Id, name: z.string() }) }),
  },
} as const satisfies RouteTable;
