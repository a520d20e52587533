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
import {
  DealershipShareLevel,
  TransferBody,
  bulkShareBody,
  owned,
  sharingBody,
  sharingEntry,
  sharingInput,
} from './sharing.ts';

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
  ...owned,
  sharedWith: z.array(sharingEntry(DealershipShareLevel)),
  version: Version,
  createdAt: Instant,
  updatedAt: Instant,
  abilities: z.strictObject({
    edit: Ability,
    toggle: Ability,
    delete: Ability,
    share: Ability,
    transfer: Ability,
  }),
});
export type Dealership = z.infer<typeof Dealership>;

/** As much of a dealership as a deal row shows, to whoever may open Data Entry. */
export const DealershipOption = z.strictObject({ _id: Id, name: z.string(), active: z.boolean() });
export type DealershipOption = z.infer<typeof DealershipOption>;

/** What the form sends (spec.md section 5). Computed fields may come back and are ignored. */
export const DealershipInput = z.strictObject({
  name: typedText(120).refine((text) => text !== '', 'Dealership name is required'),
  address: typedText(400).refine((text) => text !== '', 'Address is required'),
  defaultEmailTemplateId: z.uuid('Default email template is required').toLowerCase(),
  contacts: z.array(Contact).max(50, 'At most 50 contacts').default([]),
  active: z.boolean().default(true),
  /** For those who may share; others can send back what they were answered. Left out, it stays. */
  sharedWith: sharingInput(DealershipShareLevel).optional(),
  version: Version.optional(),
});
export type DealershipInput = z.infer<typeof DealershipInput>;

/** A PUT may name the owner who is; another one is refused (POST /dealerships/transfer-ownership). */
const DealershipChanges = DealershipInput.extend({ owner: Id.optional() });
export type DealershipChanges = z.infer<typeof DealershipChanges>;

/** A dealership of an import: what the form sends but sharing. */
export const ImportedDealership = DealershipInput.omit({ sharedWith: true, version: true });
export type ImportedDealership = z.infer<typeof ImportedDealership>;

const computed = ['_id', 'ownerName', 'createdAt', 'updatedAt', 'abilities'];

export const dealershipRoutes = {
  'GET /dealerships': {
    summary: 'Every dealership that the caller may see',
    response: wholeList(Dealership),
  },
  'GET /dealerships/:id': { summary: 'One dealership', params: IdParams, response: Dealership },
  'POST /dealerships': {
    summary: 'Adds a dealership',
    body: DealershipInput,
    computed,
    status: 201,
    response: Dealership,
  },
  'PUT /dealerships/:id': {
    summary: 'Changes a dealership and its contacts',
    params: IdParams,
    body: DealershipChanges,
    computed,
    response: Dealership,
  },
  'DELETE /dealerships/:id': {
    summary: 'Deletes a dealership without deals',
    params: IdParams,
    status: 204,
  },
  'POST /dealerships/import': {
    summary: 'Adds dealerships with their contacts: all of them or none',
    body: z.strictObject({
      dealerships: z.array(ImportedDealership).min(1).max(2000, 'At most 2,000 dealerships at once'),
    }),
    bodyLimit: 16 * 1024 * 1024,
    status: 201,
    response: wholeList(DealershipOption),
  },
  'POST /dealerships/bulk/active': {
    summary: 'Activates or deactivates dealerships: all of them or none',
    body: z.strictObject({ ids: z.array(Id).min(1).max(10_000), active: z.boolean() }),
    response: wholeList(Dealership),
  },
  'PUT /dealerships/:id/sharing': {
    summary: 'Replaces who a dealership is shared with',
    params: IdParams,
    body: sharingBody(DealershipShareLevel),
    response: Dealership,
  },
  'POST /dealerships/bulk-share': {
    summary: 'Shares dealerships with more people, or at other levels: all of them or none',
    body: bulkShareBody('dealershipIds', DealershipShareLevel),
    response: z.strictObject({ dealerships: z.array(Dealership) }),
  },
  'POST /dealerships/transfer-ownership': {
    summary: 'Hands dealerships to another owner: all of them or none',
    body: TransferBody,
    response: wholeList(Dealership),
  },
} as const satisfies RouteTable;
