import { expect, test } from 'vitest';
import { linkFrom } from './links.ts';

test.each([
  ['https://example.com/a?b=c', 'https://example.com/a?b=c'],
  [' example.com/offer ', 'https://example.com/offer'],
  ['kim@example.com', 'mailto:kim@example.com'],
  ['(0412) 345 678', 'tel:0412345678'],
  ['tel:0412345678', 'tel:0412345678'],
])('the address %o is linked to %o', (typed, link) => {
  expect(linkFrom(typed)).toBe(link);
});

test.each([
  'javascript:alert(1)',
  ' JaVaScript:alert(1)',
  'data:text/html,x',
  'ftp://example.com',
  'example',
  '',
])('the address %o cannot be linked', (typed) => {
  expect(linkFrom(typed)).toBeNull();
});
