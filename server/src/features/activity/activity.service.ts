import type { Activity, PersonSession } from '@forecourt/contract/activity';
import type { Clock } from '../../platform/clock.ts';
import type { Context } from '../../platform/http/context.ts';
import type { AuditService } from '../audit/audit.service.ts';
import { presentSession } from '../auth/auth.service.ts';
import { isOnline } from './activity.policy.ts';
import * as queries from './activity.queries.ts';

const MAX_PEOPLE = 10;
const MAX_REFUSED = 50;

/** Online users, and activity by time (docs/product/audit.md, User activity). */
export const createActivityService = (clock: Clock, auditLog: Pick<AuditService, 'list'>) => ({
  async sessions({ db, viewer }: Context): Promise<{ items: PersonSession[]; total: number }> {
    const now = clock.now();
    const items = (await queries.listSessions(db)).map((row) => ({
      ...presentSession(row, viewer.sessionId),
      userId: row.user_id,
      name: row.name,
      email: row.email,
      online: isOnline(row.last_used_at, now),
    }));
    return { items, total: items.length };
  },

  /** Returns the activity of this many business days, today included. */
  async activity(ctx: Context, days: number): Promise<Activity> {
    const { db } = ctx;
    const { timeZone } = clock;
    const from = await queries.readStart(db, days, timeZone);
    const refused = await auditLog.list(ctx, { action: 'session.refused', from, limit: MAX_REFUSED });
    const hours = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
    for (const { weekday, hour, actions } of await queries.workByHour(db, days, timeZone))
      hours[weekday - 1]![hour] = actions;
    return {
      signIns: await queries.signInsByDay(db, days, timeZone),
      hours,
      mostActive: await queries.mostActive(db, days, timeZone, MAX_PEOPLE),
      refused: refused.items.map(({ at, after, ip }) => {
        const email = after?.email;
        return { at, email: typeof email === 'string' ? email : '', ip };
      }),
    };
  },
});

export type ActivityService = ReturnType<typeof createActivityService>;
