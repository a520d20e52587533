import type { Notification, NotificationKind } from '@forecourt/contract/notifications';
import { audit } from '../../platform/audit.ts';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import { publishNotified } from '../../platform/notify.ts';
import type { DealsService } from '../deals/deals.service.ts';
import * as queries from './notifications.queries.ts';

/** Maximum number of returned notifications. */
const MAX_ITEMS = 50;

type Parts = {
  deals: DealsService;
  mail: { isOn: boolean };
};

const recordsOf = (one: { record_id: string; other_record_ids: string[] }) => [
  one.record_id,
  ...one.other_record_ids,
];

const ABOUT_ROWS = new Set(['shared', 'transferred', 'followUp', 'comment', 'commentMention']);

/**
 * Notifications of a user (docs/product/screens.md, Notifications). Notifications about changes by others are stored
 * with the change. Follow-ups are queried, because they become due by time, and stored when they are read.
 * Notifications about deleted exports, and about rows of which the user can see none any more, are omitted.
 */
export function createNotificationsService({ deals: { followUps, namesOf }, mail }: Parts) {
  async function unreadDue(ctx: Context) {
    const due = await followUps.due(ctx, MAX_ITEMS);
    const ids = due.map(({ _id }) => _id);
    const read = await queries.readFollowUps(ctx.db, ctx.viewer.userId, ids);
    return due.filter(({ _id, at }) => !read.has(`${_id} ${at}`));
  }

  return {
    async list(ctx: Context) {
      const stored = await queries.listStored(ctx.db, ctx.viewer.userId, MAX_ITEMS);
      const due = await unreadDue(ctx);
      const rows = await namesOf(ctx, stored.filter(({ kind }) => ABOUT_ROWS.has(kind)).flatMap(recordsOf));
      const storedItems = stored.flatMap((one): Notification[] => {
        const visible = recordsOf(one).find((id) => rows.has(id)) ?? one.record_id;
        const row = rows.get(visible);
        if (ABOUT_ROWS.has(one.kind) && !row) return [];
        return [
          {
            _id: one.id,
            kind: one.kind as NotificationKind,
            at: one.occurred_at,
            isRead: one.read_at !== null,
            byName: one.by_name,
            count: one.count,
            recordId: visible,
            commentId: one.comment_id,
            name: (row ? row.customerName : one.subject) ?? '',
            month: row?.month ?? one.statement_month,
          },
        ];
      });
      const dueNow = due.map(({ _id, at, name, month }): Notification => ({
        _id,
        kind: 'followUp',
        at,
        isRead: false,
        byName: null,
        count: 1,
        recordId: _id,
        commentId: null,
        name,
        month,
      }));
      const items = [...dueNow, ...storedItems].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, MAX_ITEMS);
      return {
        items,
        total: items.length,
        unread: items.filter(({ isRead }) => !isRead).length,
        nextDueAt: await followUps.nextDue(ctx),
      };
    },

    /** Ignores ids of other users and of read notifications. */
    markRead: (ctx: Context, which: queries.Which): Promise<undefined> =>
      inTransaction(ctx, async (inner) => {
        const { db, viewer } = inner;
        const { ids, until } = which;
        const due = (await unreadDue(inner)).filter(
          ({ _id, at }) => (ids?.includes(_id) ?? true) && (until === undefined || at <= until),
        );
        await queries.markRead(db, viewer.userId, which);
        await queries.markFollowUpsRead(
          db,
          viewer.userId,
          due.map(({ _id, at }) => ({ recordId: _id, at })),
        );
        await publishNotified(db, viewer.userId);
        return undefined;
      }),

    async settings({ db, viewer }: Context) {
      return { mentionMail: await queries.wantsMentionMail(db, viewer.userId), isMailOn: mail.isOn };
    },

    changeSettings: (ctx: Context, { mentionMail }: { mentionMail: boolean }) =>
      inTransaction(ctx, async (inner) => {
        const { db, viewer } = inner;
        if (await queries.setMentionMail(db, viewer.userId, mentionMail)) {
          await audit(inner, 'user.updated', viewer.userId, {
            before: { mentionMail: !mentionMail },
            after: { mentionMail },
          });
        }
        return { mentionMail, isMailOn: mail.isOn };
      }),
  };
}

export type NotificationsService = ReturnType<typeof createNotificationsService>;
