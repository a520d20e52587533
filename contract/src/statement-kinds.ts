/** `commission`: for a person. `account`: for a dealership. Plain values, which browsers import without the schemas. */
export const statementKinds = ['commission', 'account'] as const;
