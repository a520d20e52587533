import { z } from 'zod';
import { MAX_BULK_RECORDS } from './deal-limits.ts';
import { MAX_CONTACTS, MAX_IMPORTED_DEALERSHIPS, dealershipTextLimits } from './dealership-limits.ts';
import {
  Ability,
  EmailAddress,
  Id,
  IdParams,
  Version,
  uncheckedRow,
  list,
  stored,
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

/** A mail recipient at a dealership, with the name of the template to use. */
export const Contact = z.strictObject({
  name: typedText(dealershipTextLimits.contactName).refine((text) => text !== '', 'Contact name is required'),
  email: EmailAddress,
  templateName: typedText(120).refine((text) => text !== '', 'Template name is required'),
  includeInTo: z.boolean(),
  includeInCc: z.boolean(),
  active: z.boolean(),
});
export type Contact = z.infer<typeof Contact>;

/** A contact as sent: active, and a recipient in To unless in Cc, where that is omitted. */
const ContactInput = Contact.extend({
  includeInTo: z.boolean().optional(),
  includeInCc: z.boolean().default(false),
  active: z.boolean().default(true),
}).transform((contact): Contact => ({
  ...contact,
  includeInTo: contact.includeInTo ?? !contact.includeInCc,
}));

export const Dealership = z.strictObject({
  _id: Id,
  name: z.string(),
  address: z.string(),
  defaultEmailTemplateId: Id.nullable(),
  active: z.boolean(),
  contacts: z.array(Contact),
  ...owned,
  sharedWith: z.array(sharingEntry(DealershipShareLevel)),
  ...stored,
  abilities: z.strictObject({
    edit: Ability,
    toggle: Ability,
    delete: Ability,
    share: Ability,
    transfer: Ability,
  }),
});
export type Dealership = z.infer<typeof Dealership>;

/** The fields of a dealership that a deal row shows, for every user with Data Entry. */
export const DealershipOption = z.strictObject({ _id: Id, name: z.string(), active: z.boolean() });
export type DealershipOption = z.infer<typeof DealershipOption>;

/** The body of the form (docs/product/dealerships.md, Dealership form). Computed fields are accepted and ignored. */
export const DealershipInput = z.strictObject({
  name: typedText(dealershipTextLimits.name).refine((text) => text !== '', 'Dealership name is required'),
  address: typedText(dealershipTextLimits.address).refine((text) => text !== '', 'Address is required'),
  defaultEmailTemplateId: z.uuid('Default email template is required').toLowerCase(),
  contacts: list(ContactInput, MAX_CONTACTS, `At most ${MAX_CONTACTS} contacts`).default([]),
  active: z.boolean().default(true),
  /** Requires the right to share; other callers may send the unchanged value back. Omitted: unchanged. */
  sharedWith: sharingInput(DealershipShareLevel).optional(),
  version: Version.optional(),
});
export type DealershipInput = z.infer<typeof DealershipInput>;

/** A PUT may name the current owner; any other is refused (POST /dealerships/transfer-ownership). */
const DealershipChanges = DealershipInput.extend({ owner: Id.optional() });
export type DealershipChanges = z.infer<typeof DealershipChanges>;

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
      dealerships: list(
        uncheckedRow(ImportedDealership),
        MAX_IMPORTED_DEALERSHIPS,
        `At most ${MAX_IMPORTED_DEALERSHIPS.toLocaleString('en-AU')} dealerships at once`,
      ).min(1),
    }),
    bodyLimit: 16 * 1024 * 1024,
    status: 201,
    response: wholeList(DealershipOption),
  },
  'POST /dealerships/bulk/active': {
    summary: 'Activates or deactivates dealerships: all of them or none',
    body: z.strictObject({ ids: list(Id, MAX_BULK_RECORDS).min(1), active: z.boolean() }),
    response: wholeList(Dealership),
  },
  'PUT /dealerships/:id/sharing': {
    summary: 'Replaces the shares of a dealership',
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
    summary: 'Transfers dealerships to another owner: all of them or none',
    body: TransferBody,
    response: wholeList(Dealership),
  },
} as const satisfies RouteTable;
