import { z } from 'zod';
import { Month } from './deals.ts';
import { Id, Instant, wholeList, type RouteTable } from './route.ts';

/** What somebody is told of (product.md section 11). */
const notificationKinds = ['shared', 'handedOver', 'followUp', 'emailFailed', 'exportReady'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

export const Notification = z.strictObject({
  /** A follow-up's is that of its row until it has been read. */
  _id: Id,
  kind: z.enum(notificationKinds),
  at: Instant,
  isRead: z.boolean(),
  /** Who did it; null: the program. */
  byName: z.string().nullable(),
  /** How many records it is about; the others are named after the first. */
  count: z.int(),
  recordId: Id,
  /** What the record is called, as far as its reader may know: the buyer of a row, the subject of an email. */
  name: z.string(),
  /** The month of a row. */
  month: Month.nullable(),
});
export type Notification = z.infer<typeof Notification>;

export const notificationRoutes = {
  'GET /notifications': {
    summary: 'What concerns the caller, newest first; at most the newest 50',
    response: wholeList(Notification).extend({
      unread: z.int(),
      /** When the next follow-up is due; null: none is set. */
      nextDueAt: Instant.nullable(),
    }),
  },
  'POST /notifications/read': {
    summary: 'Notes these as read, or all of them',
    body: z.strictObject({ ids: z.array(Id).max(100).optional() }),
    status: 204,
  },
} as const satisfies RouteTable;
