import { z } from 'zod';
import {
  MAX_CONTACT_REASON_LENGTH,
  MAX_CONTACTS_AT_ONCE,
  contactKinds,
  readContact,
} from './contact-value.ts';
import { MAX_EMAIL_LENGTH } from './email-address.ts';
import { Ability, Id, IdParams, Instant, list, typedText, wholeList, type RouteTable } from './route.ts';

/** A phone number or an email address that must not be contacted (docs/product/data-entry.md, Do not contact). */
export const DoNotContact = z.strictObject({
  _id: Id,
  kind: z.enum(contactKinds),
  value: z.string(),
  reason: z.string(),
  addedBy: Id,
  addedByName: z.string(),
  createdAt: Instant,
  abilities: z.strictObject({ delete: Ability }),
});
export type DoNotContact = z.infer<typeof DoNotContact>;

export const NewDoNotContact = z.strictObject({
  values: list(
    typedText(MAX_EMAIL_LENGTH).refine((text) => readContact(text) !== null, {
      error: ({ input }) => `${String(input) || 'This'} is neither a phone number nor an email address`,
    }),
    MAX_CONTACTS_AT_ONCE,
    `At most ${MAX_CONTACTS_AT_ONCE.toLocaleString('en-AU')} at once`,
  ).min(1, 'Phone number or email is required'),
  reason: typedText(MAX_CONTACT_REASON_LENGTH).refine((text) => text !== '', 'Reason is required'),
});
export type NewDoNotContact = z.infer<typeof NewDoNotContact>;

export const doNotContactRoutes = {
  'GET /do-not-contact': {
    summary: 'The Do not contact list, newest first, without the kinds whose column the caller may not see',
    response: wholeList(DoNotContact),
  },
  'POST /do-not-contact': {
    summary: 'Adds phone numbers and email addresses; the response has those that were not listed before',
    body: NewDoNotContact,
    status: 201,
    response: wholeList(DoNotContact),
  },
  'DELETE /do-not-contact/:id': {
    summary: 'Removes an entry, for the person who added it and administrators',
    params: IdParams,
    status: 204,
  },
} as const satisfies RouteTable;
