import { z } from 'zod';
import { viewColumns } from './permission-defaults.ts';
import { Ability, Id, IdParams, Instant, Version, typedText, wholeList, type RouteTable } from './route.ts';

const Column = z.enum(viewColumns);

/** One column as a view has it: shown or hidden, its width in px where somebody set one, its pin. */
const ViewColumn = z.strictObject({
  column: Column,
  shown: z.boolean(),
  width: z.int().min(50).max(2000).nullable(),
  pinned: z.enum(['left', 'right']).nullable(),
});
export type ViewColumn = z.infer<typeof ViewColumn>;

/** By a column, or by status with one of them at the top (spec.md section 4). Null: newest first. */
const ViewSort = z.union([
  z.strictObject({ column: Column.exclude(['status']), direction: z.enum(['ascending', 'descending']) }),
  z.strictObject({ column: z.literal('status'), firstStatusId: Id }),
]);
export type ViewSort = z.infer<typeof ViewSort>;

const arrangement = {
  /** Null: rows of every status, dealership, or owner. */
  filters: z.strictObject({
    statusId: Id.nullable(),
    dealershipId: Id.nullable(),
    ownerId: Id.nullable().default(null),
  }),
  sort: ViewSort.nullable(),
  /** From left to right. Columns that are not named follow after them as they stand by themselves. */
  columns: z
    .array(ViewColumn)
    .max(viewColumns.length)
    .refine(
      (columns) => new Set(columns.map(({ column }) => column)).size === columns.length,
      'Each column can be named once',
    ),
};

/** What Data Entry shows and how: filters, order of the rows, columns (product.md section 4). */
export const Arrangement = z.strictObject(arrangement);
export type Arrangement = z.infer<typeof Arrangement>;

/** An arrangement of Data Entry under a name. What its reader may not see of it is absent. */
export const SavedView = z.strictObject({
  _id: Id,
  name: z.string(),
  /** For everybody who has Data Entry; else for its owner alone. */
  shared: z.boolean(),
  owner: Id,
  ownerName: z.string(),
  ...arrangement,
  version: Version,
  createdAt: Instant,
  updatedAt: Instant,
  abilities: z.strictObject({ edit: Ability, delete: Ability }),
});
export type SavedView = z.infer<typeof SavedView>;

export const SavedViewInput = z.strictObject({
  name: typedText(60).refine((text) => text !== '', 'View name is required'),
  shared: z.boolean().default(false),
  ...arrangement,
  version: Version.optional(),
});
export type SavedViewInput = z.infer<typeof SavedViewInput>;

const computed = ['_id', 'owner', 'ownerName', 'createdAt', 'updatedAt', 'abilities'];

export const dealViewRoutes = {
  'GET /deal-views': {
    summary: 'The saved views of Data Entry: the own ones and those that are shared',
    response: wholeList(SavedView),
  },
  'GET /deal-views/:id': { summary: 'One saved view by its id', params: IdParams, response: SavedView },
  'POST /deal-views': {
    summary: 'Saves a view under a name that is not yet taken among the own ones',
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
  'DELETE /deal-views/:id': { summary: 'Deletes a view; no row is touched', params: IdParams, status: 204 },
} as const satisfies RouteTable;
