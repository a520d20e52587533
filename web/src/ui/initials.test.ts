import { expect, test } from 'vitest';
import { initialsOf } from './initials.ts';

test.each([
  ['Priya Raman', 'PR'],
  ['Maria de la Cruz', 'MC'],
  ['kim', 'K'],
  ['  Åsa   Öberg ', 'ÅÖ'],
  ["Liam O'Brien", 'LO'],
  ['', 'U'],
  ['42', 'U'],
  [undefined, 'U'],
])('the initials of %j are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
