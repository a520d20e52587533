import { z } from 'zod';
import { RESTORABLE_DAYS } from './deal-limits.ts';
import { Month } from './deals.ts';
import { Id, Instant, pagedList, queryNumber, searchText, type RouteTable } from './route.ts';

const DeletedDeal = z.strictObject({
  _id: Id,
  customerName: z.string(),
  customerNumber: z.string(),
  dealNumber: z.string(),
  dealershipName: z.string(),
  month: Month,
  ownerName: z.string(),
  deletedAt: Instant,
  /** Null if the row was deleted before releases that record this. */
  deletedByName: z.string().nullable(),
  /** Until this time POST /deals/bulk/restore can restore the row; then it is purged. */
  restorableUntil: Instant,
});
export type DeletedDeal = z.infer<typeof DeletedDeal>;

export const dealDeletedRoutes = {
  'GET /deals/deleted': {
    summary: `Rows that were deleted in the last ${RESTORABLE_DAYS} days, newest deletion first`,
    query: z.strictObject({
      search: searchText.optional(),
      page: queryNumber(z.int().min(1)).default(1),
      limit: queryNumber(z.int().min(1).max(500)).default(100),
    }),
    response: pagedList(DeletedDeal),
  },
} as const satisfies RouteTable;
