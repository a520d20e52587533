/** How the changes of a change set were made. `api`: a program called the API without naming the kind. */
export const changeKinds = ['edit', 'paste', 'fill', 'bulk', 'import', 'undo', 'api'] as const;
export type ChangeKind = (typeof changeKinds)[number];

const KIND = `(${changeKinds.join('|')})`;
const KEY = String.raw`([\w-]{1,64})`;
/** The header X-Change-Set: kind and key of the set; for an undo or redo, also kind and key of the original set. */
export const CHANGE_SET_PATTERN = `^${KIND}(?: ${KEY}(?: ${KIND} ${KEY})?)?$`;
