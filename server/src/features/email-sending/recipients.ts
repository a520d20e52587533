import type { Contact } from '@forecourt/contract/dealerships';
import type { Addressee } from '@forecourt/contract/email-templates';
import { invalid } from '../../platform/http/errors.ts';

export type Recipients = {
  to: Addressee[];
  cc: Addressee[];
  /** The message is sent only to its sender. */
  isTest: boolean;
};

const lower = (text: string) => text.toLowerCase();
export const addressesOf = (list: readonly Addressee[]): string[] => list.map(({ email }) => email);
const isSame = (a: string, b: string) => lower(a) === lower(b);

/**
 * Returns the contacts of a dealership who receive a template (docs/product/email.md, Recipients): the active ones in
 * To or Cc. Each contact has a template. If this template is the dealership's default or that of an active contact,
 * only contacts with it receive it; any other template is sent to all contacts. A contact in both lists is in To; each
 * address occurs once.
 */
export function contactsFor(contacts: Contact[], templateName: string, isDefault: boolean): Recipients {
  const reachable = contacts.filter(
    ({ active, includeInTo, includeInCc }) => active && (includeInTo || includeInCc),
  );
  const naming = reachable.filter((contact) => isSame(contact.templateName, templateName));
  const chosen = isDefault || naming.length > 0 ? naming : reachable;
  const seen = new Set<string>();
  const listOf = (members: Contact[]) =>
    members
      .filter(({ email }) => !seen.has(lower(email)) && seen.add(lower(email)))
      .map(({ name, email }) => ({ name, email }));
  return {
    to: listOf(chosen.filter(({ includeInTo }) => includeInTo)),
    cc: listOf(chosen.filter(({ includeInTo }) => !includeInTo)),
    isTest: false,
  };
}

/**
 * Narrows the contacts to `to` and `cc` of a request, which may only name contacts or the sender. The sender's address
 * alone makes a test (docs/product/security.md, Recipients belong to the dealership). Without `to` the contacts are
 * unchanged; without `cc` it is the Cc list minus the addresses in `to`. Throws a 400 that names the first address that
 * is not permitted.
 * @param doNotContact reasons by address for customers who must not be contacted; contacts of the dealership are exempt
 */
export function narrowRecipients(
  contacts: Recipients,
  sender: Addressee,
  requested: { to?: string[] | undefined; cc?: string[] | undefined },
  doNotContact: ReadonlyMap<string, { reason: string }> = new Map(),
): Recipients {
  const allowed = [...contacts.to, ...contacts.cc, sender];
  const seen = new Set<string>();
  const listOf = (field: 'to' | 'cc', addresses: string[]) =>
    addresses.flatMap((address, index) => {
      const addressee = allowed.find(({ email }) => isSame(email, address));
      if (!addressee) {
        const entry = doNotContact.get(lower(address));
        const why = entry
          ? `is on the Do not contact list (${entry.reason}). Nothing was sent.`
          : 'is not an active contact for this template';
        throw invalid([{ path: [field, index], message: `${address} ${why}` }]);
      }
      if (seen.has(lower(address))) return [];
      seen.add(lower(address));
      return [addressee];
    });
  const to = listOf('to', requested.to ?? addressesOf(contacts.to));
  const isTest = requested.to !== undefined && to.length === 1 && isSame(to[0]!.email, sender.email);
  const cc = listOf('cc', requested.cc ?? (isTest ? [] : addressesOf(contacts.cc)));
  return { to, cc, isTest: isTest && cc.length === 0 };
}
