import { z } from 'zod';
import { Ability, Id, IdParams, Instant, Version, typedText, wholeList, type RouteTable } from './route.ts';

/** A status of deals (product.md section 5): the company's, without owner and sharing. */
export const Status = z.strictObject({
  _id: Id,
  name: z.string(),
  /** `#rrggbb`; screens derive what is readable on light and dark from it. */
  color: z.string(),
  order: z.int(),
  active: z.boolean(),
  isDefault: z.boolean(),
  isClosed: z.boolean(),
  /** How many deals have it, of those that the caller may see. */
  usage: z.int(),
  version: Version,
  createdAt: Instant,
  updatedAt: Instant,
  abilities: z.strictObject({ edit: Ability, delete: Ability }),
});
export type Status = z.infer<typeof Status>;

export const StatusInput = z.strictObject({
  name: typedText(60).refine((text) => text !== '', 'Status name is required'),
  color: z
    .string()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, 'Must be a colour such as #2f6fb2'),
  active: z.boolean().default(true),
  /** Exactly one is: making this the default takes it from the other. */
  isDefault: z.boolean().default(false),
  isClosed: z.boolean().default(false),
});
export type StatusInput = z.infer<typeof StatusInput>;

/** Switches that are left out stay as they are. `isDefault` and `isClosed` are for administrators. */
const StatusChanges = StatusInput.extend({
  active: z.boolean().optional(),
  isDefault: z.boolean().optional(),
  isClosed: z.boolean().optional(),
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
    summary: 'Renames, recolours or retires a status; deals follow at once',
    params: IdParams,
    body: StatusChanges,
    computed,
    response: Status,
  },
  'DELETE /status-configurations/:id': {
    summary: 'Deletes a status; one that deals have needs a replacement',
    params: IdParams,
    query: z.strictObject({ replacement: Id.optional() }),
    status: 204,
  },
  'POST /status-configurations/reorder': {
    summary: 'Puts the statuses in this order; all of them are named',
    body: z.strictObject({ ids: z.array(Id).min(1).max(1000) }),
    response: wholeList(Status),
  },
} as const satisfies RouteTable;
