/** What figures are called, on the dashboard and in reports. */
export const texts = {
  deals: 'Deals',
  saleAmount: 'Sales',
  grossProfit: 'Gross profit',
  commission: 'Commission',
  conversion: 'Conversion',
  daysToClose: 'Days to close',
} as const;
