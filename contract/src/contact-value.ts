import type { DealColumn } from './deal-fields.ts';
import { EMAIL, MAX_EMAIL_LENGTH } from './email-address.ts';
import { readPhone } from './phone.ts';

/** The deal column that contains each kind of value of the Do not contact list. */
export const contactColumns = {
  phone: 'customerNumber',
  email: 'customerEmail',
} as const satisfies Record<string, DealColumn>;
export type ContactKind = keyof typeof contactColumns;
export const contactKinds = Object.keys(contactColumns) as ContactKind[];

/** Limits of the list: length of a reason, values per request, in total, and by one user (not administrators). */
export const MAX_CONTACT_REASON_LENGTH = 200;
export const MAX_CONTACTS_AT_ONCE = 1000;
export const MAX_CONTACTS = 10_000;
export const MAX_CONTACTS_EACH = 1000;

/** Returns a phone number or an email address in the stored form of the Do not contact list; null for other texts. */
export function readContact(text: string): { kind: ContactKind; value: string } | null {
  const phone = readPhone(text);
  if (phone !== null) return { kind: 'phone', value: phone };
  const email = text.trim().toLowerCase();
  return email.length <= MAX_EMAIL_LENGTH && EMAIL.test(email) ? { kind: 'email', value: email } : null;
}
