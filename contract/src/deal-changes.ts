import { z } from 'zod';
import { changeKinds } from './change-kinds.ts';
import { dealColumns } from './deal-fields.ts';
import { HistoryEntry, Month } from './deals.ts';
import { BusinessDate, Id, IdParams, Instant, pagedList, queryNumber, type RouteTable } from './route.ts';

/** What a change set did to one of its rows. Columns hidden from the caller are absent. */
const ChangeDetail = z.strictObject({
  customerName: z.string().optional(),
  /** Whether the set added the row. The fields of such a row are left out. */
  isNew: z.boolean(),
  fields: z.array(z.enum([...dealColumns, 'month', 'sharedWith'])),
  /** The names of the changed custom fields. */
  customFields: z.array(z.string()),
});
export type ChangeDetail = z.infer<typeof ChangeDetail>;

/**
 * The changes of rows that one user made in one go: a paste, a fill, an import, or the cells typed in one minute
 * (docs/product/data-entry.md, Changes).
 */
export const ChangeSet = z.strictObject({
  _id: Id,
  kind: z.enum(changeKinds),
  /** In words, for example `Pasted 212 rows into November 2026`. A single row is named if it is visible to the caller. */
  title: z.string(),
  /** The first rows that are visible to the caller, at most 3. */
  details: z.array(ChangeDetail),
  /**
   * Whether it was undone, or undone and done again, which then is what the numbers, the details and the rows are of.
   * Null: neither.
   */
  state: z.enum(['undone', 'redone']).nullable(),
  by: Id,
  /** The user's name at the time of the first change. */
  byName: z.string(),
  /** Time of the first and of the last change. */
  at: Instant,
  lastAt: Instant,
  /** Numbers of rows: all of them, and those that were added, changed, deleted or restored. */
  rows: z.int(),
  added: z.int(),
  changed: z.int(),
  deleted: z.int(),
  restored: z.int(),
});
export type ChangeSet = z.infer<typeof ChangeSet>;

/** What a change set did to one row. Columns hidden from the caller are absent. */
export const ChangedRow = z.strictObject({
  /** The id of the row. */
  _id: Id,
  customerName: z.string().optional(),
  dealershipName: z.string().optional(),
  month: Month,
  /** Whether the row is deleted by now. */
  isDeleted: z.boolean(),
  /** In the order in which they happened. */
  actions: z.array(HistoryEntry.shape.action),
  /** The values before the first and after the last change of the set. */
  changes: HistoryEntry.shape.changes,
});
export type ChangedRow = z.infer<typeof ChangedRow>;

export const dealChangeRoutes = {
  'GET /changes': {
    summary:
      'What was changed in one go, newest first: one’s own changes; administrators see those of everybody',
    query: z.strictObject({
      /** Only administrators can name another user. */
      by: Id.optional(),
      kind: z.enum(changeKinds).optional(),
      /** The dealership that one of the rows has now. */
      dealershipId: Id.optional(),
      dealId: Id.optional(),
      /** This set and what undid or redid it, each alone. */
      of: Id.optional(),
      /** The business day of the first change. */
      day: BusinessDate.optional(),
      /** The `nextCursor` of the previous page. */
      cursor: Id.optional(),
      limit: queryNumber(z.int().min(1).max(100)).default(50),
    }),
    response: z.strictObject({ items: z.array(ChangeSet), nextCursor: Id.nullable() }),
  },
  'GET /changes/:id': {
    summary: 'The rows of a change set that the caller sees, each with its values before and after',
    params: IdParams,
    query: z.strictObject({
      page: queryNumber(z.int().min(1)).default(1),
      /** With its own rows, also if it was redone. */
      alone: z.literal('true').optional(),
      limit: queryNumber(z.int().min(1).max(100)).default(100),
    }),
    response: pagedList(ChangedRow).extend({
      changeSet: ChangeSet,
      /** Rows of the set that the caller does not see, or that were removed for good. */
      hidden: z.int(),
    }),
  },
} as const satisfies RouteTable;
