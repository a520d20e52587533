import { z } from 'zod';
import { Month } from './deals.ts';
import { Id, Instant, list, wholeList, type RouteTable } from './route.ts';

/** Kinds of notifications (docs/product/screens.md, Notifications). */
const notificationKinds = [
  'shared',
  'transferred',
  'followUp',
  'emailFailed',
  // An email was given up, and its mail server may have delivered it.
  'emailUnconfirmed',
  'exportReady',
  // To administrators: less than 10% of the server's disk is free, or less than 1 GB.
  'diskLow',
  'diskAlmostFull',
  // To administrators: emails that a restore brought back, or that became overdue, are held for release.
  'mailHeld',
  // Of a row that the user owns or has commented on; and a comment that mentions the user.
  'comment',
  'commentMention',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

export const Notification = z.strictObject({
  /** A follow-up has the id of its row until it is read. */
  _id: Id,
  kind: z.enum(notificationKinds),
  at: Instant,
  isRead: z.boolean(),
  /** The user who caused it; null: the program. */
  byName: z.string().nullable(),
  /** Number of records. `name` and `recordId` are of the first. */
  count: z.int(),
  recordId: Id,
  /** The newest comment that it is about; null: it is about none, or that was deleted. */
  commentId: Id.nullable(),
  /** The record's name as far as the caller may see it: the customer of a row, the subject of an email. */
  name: z.string(),
  /** The month of a row. */
  month: Month.nullable(),
});
export type Notification = z.infer<typeof Notification>;

/** Which notifications of the caller are also sent by email. */
const NotificationSettings = z.strictObject({
  /** Mentions in comments. */
  mentionMail: z.boolean(),
  /** Whether this server sends mail of its own; otherwise nothing is sent. */
  isMailOn: z.boolean(),
});

export const notificationRoutes = {
  'GET /notifications': {
    summary: 'The notifications of the caller, newest first; at most the newest 50',
    response: wholeList(Notification).extend({
      unread: z.int(),
      /** When the next follow-up is due; null: none is set. */
      nextDueAt: Instant.nullable(),
    }),
  },
  'POST /notifications/read': {
    summary: 'Marks these or all as read, or all until the time of one',
    body: z.strictObject({ ids: list(Id, 100).optional(), until: Instant.optional() }),
    status: 204,
  },
  'GET /notifications/settings': {
    summary: 'Which notifications of the caller are also sent by email',
    response: NotificationSettings,
  },
  'PUT /notifications/settings': {
    summary: 'Sets which notifications of the caller are also sent by email',
    body: NotificationSettings.omit({ isMailOn: true }),
    computed: ['isMailOn'],
    response: NotificationSettings,
  },
} as const satisfies RouteTable;
