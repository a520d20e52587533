import { z } from 'zod';
import { Month } from './deals.ts';
import { Id, Instant, pagedList, queryNumber, searchText, type RouteTable } from './route.ts';

/** A deleted row, as much of it as tells which it was. */
const DeletedDeal = z.strictObject({
  _id: Id,
  customerName: z.string(),
  customerNumber: z.string(),
  dealNumber: z.string(),
  dealershipName: z.string(),
  month: Month,
  ownerName: z.string(),
  deletedAt: Instant,
  /** Null: it was deleted before that was written down. */
  deletedByName: z.string().nullable(),
  /** Until then POST /deals/bulk/restore brings it back; afterwards it is gone for good. */
  restorableUntil: Instant,
});
export type DeletedDeal = z.infer<typeof DeletedDeal>;

export const dealDeletedRoutes = {
  'GET /deals/deleted': {
    summary: 'Rows that were deleted in the last 30 days, newest deletion first',
    query: z.strictObject({
      search: searchText.optional(),
      page: queryNumber(z.int().min(1)).default(1),
      limit: queryNumber(z.int().min(1).max(500)).default(100),
    }),
    response: pagedList(DeletedDeal),
  },
} as const satisfies RouteTable;
