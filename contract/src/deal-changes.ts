import { z } from 'zod';
import { changeKinds } from './change-kinds.ts';
import { CustomFieldKey } from './custom-fields.ts';
import { dealColumns } from './deal-fields.ts';
import { MAX_BULK_RECORDS, REVERTIBLE_DAYS } from './deal-limits.ts';
import { HistoryEntry, Month } from './deals.ts';
import {
  Ability,
  BusinessDate,
  Id,
  IdParams,
  Instant,
  list,
  pagedList,
  queryNumber,
  type RouteTable,
} from './route.ts';
import { resourceIds } from './sharing.ts';

/** The effect of a change set on a row. Columns hidden from the caller are absent. */
const ChangeDetail = z.strictObject({
  customerName: z.string().optional(),
  /** Whether the set added the row. The fields of such a row are left out. */
  isNew: z.boolean(),
  fields: z.array(z.enum([...dealColumns, 'month', 'sharedWith'])),
  customFields: z.array(z.string()),
});
export type ChangeDetail = z.infer<typeof ChangeDetail>;

/**
 * Changes of rows that one user made together: a paste, a fill, an import, or the cells typed in one minute
 * (docs/product/data-entry.md, Changes).
 */
export const ChangeSet = z.strictObject({
  _id: Id,
  kind: z.enum(changeKinds),
  /** Description, such as `Pasted 212 rows into November 2026`. A single row is named if the caller may see it. */
  title: z.string(),
  /** At most the first 3 rows that the caller may see. */
  details: z.array(ChangeDetail),
  /** Whether the set was undone, or redone; numbers, details and rows then describe the undo or redo. Null: neither. */
  state: z.enum(['undone', 'redone']).nullable(),
  by: Id,
  byName: z.string(),
  /** Time of the first and of the last change. */
  at: Instant,
  lastAt: Instant,
  /** Numbers of rows: in total, and by effect. */
  rows: z.int(),
  added: z.int(),
  changed: z.int(),
  deleted: z.int(),
  restored: z.int(),
  abilities: z.strictObject({ revert: Ability }),
});
export type ChangeSet = z.infer<typeof ChangeSet>;

/** The effect of a change set on one row. Columns hidden from the caller are absent. */
export const ChangedRow = z.strictObject({
  /** The id of the row. */
  _id: Id,
  customerName: z.string().optional(),
  dealershipName: z.string().optional(),
  month: Month,
  /** Whether the row is deleted now. */
  isDeleted: z.boolean(),
  /** In chronological order. */
  actions: z.array(HistoryEntry.shape.action),
  /** The values before the first and after the last change of the set. */
  changes: HistoryEntry.shape.changes,
});
export type ChangedRow = z.infer<typeof ChangedRow>;

const RevertField = z.union([z.enum([...dealColumns, 'month', 'sharedWith']), CustomFieldKey]);
export type RevertField = z.infer<typeof RevertField>;

const RevertBody = z.strictObject({
  /** Rows of the set; absent: all that the caller sees. */
  rows: resourceIds.optional(),
  /** Fields that go back although they were changed since; of a row that the set added, all such fields. */
  overwrite: list(
    z.strictObject({
      dealId: Id,
      fields: list(RevertField, 300),
      /** The version of the row that the caller saw: a field that was changed after it stays. */
      version: z.int().optional(),
    }),
    MAX_BULK_RECORDS,
  ).optional(),
});
export type RevertBody = z.infer<typeof RevertBody>;

/** The last change of a field since the set; null if no entry tells, for example after a restore of a backup. */
const ChangedSince = { by: z.string().nullable(), at: Instant.nullable() };

/** The result of a revert. Rows that already are as before the set, are hidden from the caller or purged are in none of these numbers and lists. */
const Reverted = {
  /** Number of rows. */
  reverted: z.int(),
  /** Fields that were changed since the set, and stay. */
  left: z.array(z.strictObject({ dealId: Id, field: RevertField, ...ChangedSince })),
  /** Rows that the caller may not take back, or that cannot go back, with a sentence. */
  refused: z.array(z.strictObject({ dealId: Id, reason: z.string() })),
};

const ValueChange = HistoryEntry.shape.changes.element;

const RevertEffect = z.enum(['changed', 'deleted', 'restored']);

/** What a revert would do to a row. Columns hidden from the caller are absent. */
const RevertRow = z.strictObject({
  _id: Id,
  version: z.int(),
  customerName: z.string().optional(),
  dealershipName: z.string().optional(),
  month: Month,
  /** Whether the row is deleted now. */
  isDeleted: z.boolean(),
  /** Null: nothing would change. */
  effect: RevertEffect.nullable(),
  /** The effect if all fields of `left` are overwritten. */
  fullEffect: RevertEffect.nullable(),
  /** The value now, and afterwards. */
  changes: z.array(ValueChange),
  /** The value now, and the one if the field is overwritten; null if the row is then deleted. */
  left: z.array(ValueChange.extend(ChangedSince)),
  reason: z.string().nullable(),
  /** Time of the last delivery of an email about the row since the set; it cannot be recalled. */
  emailedAt: Instant.nullable(),
});
export type RevertRow = z.infer<typeof RevertRow>;

export const dealChangeRoutes = {
  'GET /changes': {
    summary:
      'What was changed in one go, newest first: one’s own changes; administrators see those of everybody',
    query: z.strictObject({
      /** Only administrators can name another user. */
      by: Id.optional(),
      kind: z.enum(changeKinds).optional(),
      /** The current dealership of one of the rows. */
      dealershipId: Id.optional(),
      dealId: Id.optional(),
      /** Returns this set and its undo and redo sets, each as a set of its own. */
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
      /** Returns the set with its own rows, even if it was redone. */
      alone: z.literal('true').optional(),
      limit: queryNumber(z.int().min(1).max(100)).default(100),
    }),
    response: pagedList(ChangedRow).extend({
      changeSet: ChangeSet,
      /** Number of rows of the set that are hidden from the caller or purged. */
      hidden: z.int(),
    }),
  },
  'POST /changes/:id/revert/preview': {
    summary: 'What a revert of a change set would change, leave and refuse',
    params: IdParams,
    body: RevertBody,
    bodyLimit: 4 * 1024 * 1024,
    response: z.strictObject({
      ...Reverted,
      /** Rows that would change, keep a later change or are refused. */
      rows: z.array(RevertRow),
    }),
    writesNothing: true,
  },
  'POST /changes/:id/revert': {
    summary: `Takes back a change set, or some of its rows, for ${REVERTIBLE_DAYS} days: added rows are deleted, deleted rows restored, values that nobody has changed since go back`,
    params: IdParams,
    body: RevertBody,
    bodyLimit: 4 * 1024 * 1024,
    response: z.strictObject({
      /** The set of the revert, which can be taken back itself; null if nothing was changed. */
      changeSetId: Id.nullable(),
      ...Reverted,
    }),
    changesDeals: 'itself',
  },
} as const satisfies RouteTable;
