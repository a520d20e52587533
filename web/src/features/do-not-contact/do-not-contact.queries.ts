import type { ResponseBody } from '@forecourt/contract/api';
import { readContact } from '@forecourt/contract/contact-value';
import type { DoNotContact } from '@forecourt/contract/do-not-contact';
import { formatDateTime } from '../../platform/formats.ts';
import { readQuery, useCall } from '../../platform/read-query.ts';
import { texts } from '../../texts/do-not-contact.ts';

const doNotContactKey = ['do-not-contact'] as const;

export const doNotContactQuery = readQuery(doNotContactKey, 'GET /do-not-contact');

export const useAddContacts = () => useCall(doNotContactKey, 'POST /do-not-contact');

export const useRemoveContact = () => useCall(doNotContactKey, 'DELETE /do-not-contact/:id');

/** Returns the entry of a phone number or an email address; undefined if it is not listed. */
export type FindContact = (text: unknown) => DoNotContact | undefined;

/** Returns a function that looks up entries, as `select` of a query. */
export function finderOf({ items }: ResponseBody<'GET /do-not-contact'>): FindContact {
  const byValue = new Map(items.map((entry) => [entry.value, entry]));
  return (text) => (typeof text === 'string' ? byValue.get(readContact(text)?.value ?? '') : undefined);
}

/** Formats `Do not contact since 28/11/2026: Asked on the phone (Ada Admin)`. */
export const describeContact = ({ createdAt, reason, addedByName }: DoNotContact, timeZone: string): string =>
  texts.since(formatDateTime(createdAt, timeZone).split(',')[0]!, reason, addedByName);
