import { z } from 'zod';
import { backupAlertKinds } from './backup-alerts.ts';
import { Month } from './deals.ts';
import { Id, Instant, list, wholeList, type RouteTable } from './route.ts';

/** Kinds of notifications (docs/product/screens.md, Notifications). */
const notificationKinds = [
  'shared',
  'transferred',
  'followUp',
  'emailFailed',
  // An email was given up although its mail server may have delivered it.
  'emailUnconfirmed',
  'exportReady',
  // For administrators: less than 10% or less than 1 GB of the server's disk is free.
  'diskLow',
  'diskAlmostFull',
  // For administrators: emails are held for release after a restore, or because they are overdue.
  'mailHeld',
  // A comment on a row that the user owns or has commented on, or a comment that mentions the user.
  'comment',
  'commentMention',
  // A month was closed, with a statement for the user; a query about a statement; the answer to one's own.
  'statement',
  'statementQuery',
  'statementAnswer',
  // For administrators.
  ...backupAlertKinds,
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

export const Notification = z.strictObject({
  /** The id of the notification. For a follow-up that is due, the id of its row. */
  _id: Id,
  kind: z.enum(notificationKinds),
  at: Instant,
  isRead: z.boolean(),
  /** The user who caused the notification; null for the program. */
  byName: z.string().nullable(),
  /** Number of records. `name` and `recordId` belong to the first of them. */
  count: z.int(),
  recordId: Id,
  /** The newest comment of the notification; null if it has none or the comment was deleted. */
  commentId: Id.nullable(),
  /** The name of the record, if the caller may see it: the customer of a row, the subject of an email. */
  name: z.string(),
  month: Month.nullable(),
});
export type Notification = z.infer<typeof Notification>;

/** Which notifications of the caller are also sent by email. */
const NotificationSettings = z.strictObject({
  mentionMail: z.boolean(),
  /** False if this server sends no mail of its own: then no notification is sent by email. */
  isMailOn: z.boolean(),
});

export const notificationRoutes = {
  'GET /notifications': {
    summary: 'The notifications of the caller, newest first; at most the newest 50',
    response: wholeList(Notification).extend({
      unread: z.int(),
      /** When the next follow-up is due; null if there is none. */
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
