import { z } from 'zod';
import type { CustomKey } from './custom-field-types.ts';
import { CustomFieldKey } from './custom-fields.ts';
import { dealColumns, type DealColumn } from './deal-fields.ts';
import { Month } from './deals.ts';
import { Id, type RouteTable } from './route.ts';

/** A user's position in Data Entry: open month and active cell. A null month: Data Entry was closed. */
const Presence = z.strictObject({
  month: Month.nullable(),
  dealId: Id.optional(),
  column: z.union([z.enum(dealColumns), CustomFieldKey]).optional(),
});
export type Presence = z.infer<typeof Presence>;

/** A user of another session with the same month open. `cell` is null if the caller may not see it. */
export type PresentPerson = {
  readonly _id: string;
  readonly name: string;
  readonly cell: { readonly dealId: string; readonly column: DealColumn | CustomKey } | null;
};

/** `event: presence` of the live stream: the other users with this month open, or the changes of that list. */
export type LivePresence = {
  readonly month: string;
  /** True in the first message of a stream and of a month: `people` then replaces the client's list. */
  readonly isComplete: boolean;
  /** All people, or those who joined or moved since the last message of this stream. */
  readonly people: readonly PresentPerson[];
  /** Ids of the people who left since the last message of this stream. */
  readonly left: readonly string[];
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
