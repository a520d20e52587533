import { z } from 'zod';
import { MAX_HISTORY_ENTRIES } from './deal-limits.ts';
import { HistoryEntry } from './deals.ts';
import { EmailLogEntry } from './email-sending.ts';
import { IdParams, Instant, wholeList, type RouteTable } from './route.ts';

export const TimelineEntry = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('change'), at: Instant, change: HistoryEntry }),
  z.strictObject({
    kind: z.literal('email'),
    at: Instant,
    /**
     * The message as Email History shows it; null for another sender's message. Of these only the last delivery is
     * listed, which `lastEmailedAt` shows too.
     */
    email: EmailLogEntry.nullable(),
  }),
]);
export type TimelineEntry = z.infer<typeof TimelineEntry>;

export const dealTimelineRoutes = {
  'GET /deals/:id/timeline': {
    summary: `The changes of a row, its comments and the emails about it, newest first; at most the newest ${MAX_HISTORY_ENTRIES}`,
    params: IdParams,
    response: wholeList(TimelineEntry),
  },
} as const satisfies RouteTable;
