import { expect, test } from 'vitest';
import { linkKey } from './link-key.ts';

test.each([
  ['#key=a%2Bb', '', 'a+b'],
  ['', '?key=abc', 'abc'],
  ['#key=one', '?key=two', 'one'],
  ['#other', '', ''],
])('of %j and %j the key is %j', (hash, search, key) => {
  expect(linkKey({ hash, search })).toBe(key);
});
