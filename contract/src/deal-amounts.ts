/** Calculations use whole cents, because 0.3 - 0.1 is not 0.2 in binary floating point. */
const centsOf = (amount: number): number => Math.round(amount * 100);

type Line = { readonly quantity: number; readonly unitPrice: number };

export const sumOfLines = (lines: readonly Line[]): number =>
  lines.reduce((cents, { quantity, unitPrice }) => cents + quantity * centsOf(unitPrice), 0) / 100;

/** Returns sale minus cost; null if either is unknown. */
export const grossProfitOf = (sale: number | null, cost: number | null): number | null =>
  sale === null || cost === null ? null : (centsOf(sale) - centsOf(cost)) / 100;
