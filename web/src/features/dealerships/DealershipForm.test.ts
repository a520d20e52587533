import { DealershipInput, type Dealership } from '@forecourt/contract/dealerships';
import { errorsByField, validate } from '@forecourt/contract/validate';
import { expect, test } from 'vitest';
import { foreignChanges } from '../../ui/foreign-changes.ts';
import { comparedFields, inputOf, valuesOf } from './DealershipForm.tsx';

const DEAL = '019ab000-0000-7000-8000-000000000001';
const INVOICE = '019ab000-0000-7000-8000-000000000002';

const contact = {
  name: 'Kim Lee',
  email: 'kim@north.example',
  templateName: 'Deal',
  includeInTo: true,
  includeInCc: false,
  active: true,
};
const dealership: Dealership = {
  _id: 'd',
  name: 'North',
  address: '1 Main St',
  defaultEmailTemplateId: DEAL,
  active: true,
  contacts: [contact],
  owner: 'o',
  ownerName: 'Ola Owner',
  sharedWith: [
    {
      userId: 'k',
      permissions: 'write',
      sharedAt: '2026-11-20T00:00:00.000Z',
      user: { _id: 'k', name: 'Kim' },
    },
  ],
  version: 3,
  createdAt: '2026-11-20T00:00:00.000Z',
  updatedAt: '2026-11-20T00:00:00.000Z',
  abilities: { edit: true, toggle: true, delete: true, share: true, transfer: true },
};
const templateName = (id: string) => ({ [DEAL]: 'Deal', [INVOICE]: 'Invoice' })[id] ?? '';

test('what a form was filled from goes back unchanged', () => {
  const { name, address, defaultEmailTemplateId, active, contacts } = dealership;
  expect(inputOf(valuesOf(dealership), 3, true)).toEqual({
    name,
    address,
    defaultEmailTemplateId,
    active,
    contacts,
    sharedWith: [{ userId: 'k', permissions: 'write' }],
    version: 3,
  });
});

test('who may not share sends nothing about it', () => {
  expect(inputOf(valuesOf(dealership), 3, false)).not.toHaveProperty('sharedWith');
});

test('a new dealership is active, has nobody and sends no version', () => {
  expect(inputOf(valuesOf(undefined), undefined, false)).toEqual({
    name: '',
    address: '',
    defaultEmailTemplateId: '',
    active: true,
    contacts: [],
  });
});

const errorsOf = (values: ReturnType<typeof valuesOf>) =>
  errorsByField(validate(DealershipInput, inputOf(values, undefined, false)).issues ?? []);

test('every required field is named, those of contacts with their place', () => {
  const empty = { ...contact, key: 'k', name: ' ', email: 'kim@north', templateName: '' };
  const values = { ...valuesOf(undefined), contacts: [{ ...contact, key: 'j' }, empty] };
  expect(errorsOf(values)).toEqual({
    name: 'Dealership name is required',
    address: 'Address is required',
    defaultEmailTemplateId: 'Default email template is required',
    'contacts.1.name': 'Contact name is required',
    'contacts.1.email': 'Must be an email address',
    'contacts.1.templateName': 'Template name is required',
  });
});

test.each(['kim@north.example', ' kim.lee+deals@mail.north.example ', "o'neil@north.example"])(
  '%o is accepted as an email address',
  (email) => {
    const values = { ...valuesOf(dealership), contacts: [{ ...contact, key: 'k', email }] };
    expect(errorsOf(values)).toEqual({});
  },
);

test('a conflict of dealerships shows their fields as text', () => {
  const current = valuesOf({
    ...dealership,
    defaultEmailTemplateId: INVOICE,
    contacts: [{ ...contact, active: false }],
  });
  const changes = foreignChanges(
    comparedFields(templateName, (id) => id),
    valuesOf(dealership),
    current,
    valuesOf(dealership),
  );
  expect(changes.map(({ label, theirs }) => [label, theirs])).toEqual([
    ['Default email template', 'Invoice'],
    ['Contacts', 'Kim Lee <kim@north.example>, To, Inactive, Deal'],
  ]);
});

test('a contact that was removed and typed again in the same way is no change', () => {
  const typed = { ...valuesOf(dealership), contacts: [{ ...contact, key: 'new' }] };
  const current = valuesOf({ ...dealership, contacts: [] });
  expect(
    foreignChanges(
      comparedFields(templateName, (id) => id),
      valuesOf(dealership),
      current,
      typed,
    ),
  ).toEqual([{ field: 'contacts', label: 'Contacts', theirs: 'None', isDisputed: false }]);
});
