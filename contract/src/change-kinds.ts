/** The kinds that a caller can name. `api`: a program called the API without naming the kind. */
export const namedChangeKinds = ['edit', 'paste', 'fill', 'bulk', 'import', 'undo', 'api'] as const;
/**
 * How the changes of a change set were made. `revert`: another set was taken back. `backup`: rows of a backup were
 * copied. `updateByImport`: see `ImportMode`. `merge`: duplicates were merged.
 */
export const changeKinds = [...namedChangeKinds, 'revert', 'backup', 'updateByImport', 'merge'] as const;
export type ChangeKind = (typeof changeKinds)[number];

const KIND = `(${namedChangeKinds.join('|')})`;
const KEY = String.raw`([\w-]{1,64})`;
/** The header X-Change-Set: kind and key of the set; for an undo or redo, also kind and key of the original set. */
export const CHANGE_SET_PATTERN = `^${KIND}(?: ${KEY}(?: ${KIND} ${KEY})?)?$`;
