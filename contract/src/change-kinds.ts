/** How the changes of a change set were made. `api`: a program called the API without naming the kind. */
export const changeKinds = ['edit', 'paste', 'fill', 'bulk', 'import', 'undo', 'api'] as const;
export type ChangeKind = (typeof changeKinds)[number];
