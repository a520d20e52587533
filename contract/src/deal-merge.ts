import { z } from 'zod';
import { CustomFieldKey } from './custom-fields.ts';
import { editedFields, type EditedField } from './deal-fields.ts';
import { ExistingDeal } from './deal-import.ts';
import { MAX_MERGED_DUPLICATES } from './deal-limits.ts';
import { HistoryEntry } from './deals.ts';
import { Id, list, record, Version, type RouteTable } from './route.ts';
import { seenVersions } from './sharing.ts';

/** The fields for which a merge chooses one of the values. Items are joined or chosen as a whole. */
export const mergedFields = [...editedFields.filter((field) => field !== 'items'), 'month'] as (
  | Exclude<EditedField, 'items'>
  | 'month'
)[];
const MergedField = z.union([z.enum(mergedFields), CustomFieldKey]);
export type MergedField = z.infer<typeof MergedField>;
/** Any of them, because a record of an enum must have all. */
const FieldName = MergedField as z.ZodType<string, string>;

const DealMergeBody = z
  .strictObject({
    /** The row that remains. */
    survivor: Id,
    /** The rows that are merged into it and deleted. */
    others: list(Id, MAX_MERGED_DUPLICATES, `At most ${MAX_MERGED_DUPLICATES} rows`).min(1),
    /**
     * The row from which the survivor gets a field. Default: its own value; if that is empty, the only one that the
     * others have.
     */
    values: record(FieldName, Id, 300).optional(),
    /**
     * The items of all rows in their order, or those of one row. Default: those of all rows; those of the first row
     * that has some, if all these lists are equal or a row cannot hold them together.
     */
    items: z.union([z.literal('join'), Id]).optional(),
    /** The versions that the caller saw, by id: the call fails if one of these rows was changed since. */
    versions: seenVersions,
  })
  .superRefine(({ survivor, others, values = {}, items = 'join' }, context) => {
    const ids = new Set([survivor, ...others]);
    const issue = (message: string, ...path: (string | number)[]) =>
      context.addIssue({ code: 'custom', path, message });
    for (const [index, id] of others.entries())
      if (id === survivor || others.indexOf(id) < index) issue('Each row can be named once', 'others', index);
    for (const [field, id] of Object.entries(values)) if (!ids.has(id)) issue(NOT_MERGED, 'values', field);
    if (items !== 'join' && !ids.has(items)) issue(NOT_MERGED, 'items');
  });
const NOT_MERGED = 'Must be one of the rows that are merged';
export type DealMergeBody = z.infer<typeof DealMergeBody>;

const ValueChange = HistoryEntry.shape.changes.element;

/** The values of a field, which differ. The owner is a choice only for those who may transfer the survivor. */
const MergeChoice = ValueChange.omit({ before: true, after: true }).extend({
  /** In the order of the rows. An inactive owner of another row, who cannot be chosen, is null. */
  values: z.array(ValueChange.shape.after),
  /** The row whose value the survivor gets; null: the items of all rows. */
  from: Id.nullable(),
  /** Of the items: whether a row can hold those of all rows. */
  canJoin: z.boolean().optional(),
});
export type MergeChoice = z.infer<typeof MergeChoice>;

export const dealMergeRoutes = {
  'POST /deals/merge/preview': {
    summary: 'What a merge of duplicates would change. Columns hidden from the caller are absent',
    body: DealMergeBody,
    response: z.strictObject({
      /** The survivor, then the others. */
      rows: z.array(ExistingDeal.extend({ version: Version })),
      choices: z.array(MergeChoice),
      /** The values of the survivor that change, before and after. */
      changes: z.array(ValueChange),
      /** Numbers of records that move to the survivor. Emails are absent if that column is hidden. */
      moved: z.strictObject({ comments: z.int(), attachments: z.int(), emails: z.int().optional() }),
      /** Whether people who see another row will not see the survivor, because the caller may not share it. */
      losesAccess: z.boolean(),
    }),
    writesNothing: true,
  },
  'POST /deals/merge': {
    summary:
      'Merges duplicates: one row survives and gets the comments, files, emails, history and shares of the others, which are deleted',
    body: DealMergeBody,
    response: z.strictObject({
      /** The change set, with which the merge can be taken back. */
      changeSetId: Id,
      survivor: Id,
      others: z.array(Id),
    }),
    changesDeals: 'itself',
  },
} as const satisfies RouteTable;
