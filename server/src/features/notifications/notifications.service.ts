import type { Notification, NotificationKind } from '@forecourt/contract/notifications';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import { tellPages } from '../../platform/notify.ts';
import type { DealsService } from '../deals/deals.service.ts';
import * as queries from './notifications.queries.ts';

/** So many are told; older ones are history. */
const MOST = 50;

const ABOUT_ROWS = new Set(['shared', 'handedOver', 'followUp']);

/**
 * What concerns a person (product.md section 11). What others did was written down with it; follow-ups are due by the
 * clock, so they are looked up, and written down once they have been read. A row that its reader does not see any more
 * is not told of.
 */
export function createNotificationsService({ deals: { desk } }: { deals: DealsService }) {
  /** Follow-ups that are due and have not been read. */
  async function unreadDue(ctx: Context, stored: readonly queries.StoredRow[]) {
    const read = new Set(
      stored.filter(({ kind }) => kind === 'followUp').map(({ record_id, at }) => `${record_id} ${at}`),
    );
    const due = await desk.due(ctx, MOST);
    return due.filter(({ _id, at }) => !read.has(`${_id} ${at}`));
  }

  return {
    async list(ctx: Context) {
      const stored = await queries.listStored(ctx.db, ctx.viewer.userId, MOST);
      const due = await unreadDue(ctx, stored);
      const rows = await desk.named(
        ctx,
        stored.filter(({ kind }) => ABOUT_ROWS.has(kind)).map(({ record_id }) => record_id),
      );
      const told = stored.flatMap((one): Notification[] => {
        const row = rows.get(one.record_id);
        if (ABOUT_ROWS.has(one.kind) && !row) return [];
        return [
          {
            _id: one.id,
            kind: one.kind as NotificationKind,
            at: one.at,
            isRead: one.read_at !== null,
            byName: one.by_name,
            count: one.count,
            recordId: one.record_id,
            name: row?.name ?? one.subject ?? '',
            month: row?.month ?? null,
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
        name,
        month,
      }));
      const items = [...dueNow, ...told].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, MOST);
      return {
        items,
        total: items.length,
        unread: items.filter(({ isRead }) => !isRead).length,
        nextDueAt: await desk.nextDue(ctx),
      };
    },

    /** Ids that are not the caller's, or not unread, are passed over. */
    markRead: (ctx: Context, ids: readonly string[] | undefined): Promise<undefined> =>
      inTransaction(ctx, async (inner) => {
        const { db, viewer } = inner;
        const stored = await queries.listStored(db, viewer.userId, MOST);
        const due = (await unreadDue(inner, stored)).filter(({ _id }) => ids?.includes(_id) ?? true);
        await queries.markRead(db, viewer.userId, ids);
        await queries.markFollowUpsRead(
          db,
          viewer.userId,
          due.map(({ _id, at }) => ({ recordId: _id, at })),
        );
        await tellPages(db, viewer.userId);
        return undefined;
      }),
  };
}

export type NotificationsService = ReturnType<typeof createNotificationsService>;
