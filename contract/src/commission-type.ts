/** The rate of a dealership's deals; the keys are those of the commission settings. */
type CommissionType = 'newSales' | 'usedSales' | 'defaultSales';

/**
 * Returns the commission type of a dealership's name (docs/product/dealerships.md, Commission type of a name): 'new'
 * first, then 'used'.
 */
export function commissionType(name: string): CommissionType {
  const lower = name.toLowerCase();
  if (lower.includes('new')) return 'newSales';
  return lower.includes('used') ? 'usedSales' : 'defaultSales';
}
