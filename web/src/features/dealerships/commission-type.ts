/** Which rate the deals of a dealership earn; the keys are those of the commission settings. */
export type CommissionType = 'newSales' | 'usedSales' | 'defaultSales';

/** What a dealership's name decides (spec section 3, product section 4): 'new' first, then 'used'. */
export function commissionType(name: string): CommissionType {
  const lower = name.toLowerCase();
  if (lower.includes('new')) return 'newSales';
  return lower.includes('used') ? 'usedSales' : 'defaultSales';
}
