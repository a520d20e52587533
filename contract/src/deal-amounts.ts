/** Calculations use whole cents, because 0.3 - 0.1 is not 0.2 in binary floating point. */
const centsOf = (amount: number): number => Math.round(amount * 100);

type Line = { readonly quantity: number; readonly unitPrice: number };

export const sumOfLines = (lines: readonly Line[]): number =>
  lines.reduce((cents, { quantity, unitPrice }) => cents + quantity * centsOf(unitPrice), 0) / 100;

/** Whether a sale differs by more than half from the sum of its items. Without a sale or prices it does not. */
export function isFarFromPrice(sale: number | null | undefined, lines: readonly Line[]): boolean {
  const [sold, price] = [centsOf(sale ?? 0), centsOf(sumOfLines(lines))];
  return sold > 0 && price > 0 && Math.abs(sold - price) * 2 > price;
}

/** Returns sale minus cost; null if either is unknown. */
export const grossProfitOf = (sale: number | null, cost: number | null): number | null =>
  sale === null || cost === null ? null : (centsOf(sale) - centsOf(cost)) / 100;
