import { z } from 'zod';
import {
  Ability,
  Id,
  IdParams,
  Version,
  list,
  record,
  stored,
  typedText,
  wholeList,
  type RouteTable,
} from './route.ts';

export const MAX_STATUS_NAME_LENGTH = 60;

/**
 * A deal status (docs/product/items-and-statuses.md, Statuses). It belongs to the company, without owner and sharing.
 */
export const Status = z.strictObject({
  _id: Id,
  name: z.string(),
  /** `#rrggbb`. Screens derive readable variants for light and dark mode. */
  color: z.string(),
  order: z.int(),
  active: z.boolean(),
  isDefault: z.boolean(),
  isClosed: z.boolean(),
  /** Whether deals with this status earn commission. Null means undecided, which is treated as yes. */
  countsForCommission: z.boolean().nullable(),
  /** Number of deals with this status that the caller may see. */
  usage: z.int(),
  ...stored,
  abilities: z.strictObject({ edit: Ability, delete: Ability }),
});
export type Status = z.infer<typeof Status>;

export const StatusInput = z.strictObject({
  name: typedText(MAX_STATUS_NAME_LENGTH).refine((text) => text !== '', 'Status name is required'),
  color: z
    .string()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, 'Must be a colour such as #2f6fb2'),
  active: z.boolean().default(true),
  /** Exactly one status is the default: setting it clears the previous one. */
  isDefault: z.boolean().default(false),
  isClosed: z.boolean().default(false),
  countsForCommission: z.boolean().default(false),
});
export type StatusInput = z.infer<typeof StatusInput>;

/** Omitted switches stay unchanged. `isDefault`, `isClosed` and `countsForCommission` require an administrator. */
const StatusChanges = StatusInput.extend({
  active: z.boolean().optional(),
  isDefault: z.boolean().optional(),
  isClosed: z.boolean().optional(),
  countsForCommission: z.boolean().nullable().optional(),
  version: Version.optional(),
});
export type StatusChanges = z.infer<typeof StatusChanges>;

const computed = ['_id', 'order', 'usage', 'createdAt', 'updatedAt', 'abilities'];

export const statusRoutes = {
  'GET /status-configurations': {
    summary: 'The statuses in the order of the status cycle',
    response: wholeList(Status),
  },
  'GET /status-configurations/:id': { summary: 'One status by its id', params: IdParams, response: Status },
  'POST /status-configurations': {
    summary: 'Adds a status at the end of the cycle',
    body: StatusInput,
    computed,
    status: 201,
    response: Status,
  },
  'PUT /status-configurations/:id': {
    summary: 'Renames, recolours or deactivates a status, in all deals at once',
    params: IdParams,
    body: StatusChanges,
    computed,
    response: Status,
    changesDeals: 'itself',
  },
  'DELETE /status-configurations/:id': {
    summary: 'Deletes a status; a status in use requires a replacement',
    params: IdParams,
    query: z.strictObject({ replacement: Id.optional() }),
    status: 204,
    changesDeals: 'call',
  },
  'POST /status-configurations/reorder': {
    summary: 'Saves the order of the statuses; all of them are named',
    body: z.strictObject({ ids: list(Id, 1000).min(1) }),
    response: wholeList(Status),
  },
  'PUT /status-configurations/commission': {
    summary: 'Sets which statuses count for commission: those named, and no other',
    body: z.strictObject({
      ids: list(Id, 1000),
      /** Versions of all statuses that the caller saw. If the list has changed since, the response is 409. */
      versions: record(Id, Version, 1000).optional(),
    }),
    response: wholeList(Status),
    changesDeals: 'itself',
  },
} as const satisfies RouteTable;
