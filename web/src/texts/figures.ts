/** Labels of figures, on the dashboard and in reports. */
export const texts = {
  deals: 'Deals',
  saleAmount: 'Sales',
  grossProfit: 'Gross profit',
  profitPerVehicle: 'Profit per vehicle',
  penetration: 'Penetration',
  commission: 'Commission',
  conversion: 'Conversion',
  daysToClose: 'Days to close',
} as const;

/** Texts on the statuses that count for commission. */
export const counting = {
  of: (label: string, statuses: string) => `${label} (${statuses})`,
  statuses: (count: number) => `${count} statuses`,
  none: 'no status',
  notSet: 'Not set',
  missing: (deals: number) => `${deals} not set`,
  withoutRate: (deals: number) =>
    deals === 1
      ? '1 of them has no commission rate and is not in the sum.'
      : `${deals} of them have no commission rate and are not in the sum.`,
  every: 'Commission counts deals of every status.',
  only: (statuses: string) => `Commission counts deals with the status ${statuses} only.`,
  noStatus: 'No status counts for commission.',
} as const;
