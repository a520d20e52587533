import { z } from 'zod';
import { Month } from './deals.ts';
import { dealColumns, type DealColumn } from './permission-defaults.ts';
import { Id, type RouteTable } from './route.ts';

/** Where somebody is in Data Entry: which month they have open, and the cell they are in. Null: they have left. */
const Presence = z.strictObject({
  month: Month.nullable(),
  dealId: Id.optional(),
  column: z.enum(dealColumns).optional(),
});
export type Presence = z.infer<typeof Presence>;

/**
 * `event: presence` of the live stream: everybody else who has the month open that this session has said to have
 * open. A cell that its reader may not see is null.
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
    summary: 'Says where one is in Data Entry, at most once a second; forgotten after 30 s without news',
    body: Presence,
    writesNothing: true,
    status: 204,
  },
} as const satisfies RouteTable;
