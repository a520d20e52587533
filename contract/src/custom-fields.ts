import { z } from 'zod';
import {
  customFieldTypes,
  isCustomKey,
  MAX_ALL_CUSTOM_FIELDS,
  MAX_CUSTOM_FIELD_HELP_LENGTH,
  MAX_CUSTOM_FIELD_NAME_LENGTH,
  MAX_CUSTOM_FIELD_OPTIONS,
  type CustomKey,
  type CustomValues,
} from './custom-field-types.ts';
import { titlesIn } from './deal-fields.ts';
import {
  Id,
  IdParams,
  Version,
  list,
  record,
  stored,
  typedText,
  wholeList,
  type RouteTable,
} from './route.ts';

/** For example `custom7`. */
export const CustomFieldKey = z
  .string()
  // Aborts, because a union should return the error of its other variant.
  .refine(isCustomKey, { error: 'Must be the key of a custom field', abort: true }) as unknown as z.ZodType<
  CustomKey,
  CustomKey
>;

/** A value as sent by a caller; the service validates it against the definition. */
export const CustomValueInput = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  list(z.string(), MAX_CUSTOM_FIELD_OPTIONS),
]);

/** The values of a row by key. Fields without a value, and those that the caller may not see, are absent. */
export const CustomFieldValues = z.record(z.string(), CustomValueInput) as unknown as z.ZodType<
  CustomValues,
  CustomValues
>;

/** The values to set by key; null clears a value. Omitted fields stay unchanged. */
export const CustomFieldChanges = record(CustomFieldKey, CustomValueInput.nullable(), MAX_ALL_CUSTOM_FIELDS);
export type CustomFieldChanges = z.infer<typeof CustomFieldChanges>;

const name = typedText(MAX_CUSTOM_FIELD_NAME_LENGTH);

/** An option of a select or multi-select. Rows may have an inactive one, which is not offered for new values. */
const CustomFieldOption = z.strictObject({
  /** Unique within the field, and never changes. */
  id: z.string(),
  name: z.string(),
  active: z.boolean(),
});
export type CustomFieldOption = z.infer<typeof CustomFieldOption>;

const Audience = z.enum(['everybody', 'administrators']);

/** Names of built-in columns in lower case, in Data Entry, imports and exports. No custom field may have one. */
export const builtInColumnNames: readonly string[] = [
  ...Object.values(titlesIn()),
  ...Object.values(titlesIn('export')),
  'Do not call',
  'Do not email',
  'Counts for commission',
  'Comments',
].map((name) => name.toLowerCase());

/** The definition of a custom field, as users who see the field receive it. */
const definition = {
  key: CustomFieldKey,
  name: z.string(),
  type: z.enum(customFieldTypes),
  /** Help text for users who fill in the field; may be empty. */
  help: z.string(),
  /** The options of a select or multi-select in display order; empty for other types. */
  options: z.array(CustomFieldOption),
  /** New rows need a value, and a value cannot be cleared. Existing rows may have none. */
  isRequired: z.boolean(),
  /** The value of new rows that omit the field. */
  defaultValue: CustomValueInput.nullable(),
};

/** A custom field that the caller may see. `editable`: they may change it in rows that they may change. */
export const VisibleCustomField = z.strictObject({ ...definition, editable: z.boolean() });
export type VisibleCustomField = z.infer<typeof VisibleCustomField>;

/** A custom field of deals (docs/product/custom-fields.md). */
export const CustomField = z.strictObject({
  _id: Id,
  ...definition,
  /** Who may see the field. A permission record can hide it from more users. */
  visibleTo: Audience,
  /** Who may change the value, among users who may change the row. */
  editableBy: Audience,
  /** False if the field is retired: rows keep their values, but no screen shows them. */
  active: z.boolean(),
  order: z.int(),
  ...stored,
});
export type CustomField = z.infer<typeof CustomField>;

const named = {
  name: name.refine((text) => text !== '', 'Field name is required'),
  /** The type cannot change: an update must repeat it or omit it. */
  type: z.enum(customFieldTypes),
  version: Version.optional(),
};
const properties = z.strictObject({
  help: typedText(MAX_CUSTOM_FIELD_HELP_LENGTH),
  /** All options in display order. An option with an id is renamed or deactivated; a saved option cannot be removed. */
  options: list(
    z.strictObject({
      id: z.string().max(20).optional(),
      name: name.refine((text) => text !== '', 'Option name is required'),
      active: z.boolean().default(true),
    }),
    MAX_CUSTOM_FIELD_OPTIONS,
    `A field has at most ${MAX_CUSTOM_FIELD_OPTIONS} options`,
  ),
  isRequired: z.boolean(),
  defaultValue: CustomValueInput.nullable(),
  visibleTo: Audience,
  editableBy: Audience,
  active: z.boolean(),
});

const { shape } = properties;
export const CustomFieldInput = z.strictObject({
  ...named,
  help: shape.help.default(''),
  options: shape.options.default([]),
  isRequired: shape.isRequired.default(false),
  defaultValue: shape.defaultValue.default(null),
  visibleTo: shape.visibleTo.default('everybody'),
  editableBy: shape.editableBy.default('everybody'),
  active: shape.active.default(true),
});
export type CustomFieldInput = z.infer<typeof CustomFieldInput>;

/** Omitted properties stay unchanged, so that renaming a field does not reset its audience. */
const CustomFieldUpdate = z.strictObject({ ...named, ...properties.partial().shape });
export type CustomFieldUpdate = z.infer<typeof CustomFieldUpdate>;

const computed = ['_id', 'key', 'order', 'createdAt', 'updatedAt'];

export const customFieldRoutes = {
  'GET /custom-fields': {
    summary: 'The custom fields of deals in their order, including retired ones',
    response: wholeList(CustomField),
  },
  'GET /custom-fields/:id': {
    summary: 'One custom field by its id',
    params: IdParams,
    response: CustomField,
  },
  'POST /custom-fields': {
    summary: 'Adds a custom field at the end',
    body: CustomFieldInput,
    computed,
    status: 201,
    response: CustomField,
  },
  'PUT /custom-fields/:id': {
    summary: 'Changes, retires or reinstates a custom field; the values of rows stay',
    params: IdParams,
    body: CustomFieldUpdate,
    computed,
    response: CustomField,
  },
  'POST /custom-fields/reorder': {
    summary: 'Saves the order of the custom fields; all of them are named',
    body: z.strictObject({ ids: list(Id, MAX_ALL_CUSTOM_FIELDS).min(1) }),
    response: wholeList(CustomField),
  },
} as const satisfies RouteTable;
