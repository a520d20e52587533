import type { Contact } from '@forecourt/contract/dealerships';
import { expect, test } from 'vitest';
import { contactsFor, narrowed } from './recipients.ts';

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

test('active contacts in To or Cc receive what they name, whatever its case', () => {
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

test('the default template does not go to contacts who want another one', () => {
  expect(names(contactsFor([contact('Other', { templateName: 'Weekly' })], 'Daily', true))).toEqual([[], []]);
});

test('a template that nobody there names goes to all', () => {
  const contacts = [
    contact('Sam'),
    contact('Other', { templateName: 'Weekly' }),
    contact('Gone', { active: false }),
  ];
  expect(names(contactsFor(contacts, 'Christmas', false))).toEqual([['Sam', 'Other'], []]);
});

test('an address comes once', () => {
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

test('without to and cc the contacts stay', () => {
  expect(narrowed(contacts, sender, {})).toEqual({ ...contacts, isTest: false });
});

test('to and cc narrow', () => {
  expect(names(narrowed(contacts, sender, { to: ['ALEX@dealer.example'] }))).toEqual([['Alex'], ['Pat']]);
  expect(names(narrowed(contacts, sender, { cc: [] }))).toEqual([['Sam', 'Alex'], []]);
  expect(names(narrowed(contacts, sender, { to: ['pat@dealer.example'] }))).toEqual([['Pat'], []]);
  expect(names(narrowed(contacts, sender, { to: ['sam@dealer.example'], cc: ['kim@example.com'] }))).toEqual([
    ['Sam'],
    ['Kim'],
  ]);
});

test("the sender's own address alone is a test", () => {
  expect(narrowed(contacts, sender, { to: ['Kim@example.com'] })).toEqual({
    to: [sender],
    cc: [],
    isTest: true,
  });
  expect(narrowed(contacts, sender, { to: ['kim@example.com'], cc: ['sam@dealer.example'] })).toMatchObject({
    isTest: false,
  });
});

test.each([
  [{ to: ['thief@example.com'] }, 'to.0'],
  [{ to: ['sam@dealer.example', 'gone@dealer.example'] }, 'to.1'],
  [{ cc: ['thief@example.com'] }, 'cc.0'],
])('%j names somebody else', (given, field) => {
  expect(() => narrowed(contacts, sender, given)).toThrow(
    expect.objectContaining({
      details: expect.objectContaining({
        errors: { [field]: expect.stringContaining('not an active contact') },
      }),
    }),
  );
});
