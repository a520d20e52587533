import { z } from 'zod';
import {
  Ability,
  EmailAddress,
  Id,
  IdParams,
  Instant,
  Version,
  typedText,
  wholeList,
  type RouteTable,
} from './route.ts';

/** Somebody at a dealership who receives mail, written with the template of that name. */
export const Contact = z.strictObject({
  name: typedText(120).refine((text) => text !== '', 'Contact name is required'),
  email: EmailAddress,
  templateName: typedText(120).refine((text) => text !== '', 'Template name is required'),
  includeInTo: z.boolean(),
  includeInCc: z.boolean(),
  active: z.boolean(),
});
export type Contact = z.infer<typeof Contact>;

export const Dealership = z.strictObject({
  _id: Id,
  name: z.string(),
  address: z.string(),
  defaultEmailTemplateId: Id.nullable(),
  active: z.boolean(),
  contacts: z.array(Contact),
  version: Version,
  createdAt: Instant,
  updatedAt: Instant,
  abilities: z.strictObject({ edit: Ability, toggle: Ability, delete: Ability }),
});
export type Dealership = z.infer<typeof Dealership>;

/** As much of a dealership as a deal row shows, to whoever may open Data Entry. */
export const DealershipOption = z.strictObject({ _id: Id, name: z.string(), active: z.boolean() });
export type DealershipOption = z.infer<typeof DealershipOption>;

/** What the form sends (spec.md section 5). Computed fields may come back and are ignored. */
export const DealershipInput = z.strictObject({
  name: typedText(120).refine((text) => text !== '', 'Dealership name is required'),
  address: typedText(400).refine((text) => text !== '', 'Address is required'),
  defaultEmailTemplateId: z.uuid('Default email template is required'),
  contacts: z.array(Contact).max(50, 'At most 50 contacts').default([]),
  active: z.boolean().default(true),
  version: Version.optional(),
});
export type DealershipInput = z.infer<typeof DealershipInput>;

export const dealershipRoutes = {
  'GET /dealerships': {
    summary: 'Every dealership that the caller may see',
    response: wholeList(Dealership),
  },
  'GET /dealerships/:id': { summary: 'One dealership', params: IdParams, response: Dealership },
  'POST /dealerships': {
    summary: 'Adds a dealership',
    body: DealershipInput,
    computed: ['_id', 'createdAt', 'updatedAt', 'abilities'],
    status: 201,
    response: Dealership,
  },
  'PUT /dealerships/:id': {
    summary: 'Changes a dealership and its contacts',
    params: IdParams,
    body: DealershipInput,
    computed: ['_id', 'createdAt', 'updatedAt', 'abilities'],
    response: Dealership,
  },
  'DELETE /dealerships/:id': {
    summary: 'Deletes a dealership without deals',
    params: IdParams,
    status: 204,
  },
  'POST /dealerships/bulk/active': {
    summary: 'Activates or deactivates dealerships: all of them or none',
    body: z.strictObject({ ids: z.array(Id).min(1).max(10_000), active: z.boolean() }),
    response: wholeList(Dealership),
  },
} as const satisfies RouteTable;
