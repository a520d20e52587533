import { z } from 'zod';
import {
  Id,
  Instant,
  Serial,
  plainText,
  queryNumber,
  searchText,
  typedText,
  type RouteTable,
} from './route.ts';

/** One action of a user or of the program (docs/product/audit.md, Audit log). */
export const AuditLogEntry = z.strictObject({
  _id: Serial,
  at: Instant,
  /** Null for the program itself and for a caller who was not signed in. */
  actorId: Id.nullable(),
  /** The actor's name at the time of the action. */
  actorName: z.string(),
  ip: z.string(),
  /** Noun first, for example `deal.updated`. */
  action: z.string(),
  entity: z.string(),
  recordId: Id.nullable(),
  /** The record's current name; null if it has none or no longer exists. */
  recordName: z.string().nullable(),
  /** The affected fields before and after the action, secrets masked. Null: none, or redacted. */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  redacted: z.boolean(),
  /** Id of the request in the server's log. */
  requestId: z.string(),
});
export type AuditLogEntry = z.infer<typeof AuditLogEntry>;

export const auditFilters = {
  actorId: Id.optional(),
  /** Exact match, for example `deal.updated`. */
  action: plainText(60).optional(),
  entity: plainText(40).optional(),
  recordId: Id.optional(),
  from: Instant.optional(),
  to: Instant.optional(),
  /** Searches names, actions, addresses and values. */
  search: searchText.optional(),
};

/** One problem found by verification. */
export const AuditProblem = z.strictObject({
  kind: z.enum(['changed', 'missing', 'inserted', 'redacted', 'seal', 'end']),
  /** Set for the first four kinds of problems. */
  entry: Serial.nullable(),
  /** Set for every kind except `inserted`. */
  seal: Serial.nullable(),
});
export type AuditProblem = z.infer<typeof AuditProblem>;

export const auditRoutes = {
  'GET /audit-logs': {
    summary: 'Who did what, newest first, with the values before and after',
    query: z.strictObject({
      ...auditFilters,
      /** The `nextCursor` of the previous page. */
      cursor: Serial.optional(),
      limit: queryNumber(z.int().min(1).max(200)).default(50),
    }),
    response: z.strictObject({
      items: z.array(AuditLogEntry),
      /** Number of matches from this page on. Counting stops at 1000 and at a time limit; see `totalIsCapped`. */
      total: z.int(),
      totalIsCapped: z.boolean(),
      /** Also set if the time limit ended before the page was full: older entries may exist. */
      nextCursor: Serial.nullable(),
      /** Set if the time limit ended: the time of the oldest entry that was searched. The next page continues there. */
      searchedTo: Instant.nullable(),
      /** Current names of the record ids and custom field keys in the values; deleted records have none. */
      names: z.record(z.string(), z.string()),
    }),
  },
  'GET /audit-logs/verify': {
    summary: 'Whether any entry was changed, removed, added or moved since it was sealed',
    query: z.strictObject({
      /** Continues after this seal: the `next` of the previous response. */
      after: Serial.default('0'),
    }),
    response: z.strictObject({
      /** Number of seals and entries checked by this call, which stops after some seconds. */
      seals: z.int(),
      entries: z.int(),
      problems: z.array(AuditProblem),
      /** Null when the last seal was checked; otherwise the `after` of the next call. */
      next: Serial.nullable(),
      /** Number of entries that are not sealed yet: sealing runs every few seconds. */
      unsealed: z.int(),
      /** Number of seals that match but were signed with a former SECRET_KEY: their origin is not verified. */
      otherKey: z.int(),
      /** The last seal of the chain. A copy stored elsewhere proves later that the end of the log was not removed. */
      head: z.strictObject({ seal: Serial, hash: z.string(), at: Instant }).nullable(),
    }),
  },
  'POST /audit-logs/redact': {
    summary: 'Removes the values of all entries about a deleted record; their existence stays provable',
    body: z.strictObject({
      recordId: Id,
      reason: typedText(400).refine((text) => text !== '', 'Reason is required'),
    }),
    response: z.strictObject({ redacted: z.int() }),
  },
} as const satisfies RouteTable;
