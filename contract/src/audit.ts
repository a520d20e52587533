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
  /** Null: the program itself, or a caller who was not signed in. */
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
  /** An administrator redacted the values. */
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

/** One problem that verification found, and where. */
export const AuditProblem = z.strictObject({
  kind: z.enum(['changed', 'missing', 'inserted', 'redacted', 'seal', 'end']),
  /** Set for the first four kinds. */
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
      /**
       * Number of matches from this page on: at most 1000, or as many as were counted within the time limit; see
       * `totalIsCapped`.
       */
      total: z.int(),
      totalIsCapped: z.boolean(),
      /** Also set if the time limit ended before the page was full: older entries may exist. */
      nextCursor: Serial.nullable(),
      /** Current names of the ids and of the keys of custom fields in the values, where the record still exists. */
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
      /** Seals and entries checked by this call, which stops after some seconds. */
      seals: z.int(),
      entries: z.int(),
      /** At most 100. */
      problems: z.array(AuditProblem),
      /** Not null: more seals exist; repeat the call with it as `after`. */
      next: Serial.nullable(),
      /** Entries not sealed yet. Sealing takes seconds. */
      unsealed: z.int(),
      /**
       * Seals that match their entries but were signed with a former SECRET_KEY, so their origin cannot be verified.
       */
      otherKey: z.int(),
      /** The end of the chain. Stored elsewhere, it later proves that no entry was cut off. */
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
