import { z } from 'zod';

/**
 * What rows come to: the same definitions in the grid's totals, on the dashboard and in reports (product.md section
 * 8). AUD. What is made of a column that the caller may not see is absent.
 */
export const Figures = z.strictObject({
  deals: z.int(),
  saleAmount: z.number().optional(),
  grossProfit: z.number().optional(),
  commission: z.number().optional(),
  /** Rows with the status Deal, and with No deal. */
  won: z.int().optional(),
  lost: z.int().optional(),
  /** Won of won and lost in percent, to one decimal; null while nothing is decided. */
  conversion: z.number().nullable().optional(),
  /** Days from the making of a won row until it was closed, on average, to one decimal; null where nothing is won. */
  daysToClose: z.number().nullable().optional(),
});
export type Figures = z.infer<typeof Figures>;
