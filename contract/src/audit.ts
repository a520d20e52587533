import { z } from 'zod';
import { Id, Instant, plainText, queryNumber, searchText, typedText, type RouteTable } from './route.ts';

/** The number of an entry or a seal as an opaque text: both grow, and have no other meaning. */
const Serial = z.string().regex(/^\d{1,18}$/, 'Must be a number');

/** What an action was done with. `setup` is the first start. */
export const auditEntities = [
  'deal',
  'deal-view',
  'dealership',
  'email-template',
  'template-image',
  'email',
  'email-attachment',
  'user',
  'permissions',
  'session',
  'email-settings',
  'item',
  'status',
  'setting',
  'setup',
  'audit',
  'export',
] as const;

/** One thing that somebody, or the program itself, did (product.md section 9). */
export const AuditLogEntry = z.strictObject({
  _id: Serial,
  at: Instant,
  /** Null: the program itself, or somebody who had not signed in. */
  actorId: Id.nullable(),
  /** By the name of then. */
  actorName: z.string(),
  ip: z.string(),
  /** Noun first: `deal.updated`. */
  action: z.string(),
  entity: z.string(),
  recordId: Id.nullable(),
  /** What the record is called now; null where it has no name or is gone. */
  recordName: z.string().nullable(),
  /** The fields concerned as they were and as they became, secrets masked. Null: nothing, or blanked. */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  /** An administrator had the values removed. */
  blanked: z.boolean(),
  /** Under which the server's log has the request. */
  requestId: z.string(),
});
export type AuditLogEntry = z.infer<typeof AuditLogEntry>;

/** Which entries: the same filters for the list and its export. */
export const auditFilters = {
  actorId: Id.optional(),
  /** Exactly this one: `deal.updated`. */
  action: plainText(60).optional(),
  entity: plainText(40).optional(),
  recordId: Id.optional(),
  from: Instant.optional(),
  to: Instant.optional(),
  /** In names, actions, addresses and values. */
  search: searchText.optional(),
};

/** What verification found wrong, and where. */
export const AuditProblem = z.strictObject({
  kind: z.enum(['changed', 'missing', 'inserted', 'blanked', 'seal', 'end']),
  /** The entry, for the first four. */
  entry: Serial.nullable(),
  /** The seal, for all but `inserted`. */
  seal: Serial.nullable(),
});
export type AuditProblem = z.infer<typeof AuditProblem>;

export const auditRoutes = {
  'GET /audit-logs': {
    summary: 'Who did what, newest first, with the values before and after',
    query: z.strictObject({
      ...auditFilters,
      /** Where the page before ended: its `nextCursor`. */
      cursor: Serial.optional(),
      limit: queryNumber(z.int().min(1).max(200)).default(50),
    }),
    response: z.strictObject({
      items: z.array(AuditLogEntry),
      /** How many match from this page on: at most 1000, or what was found in the time; see `totalIsCapped`. */
      total: z.int(),
      totalIsCapped: z.boolean(),
      /** Also where the time was over before the page was full: then there may be more further back. */
      nextCursor: Serial.nullable(),
      /** What the ids in the values are called, where they still name something. */
      names: z.record(Id, z.string()),
    }),
  },
  'GET /audit-logs/verify': {
    summary: 'Whether any entry was changed, removed, added or moved since it was sealed',
    query: z.strictObject({
      /** Goes on behind this seal: the `next` of the answer before. */
      after: Serial.default('0'),
    }),
    response: z.strictObject({
      /** How much was looked at in this call, which ends after some seconds. */
      seals: z.int(),
      entries: z.int(),
      /** At most 100. */
      problems: z.array(AuditProblem),
      /** Not null: there are more seals; ask again with it as `after`. */
      next: Serial.nullable(),
      /** Written moments ago, and sealed within seconds. */
      unsealed: z.int(),
      /** Seals of a former SECRET_KEY: they agree with their entries, but nobody can say who made them. */
      otherKey: z.int(),
      /** The end of the chain: noted elsewhere, it shows later that nothing was cut off. */
      head: z.strictObject({ seal: Serial, hash: z.string(), at: Instant }).nullable(),
    }),
  },
  'POST /audit-logs/blank': {
    summary: 'Removes the values of all entries about a deleted record; that they were there stays provable',
    body: z.strictObject({
      recordId: Id,
      reason: typedText(400).refine((text) => text !== '', 'Reason is required'),
    }),
    response: z.strictObject({ blanked: z.int() }),
  },
} as const satisfies RouteTable;
