import type { Contact, Dealership, DealershipInput } from '@forecourt/contract/dealerships';
import { texts } from '../../texts/dealerships.ts';
import { texts as sharing } from '../../texts/sharing.ts';
import { EMAIL } from '../../ui/email-address.ts';
import type { ComparedField } from '../../ui/foreign-changes.ts';
import { givenShares, type Share } from '../../ui/sharing/shares.ts';

/** A level of sharing a dealership. */
export type DealershipLevel = Dealership['sharedWith'][number]['permissions'];

/** A contact in the form: `key` tells rows apart while they have nothing else. */
export type ContactRow = Contact & { readonly key: string };

/** What the form holds. Nothing chosen is the empty text. */
export type DealershipValues = {
  name: string;
  address: string;
  defaultEmailTemplateId: string;
  active: boolean;
  contacts: readonly ContactRow[];
  sharedWith: readonly Share<DealershipLevel>[];
};

const rowOf = (contact: Contact, index: number): ContactRow => ({ ...contact, key: `saved-${index}` });

const contactOf = ({ name, email, templateName, includeInTo, includeInCc, active }: ContactRow): Contact => ({
  name,
  email,
  templateName,
  includeInTo,
  includeInCc,
  active,
});

/** What a dealership looks like in the form; a new one is empty and active. */
export const valuesOf = (dealership: Dealership | undefined): DealershipValues => ({
  name: dealership?.name ?? '',
  address: dealership?.address ?? '',
  defaultEmailTemplateId: dealership?.defaultEmailTemplateId ?? '',
  active: dealership?.active ?? true,
  contacts: (dealership?.contacts ?? []).map(rowOf),
  sharedWith: givenShares(dealership?.sharedWith ?? []),
});

/**
 * What is sent for it. `version` is that of the record which the form was filled from. Who may not share says
 * nothing of it.
 */
export const inputOf = (
  { sharedWith, ...values }: DealershipValues,
  version: number | undefined,
  mayShare: boolean,
): DealershipInput => ({
  ...values,
  contacts: values.contacts.map(contactOf),
  ...(mayShare && { sharedWith: [...sharedWith] }),
  ...(version === undefined ? {} : { version }),
});

/** The rules of spec section 5; a contact's field is named `contacts.0.email`. */
export function dealershipErrors(values: DealershipValues): Record<string, string> {
  const errors: Record<string, string> = {};
  const want = (field: string, fulfilled: boolean, message: string): void => {
    if (!fulfilled) errors[field] = message;
  };
  want('name', values.name.trim() !== '', texts.nameRequired);
  want('address', values.address.trim() !== '', texts.addressRequired);
  want('defaultEmailTemplateId', values.defaultEmailTemplateId !== '', texts.templateRequired);
  values.contacts.forEach(({ name, email, templateName }, index) => {
    want(`contacts.${index}.name`, name.trim() !== '', texts.contactNameRequired);
    want(`contacts.${index}.email`, EMAIL.test(email.trim()), texts.contactEmailInvalid);
    want(`contacts.${index}.templateName`, templateName !== '', texts.contactTemplateRequired);
  });
  return errors;
}

/** How a contact reads in one line: `Kim Lee <kim@example.com> To, Invoice`. */
const contactLine = ({ name, email, templateName, includeInTo, includeInCc, active }: Contact): string =>
  [
    `${name} <${email}>`,
    ...(includeInTo ? [texts.contactTo] : []),
    ...(includeInCc ? [texts.contactCc] : []),
    ...(active ? [] : [texts.inactive]),
    templateName,
  ].join(', ');

/** The form's fields as a conflict speaks of them, with the names of templates and people by their ids. */
export const comparedFields = (
  templateName: (id: string) => string,
  personName: (id: string) => string,
): readonly ComparedField<DealershipValues>[] => [
  { field: 'name', label: texts.name, words: ({ name }) => name },
  { field: 'address', label: texts.address, words: ({ address }) => address },
  {
    field: 'defaultEmailTemplateId',
    label: texts.defaultTemplateLabel,
    words: ({ defaultEmailTemplateId }) => templateName(defaultEmailTemplateId),
    exact: ({ defaultEmailTemplateId }) => defaultEmailTemplateId,
  },
  { field: 'active', label: texts.status, words: ({ active }) => (active ? texts.active : texts.inactive) },
  {
    field: 'contacts',
    label: texts.contacts,
    words: ({ contacts }) => contacts.map(contactLine).join('; ') || texts.noTemplate,
  },
  {
    field: 'sharedWith',
    label: texts.sharing,
    words: ({ sharedWith }) =>
      sharedWith
        .map(({ userId, permissions }) =>
          sharing.entry(personName(userId), sharing.dealershipLevels[permissions]),
        )
        .join(', ') || sharing.notShared,
    exact: ({ sharedWith }) =>
      sharedWith
        .map(({ userId, permissions }) => userId + permissions)
        .sort()
        .join(),
  },
];
