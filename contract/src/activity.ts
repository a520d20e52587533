import { z } from 'zod';
import { SessionInfo } from './auth.ts';
import { BusinessDate, Id, Instant, queryNumber, wholeList, type RouteTable } from './route.ts';

export const PersonSession = SessionInfo.extend({
  userId: Id,
  name: z.string(),
  email: z.string(),
  /** A session of the user was used within the last ONLINE_MINUTES. */
  online: z.boolean(),
});
export type PersonSession = z.infer<typeof PersonSession>;

/** User activity from the audit log. Days and hours are in the company's time zone. */
export const Activity = z.strictObject({
  /** One entry per day of the requested period, oldest first. */
  signIns: z.array(z.strictObject({ date: BusinessDate, signedIn: z.int(), refused: z.int() })),
  /** Number of actions by weekday (Monday first) and hour of the day (from 0). */
  hours: z.array(z.array(z.int()).length(24)).length(7),
  /** The users with the most actions, at most ten. */
  mostActive: z.array(z.strictObject({ userId: Id, name: z.string(), actions: z.int() })),
  /** Refused sign-ins, newest first, at most fifty. `email` is the address typed; empty if the log has none. */
  refused: z.array(z.strictObject({ at: Instant, email: z.string(), ip: z.string() })),
});
export type Activity = z.infer<typeof Activity>;

export const activityRoutes = {
  'GET /user-activity': {
    summary: 'Sign-ins by day, actions by hour, the most active people, and refused sign-ins',
    query: z.strictObject({ days: queryNumber(z.int().min(1).max(90)).default(30) }),
    response: Activity,
  },
  'GET /user-activity/sessions': {
    summary: 'Every active session, the last used one first',
    response: wholeList(PersonSession),
  },
} as const satisfies RouteTable;
