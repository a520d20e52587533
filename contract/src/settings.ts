import { z } from 'zod';
import { Id, Instant, Version, plainText, queryNumber, wholeList, type RouteTable } from './route.ts';

export const SettingCategory = z.enum(['commission', 'dataEntry', 'statements']);
export type SettingCategory = z.infer<typeof SettingCategory>;

/**
 * A user's id, or `company` for the default of users without a value of their own (docs/product/settings.md, Owners of
 * a setting).
 */
export const SettingOwner = z.union([Id, z.literal('company')]);

const SettingValue = z.union([z.number(), z.boolean()]);

/** The effective value of one setting for an owner. */
export const Setting = z.strictObject({
  settingName: z.string(),
  /** Null if neither the owner nor the company has a value. */
  value: SettingValue.nullable(),
  dataType: z.enum(['number', 'boolean']),
  category: SettingCategory,
  description: z.string(),
  userId: SettingOwner,
  /** The value is the default of the company, or else of the product. */
  inherited: z.boolean(),
  version: Version.nullable(),
  updatedAt: Instant.nullable(),
});
export type Setting = z.infer<typeof Setting>;

/** Read-only fields may be sent back unchanged. */
const SettingBody = z.strictObject({
  /** Null, and a value with `inherited`, change nothing: GET returns them for an owner without a value of their own. */
  value: SettingValue.nullable(),
  inherited: z.boolean().optional(),
  /** Version of the owner's value that the caller saw; null if there was none. */
  version: Version.nullable().optional(),
  dataType: z.enum(['number', 'boolean']).optional(),
  category: SettingCategory.optional(),
  description: plainText(400).optional(),
});
export type SettingBody = z.infer<typeof SettingBody>;

const computed = ['settingName', 'userId', 'updatedAt'];

const settingName = plainText(80);
const ofOwner = z.strictObject({ userId: SettingOwner });
const named = z.strictObject({ name: settingName });
const namedOfOwner = z.strictObject({ userId: SettingOwner, name: settingName });
const seenVersion = z.strictObject({ version: queryNumber(Version).optional() });

const setOwn = {
  summary: 'Sets a setting of the caller',
  params: named,
  body: SettingBody,
  computed,
  response: Setting,
} as const;
const setOfOwner = {
  summary: 'Sets a setting of a person or of the company',
  params: namedOfOwner,
  body: SettingBody,
  computed,
  response: Setting,
} as const;

export const settingRoutes = {
  'GET /settings': { summary: 'The effective settings of the caller', response: wholeList(Setting) },
  'GET /settings/category/:category': {
    summary: 'The effective settings of one category',
    params: z.strictObject({ category: SettingCategory }),
    response: wholeList(Setting),
  },
  'GET /settings/user/:userId': {
    summary: 'The effective settings of a person, or the company’s defaults',
    params: ofOwner,
    response: wholeList(Setting),
  },
  'GET /settings/user/:userId/category/:category': {
    summary: 'The effective settings of one category',
    params: ofOwner.extend({ category: SettingCategory }),
    response: wholeList(Setting),
  },
  'PUT /settings/:name': setOwn,
  'PATCH /settings/:name': setOwn,
  'PUT /settings/user/:userId/:name': setOfOwner,
  'PATCH /settings/user/:userId/:name': setOfOwner,
  'DELETE /settings/user/:userId/:name': {
    summary: 'Deletes a setting of a person: the company’s default applies again',
    params: namedOfOwner,
    query: seenVersion,
    status: 204,
  },
  'POST /settings': {
    summary: 'Creates a known setting of the caller',
    body: SettingBody.omit({ version: true, inherited: true }).extend({ settingName }),
    computed: ['version', 'userId', 'inherited', 'updatedAt'],
    status: 201,
    response: Setting,
  },
  'DELETE /settings/:name': {
    summary: 'Deletes a setting of the caller: the company’s default applies again',
    params: named,
    query: seenVersion,
    status: 204,
  },
  'POST /settings/initialize': {
    summary:
      'Stores the defaults of the product as those of the company where it has none. Rates have no default',
    response: wholeList(Setting),
  },
} as const satisfies RouteTable;
