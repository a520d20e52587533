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
  /** The sum for rows whose status counts for commission; null if none of them has a rate. */
  commission: z.number().nullable().optional(),
  /** Number of rows with a sale and without a rate, among rows that count for commission. */
  withoutRate: z.int().optional(),
  /** Numbers of rows with the status Deal, and with the status No deal. */
  won: z.int().optional(),
  lost: z.int().optional(),
  /** Won rows in percent of won and lost ones, to one decimal; null if there are none. */
  conversion: z.number().nullable().optional(),
  /** Only in reports by month, dealership and owner. Won rows in percent of all, to one decimal; null without rows. */
  penetration: z.number().nullable().optional(),
  /** Only in the same reports. Gross profit divided by the number of rows, to the cent; null without rows. */
  profitPerVehicle: z.number().nullable().optional(),
  /** Average days from creation to closing of won rows, to one decimal; null if there are none. */
  daysToClose: z.number().nullable().optional(),
});
export type Figures = z.infer<typeof Figures>;
