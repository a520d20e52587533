import { z } from 'zod';
import { Month } from './deals.ts';
import { dealColumns, type DealColumn } from './permission-defaults.ts';
import { Id, type RouteTable } from './route.ts';

/** A user's position in Data Entry: the open month and the active cell. Null month: Data Entry was closed. */
const Presence = z.strictObject({
  month: Month.nullable(),
  dealId: Id.optional(),
  column: z.enum(dealColumns).optional(),
});
export type Presence = z.infer<typeof Presence>;

/**
 * `event: presence` of the live stream: all other users with the same month open as this session. A cell that the
 * caller may not see is null.
 */
export type LivePresence = {
  readonly month: string;
  readonly people: readonly {
    readonly _id: string;
    readonly name: string;
    readonly cell: { readonly dealId: string; readonly column: DealColumn } | null;
  }[];
};

export const presenceRoutes = {
  'POST /events/presence': {
    summary:
      'Says where one is in Data Entry; the newest place is published, at most once a second, and expires after 30 s',
    body: Presence,
    writesNothing: true,
    status: 204,
  },
} as const satisfies RouteTable;
