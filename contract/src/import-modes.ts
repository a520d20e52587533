import type { CustomFieldType } from './custom-field-types.ts';
import { fieldOf, typedFields, type FieldOfType } from './deal-fields.ts';

// Plain values, which browsers import without the schemas.

/** What an import of deals does: adds every line, updates the rows that match, or both. */
export const importModes = ['add', 'update', 'addOrUpdate'] as const;
export type ImportMode = (typeof importModes)[number];

/**
 * What an import does with a line. `unmatched`: no existing row matches, and the mode adds none. `ambiguous`: several
 * match. These two, `refused` and `none` are left out.
 */
export const importKinds = ['new', 'changed', 'same', 'unmatched', 'ambiguous', 'refused', 'none'] as const;
export type ImportKind = (typeof importKinds)[number];

const comparedFieldTypes = ['text', 'phone', 'email'] as const;
type ComparedColumn = FieldOfType<(typeof comparedFieldTypes)[number]>;
/** The fields by which a line can find its row. */
export const comparedColumns = typedFields.filter((name): name is ComparedColumn =>
  (comparedFieldTypes as readonly string[]).includes(fieldOf(name).type),
);
/** The types of custom fields that can, too. */
export const comparedTypes: readonly CustomFieldType[] = ['text', 'link', 'number'];
