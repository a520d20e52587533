import { readContact } from '@forecourt/contract/contact-value';
import { expect, test } from 'vitest';

test.each([
  ['(0412) 345 678', { kind: 'phone', value: '(0412) 345 678' }],
  ['+61 412 345 678', { kind: 'phone', value: '(0412) 345 678' }],
  ['Mob: 0412-345-678', { kind: 'phone', value: '(0412) 345 678' }],
  ['412345678', { kind: 'phone', value: '(0412) 345 678' }],
  [' Ann@Buyer.Example ', { kind: 'email', value: 'ann@buyer.example' }],
  ['0412 345 67', null],
  ['ann@buyer', null],
  ['Ann Example', null],
  ['', null],
])('%j is compared as %j', (text, contact) => {
  expect(readContact(text)).toEqual(contact);
});
