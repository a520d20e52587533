import { z } from 'zod';

/**
 * Figures of a set of rows, defined identically for the grid's totals, the dashboard and reports
 * (docs/product/exports-and-reports.md, Figures). AUD. Figures derived from a column that the caller may not see are
 * absent.
 */
export const Figures = z.strictObject({
  deals: z.int(),
  saleAmount: z.number().optional(),
  grossProfit: z.number().optional(),
  /** Of rows whose status counts for commission. Null: none of them has a rate. */
  commission: z.number().nullable().optional(),
  /** Rows with a sale and without a rate, among those that count for commission. */
  withoutRate: z.int().optional(),
  /** Rows with the status Deal, and with No deal. */
  won: z.int().optional(),
  lost: z.int().optional(),
  /** Won rows in percent of won and lost ones, to one decimal; null if there are none. */
  conversion: z.number().nullable().optional(),
  /** Average days from creation to closing of won rows, to one decimal; null if there are none. */
  daysToClose: z.number().nullable().optional(),
});
export type Figures = z.infer<typeof Figures>;
