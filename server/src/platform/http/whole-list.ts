/** Returns a list with its length, for the contract's `wholeList`. */
export const wholeList = <T>(items: T[]): { items: T[]; total: number } => ({ items, total: items.length });
