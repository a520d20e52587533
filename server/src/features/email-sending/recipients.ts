import type { Contact } from '@forecourt/contract/dealerships';
import type { Addressee } from '@forecourt/contract/email-templates';
import { invalid } from '../../platform/http/errors.ts';

export type Recipients = {
  to: Addressee[];
  cc: Addressee[];
  /** It goes to nobody but its sender. */
  isTest: boolean;
};

const lower = (text: string) => text.toLowerCase();
const addressesOf = (list: Addressee[]) => list.map(({ email }) => email);
const isSame = (a: string, b: string) => lower(a) === lower(b);

/**
 * The contacts of a dealership who receive a template (product.md section 6): the active ones that are in To
 * or Cc. Each contact names the template it wants. Where the template is the dealership's default or is named
 * by any active contact, it goes to those who name it; one that nobody there names was chosen on purpose for
 * this occasion and goes to all. Who is in both lines is in To; an address comes once.
 */
export function contactsFor(contacts: Contact[], templateName: string, isDefault: boolean): Recipients {
  const reachable = contacts.filter(
    ({ active, includeInTo, includeInCc }) => active && (includeInTo || includeInCc),
  );
  const naming = reachable.filter((contact) => isSame(contact.templateName, templateName));
  const chosen = isDefault || naming.length > 0 ? naming : reachable;
  const seen = new Set<string>();
  const line = (members: Contact[]) =>
    members
      .filter(({ email }) => !seen.has(lower(email)) && seen.add(lower(email)))
      .map(({ name, email }) => ({ name, email }));
  return {
    to: line(chosen.filter(({ includeInTo }) => includeInTo)),
    cc: line(chosen.filter(({ includeInTo }) => !includeInTo)),
    isTest: false,
  };
}

/**
 * What `to` and `cc` of a send leave of those contacts: they may only narrow them or name the sender, whose
 * address alone makes a test (security.md D7). Without `to` the contacts stay, without `cc` those of Cc that
 * `to` does not name. Throws a 400 that names the first address that may not be written to.
 */
export function narrowed(
  contacts: Recipients,
  sender: Addressee,
  given: { to?: string[] | undefined; cc?: string[] | undefined },
): Recipients {
  const known = [...contacts.to, ...contacts.cc, sender];
  const seen = new Set<string>();
  const line = (field: 'to' | 'cc', addresses: string[]) =>
    addresses.flatMap((address, index) => {
      const addressee = known.find(({ email }) => isSame(email, address));
      if (!addressee) {
        throw invalid([
          { path: [field, index], message: `${address} is not an active contact for this template` },
        ]);
      }
      if (seen.has(lower(address))) return [];
      seen.add(lower(address));
      return [addressee];
    });
  const to = line('to', given.to ?? addressesOf(contacts.to));
  const isTest = given.to !== undefined && to.length === 1 && isSame(to[0]!.email, sender.email);
  const cc = line('cc', given.cc ?? (isTest ? [] : addressesOf(contacts.cc)));
  return { to, cc, isTest: isTest && cc.length === 0 };
}
