/** How the changes of a change set were made. `api`: a program called the API without naming the kind. */
export const changeKinds = ['edit', 'paste', 'fill', 'bulk', 'import', 'undo', 'api'] as const;
export type ChangeKind = (typeof changeKinds)[number];

const KIND = `(${changeKinds.join('|')})`;
const KEY = String.raw`([\w-]{1,64})`;
/** The header X-Change-Set: a kind, a key, and the kind and key of the set that this one undoes or redoes. */
export const CHANGE_SET_PATTERN = `^${KIND}(?: ${KEY}(?: ${KIND} ${KEY})?)?$`;
