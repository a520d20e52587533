import { z } from 'zod';
import { MAX_HISTORY_ENTRIES } from './deal-limits.ts';
import { EmailLogEntry } from './email-sending.ts';
import { IdParams, Instant, Serial, wholeList, type RouteTable } from './route.ts';
import { DealershipShareLevel } from './sharing.ts';

/** A contact before or after a change, as it was stored. */
const StoredContact = z.strictObject({
  name: z.string(),
  email: z.string(),
  templateName: z.string(),
  includeInTo: z.boolean(),
  includeInCc: z.boolean(),
  active: z.boolean(),
});
export type StoredContact = z.infer<typeof StoredContact>;

/** A value with names instead of ids; null if it is empty or hidden from the caller. */
const Value = z.union([
  z.string(),
  z.boolean(),
  StoredContact,
  z.array(z.strictObject({ name: z.string(), permissions: DealershipShareLevel })),
  z.null(),
]);
export type DealershipValue = z.infer<typeof Value>;

/** A change of a dealership or its contacts. Changes of owner and shares are only for administrators. */
export const DealershipChange = z.strictObject({
  /** The id of the audit entry. */
  _id: Serial,
  at: Instant,
  action: z.enum(['created', 'updated', 'shared', 'transferred']),
  byName: z.string(),
  /** The reason given for a transfer; may be empty. */
  reason: z.string(),
  changes: z.array(
    z.strictObject({
      /** `contact`: a contact that was added, changed or removed. */
      field: z.enum(['name', 'address', 'template', 'active', 'contact', 'owner', 'sharedWith']),
      before: Value,
      after: Value,
    }),
  ),
});
export type DealershipChange = z.infer<typeof DealershipChange>;

export const DealershipTimelineEntry = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('change'), at: Instant, change: DealershipChange }),
  /** A message as Email History shows it to the caller, about rows that the caller sees. */
  z.strictObject({ kind: z.literal('email'), at: Instant, email: EmailLogEntry }),
]);
export type DealershipTimelineEntry = z.infer<typeof DealershipTimelineEntry>;

export const dealershipTimelineRoutes = {
  'GET /dealerships/:id/timeline': {
    summary: `The changes of a dealership and the emails to its contacts, newest first; at most the newest ${MAX_HISTORY_ENTRIES}`,
    params: IdParams,
    response: wholeList(DealershipTimelineEntry),
  },
} as const satisfies RouteTable;
