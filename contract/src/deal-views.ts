import { z } from 'zod';
import { MAX_COLUMN_WIDTH, MIN_COLUMN_WIDTH } from './column-widths.ts';
import { MAX_CUSTOM_FIELDS } from './custom-field-types.ts';
import { CustomFieldKey } from './custom-fields.ts';
import { viewColumns } from './deal-fields.ts';
import { ColumnFilterInput } from './deal-filter.ts';
import { groupFields } from './deal-groups.ts';
import {
  Ability,
  Id,
  IdParams,
  Version,
  list,
  stored,
  typedText,
  wholeList,
  type RouteTable,
} from './route.ts';

export const MAX_VIEW_NAME_LENGTH = 60;

const BuiltIn = z.enum(viewColumns);

/** A column of a view. `width` is in px, if it was set. */
const ViewColumn = z.strictObject({
  column: z.union([BuiltIn, CustomFieldKey]),
  shown: z.boolean(),
  width: z.int().min(MIN_COLUMN_WIDTH).max(MAX_COLUMN_WIDTH).nullable(),
  pinned: z.enum(['left', 'right']).nullable(),
});
export type ViewColumn = z.infer<typeof ViewColumn>;

/** A column, or a first status (docs/product/data-entry.md, Columns and saved views). Null: newest first. */
const ViewSort = z.union([
  z.strictObject({
    column: z.union([BuiltIn.exclude(['status']), CustomFieldKey]),
    direction: z.enum(['ascending', 'descending']),
  }),
  z.strictObject({ column: z.literal('status'), firstStatusId: Id }),
]);
export type ViewSort = z.infer<typeof ViewSort>;

const arrangement = {
  /** Null: all rows. */
  filter: ColumnFilterInput.nullable(),
  sort: ViewSort.nullable(),
  /** The field of the groups; null, or absent in requests of old clients, if rows are not grouped. */
  group: z
    .union([z.enum(groupFields), CustomFieldKey])
    .nullable()
    .default(null),
  /** From left to right. Omitted columns follow in their default order. */
  columns: list(ViewColumn, viewColumns.length + MAX_CUSTOM_FIELDS).refine(
    (columns) => new Set(columns.map(({ column }) => column)).size === columns.length,
    'Each column can be named once',
  ),
};

/** Filter, sort order, groups and columns of Data Entry (docs/product/data-entry.md, Columns and saved views). */
export const Arrangement = z.strictObject(arrangement);
export type Arrangement = z.infer<typeof Arrangement>;

/** A named arrangement of Data Entry. Parts that the caller may not see are absent. */
export const SavedView = z.strictObject({
  _id: Id,
  name: z.string(),
  /** Whether every user of Data Entry sees the view; otherwise only its owner does. */
  shared: z.boolean(),
  owner: Id,
  ownerName: z.string(),
  ...arrangement,
  ...stored,
  abilities: z.strictObject({ edit: Ability, delete: Ability }),
});
export type SavedView = z.infer<typeof SavedView>;

export const SavedViewInput = z.strictObject({
  name: typedText(MAX_VIEW_NAME_LENGTH).refine((text) => text !== '', 'View name is required'),
  shared: z.boolean().default(false),
  ...arrangement,
  version: Version.optional(),
});
export type SavedViewInput = z.infer<typeof SavedViewInput>;

const computed = ['_id', 'owner', 'ownerName', 'createdAt', 'updatedAt', 'abilities'];

export const dealViewRoutes = {
  'GET /deal-views': {
    summary: 'The saved views of Data Entry: the caller’s and the shared ones',
    response: wholeList(SavedView),
  },
  'GET /deal-views/:id': { summary: 'One saved view by its id', params: IdParams, response: SavedView },
  'POST /deal-views': {
    summary: 'Saves a view under a name that none of the caller’s views has',
    body: SavedViewInput,
    computed,
    status: 201,
    response: SavedView,
  },
  'PUT /deal-views/:id': {
    summary: 'Overwrites, renames, shares or unshares a view',
    params: IdParams,
    body: SavedViewInput,
    computed,
    response: SavedView,
  },
  'DELETE /deal-views/:id': { summary: 'Deletes a view and changes no row', params: IdParams, status: 204 },
} as const satisfies RouteTable;
