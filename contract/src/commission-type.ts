/** The keys of the commission settings. */
type CommissionType = 'newSales' | 'usedSales' | 'defaultSales';

/**
 * Returns the commission type of a dealership by its name: 'new' is matched before 'used' (docs/product/dealerships.md,
 * Commission type of a name).
 */
export function commissionType(name: string): CommissionType {
  const lower = name.toLowerCase();
  if (lower.includes('new')) return 'newSales';
  return lower.includes('used') ? 'usedSales' : 'defaultSales';
}
