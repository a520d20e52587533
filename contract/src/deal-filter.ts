import { z } from 'zod';
import { CustomFieldKey } from './custom-fields.ts';
import {
  conditionFault,
  conditionsOf,
  filterFieldNames,
  filterOperators,
  isShortFilter,
  MAX_FILTER_CONDITIONS,
  MAX_FILTER_LENGTH,
  type ColumnFilter,
  type FilterCondition,
} from './deal-filter-fields.ts';

const match = z.enum(['all', 'any']);

const operators = [...new Set(Object.values(filterOperators).flat())];

const Condition = z
  .strictObject({
    /** Whether the viewer may filter by a custom field, and how, is known to the server only. */
    field: z.union([z.enum(filterFieldNames), CustomFieldKey]),
    operator: z.enum(operators),
    value: z.union([z.string(), z.number(), z.array(z.string()), z.array(z.number())]).optional(),
  })
  .superRefine((condition, context) => {
    const fault = conditionFault(condition);
    if (fault) context.addIssue({ code: 'custom', path: [fault.key], message: fault.message });
  }) satisfies z.ZodType<FilterCondition>;

const Group = z.strictObject({ match, conditions: z.array(Condition).min(1) });

/** Conditions on columns, combined by all or any, with groups one level deep (docs/product/data-entry.md, Filters). */
export const ColumnFilterInput = z
  .strictObject({ match, conditions: z.array(z.union([Group, Condition])).min(1) })
  .refine(
    (filter) => conditionsOf(filter).length <= MAX_FILTER_CONDITIONS,
    `A filter has at most ${MAX_FILTER_CONDITIONS} conditions`,
  )
  .refine(
    isShortFilter,
    'The filter is too long. Use fewer values or shorter texts.',
  ) satisfies z.ZodType<ColumnFilter>;

/** The same, as JSON in a text: for queries, in which the filter is one parameter. */
export const columnFilterText = z
  .string()
  .max(MAX_FILTER_LENGTH, `Must be at most ${MAX_FILTER_LENGTH} characters`)
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'Must be JSON' });
      return z.NEVER;
    }
  })
  .pipe(ColumnFilterInput);
