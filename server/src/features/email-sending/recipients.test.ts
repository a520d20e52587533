import type { Contact } from '@forecourt/contract/dealerships';
import { expect, test } from 'vitest';
import { contactsFor, narrowRecipients } from './recipients.ts';

const contact = (name: string, changes: Partial<Contact> = {}): Contact => ({
  name,
  email: `${name.toLowerCase()}@dealer.example`,
  templateName: 'Daily',
  includeInTo: true,
  includeInCc: false,
  active: true,
  ...changes,
});
const names = ({ to, cc }: ReturnType<typeof contactsFor>) => [
  to.map(({ name }) => name),
  cc.map(({ name }) => name),
];

test('active contacts in To or Cc receive the template they name, ignoring case', () => {
  const contacts = [
    contact('Sam', { templateName: 'DAILY' }),
    contact('Pat', { includeInTo: false, includeInCc: true }),
    contact('Both', { includeInCc: true }),
    contact('Gone', { active: false }),
    contact('Neither', { includeInTo: false }),
    contact('Other', { templateName: 'Weekly' }),
  ];
  expect(names(contactsFor(contacts, 'Daily', true))).toEqual([['Sam', 'Both'], ['Pat']]);
  expect(names(contactsFor(contacts, 'weekly', false))).toEqual([['Other'], []]);
});

test('the default template is not sent to contacts who want another one', () => {
  expect(names(contactsFor([contact('Other', { templateName: 'Weekly' })], 'Daily', true))).toEqual([[], []]);
});

test('a template that no contact names is sent to all', () => {
  const contacts = [
    contact('Sam'),
    contact('Other', { templateName: 'Weekly' }),
    contact('Gone', { active: false }),
  ];
  expect(names(contactsFor(contacts, 'Christmas', false))).toEqual([['Sam', 'Other'], []]);
});

test('each address receives a message once', () => {
  const contacts = [
    contact('Sam'),
    contact('Sammy', { email: 'SAM@dealer.example' }),
    contact('S', { email: 'sam@dealer.example', includeInTo: false, includeInCc: true }),
  ];
  expect(names(contactsFor(contacts, 'Daily', true))).toEqual([['Sam'], []]);
});

const sender = { name: 'Kim', email: 'kim@example.com' };
const contacts = contactsFor(
  [contact('Sam'), contact('Pat', { includeInTo: false, includeInCc: true }), contact('Alex')],
  'Daily',
  true,
);

test('a request without to and cc sends to all contacts', () => {
  expect(narrowRecipients(contacts, sender, {})).toEqual({ ...contacts, isTest: false });
});

test('to and cc of a request narrow the contacts', () => {
  expect(names(narrowRecipients(contacts, sender, { to: ['ALEX@dealer.example'] }))).toEqual([
    ['Alex'],
    ['Pat'],
  ]);
  expect(names(narrowRecipients(contacts, sender, { cc: [] }))).toEqual([['Sam', 'Alex'], []]);
  expect(names(narrowRecipients(contacts, sender, { to: ['pat@dealer.example'] }))).toEqual([['Pat'], []]);
  expect(
    names(narrowRecipients(contacts, sender, { to: ['sam@dealer.example'], cc: ['kim@example.com'] })),
  ).toEqual([['Sam'], ['Kim']]);
});

test("the sender's own address alone is a test", () => {
  expect(narrowRecipients(contacts, sender, { to: ['Kim@example.com'] })).toEqual({
    to: [sender],
    cc: [],
    isTest: true,
  });
  expect(
    narrowRecipients(contacts, sender, { to: ['kim@example.com'], cc: ['sam@dealer.example'] }),
  ).toMatchObject({
    isTest: false,
  });
});

test('an address on the Do not contact list is refused with the reason, unless a contact has it', () => {
  const listed = new Map([
    ['ann@buyer.example', { reason: 'Asked on the phone' }],
    ['sam@dealer.example', { reason: 'Asked on the phone' }],
  ]);
  expect(() => narrowRecipients(contacts, sender, { to: ['Ann@buyer.example'] }, listed)).toThrow(
    expect.objectContaining({
      details: expect.objectContaining({
        errors: {
          'to.0': 'Ann@buyer.example is on the Do not contact list (Asked on the phone). Nothing was sent.',
        },
      }),
    }),
  );
  expect(names(narrowRecipients(contacts, sender, { to: ['sam@dealer.example'], cc: [] }, listed))).toEqual([
    ['Sam'],
    [],
  ]);
});

test.each([
  [{ to: ['thief@example.com'] }, 'to.0'],
  [{ to: ['sam@dealer.example', 'gone@dealer.example'] }, 'to.1'],
  [{ cc: ['thief@example.com'] }, 'cc.0'],
])('the choice of recipients rejects %j', (given, field) => {
  expect(() => narrowRecipients(contacts, sender, given)).toThrow(
    expect.objectContaining({
      details: expect.objectContaining({
        errors: { [field]: expect.stringContaining('not an active contact') },
      }),
    }),
  );
});
