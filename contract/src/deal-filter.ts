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
  MAX_FILTER_VALUES,
  type ColumnFilter,
  type FilterCondition,
} from './deal-filter-fields.ts';
import { list } from './route.ts';

const match = z.enum(['all', 'any']);

const operators = [...new Set(Object.values(filterOperators).flat())];

const Condition = z
  .strictObject({
    /** Only the server knows whether and how the viewer may filter by a custom field. */
    field: z.union([z.enum(filterFieldNames), CustomFieldKey]),
    operator: z.enum(operators),
    value: z
      .union([
        z.string(),
        z.number(),
        list(z.string(), MAX_FILTER_VALUES),
        list(z.number(), MAX_FILTER_VALUES),
      ])
      .optional(),
  })
  .superRefine((condition, context) => {
    const fault = conditionFault(condition);
    if (fault) context.addIssue({ code: 'custom', path: [fault.key], message: fault.message });
  }) satisfies z.ZodType<FilterCondition>;

const tooMany = `A filter has at most ${MAX_FILTER_CONDITIONS} conditions`;
const conditions = <T extends z.ZodType>(part: T) => list(part, MAX_FILTER_CONDITIONS, tooMany).min(1);

const Group = z.strictObject({ match, conditions: conditions(Condition) });

/** Conditions on columns, combined by all or any, with groups one level deep (docs/product/data-entry.md, Filters). */
export const ColumnFilterInput = z
  .strictObject({ match, conditions: conditions(z.union([Group, Condition])) })
  .refine((filter) => conditionsOf(filter).length <= MAX_FILTER_CONDITIONS, tooMany)
  .refine(
    isShortFilter,
    'The filter is too long. Use fewer values or shorter texts.',
  ) satisfies z.ZodType<ColumnFilter>;

/** The filter as JSON in a text, for query parameters. */
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
