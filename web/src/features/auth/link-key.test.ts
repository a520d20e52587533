import { expect, test } from 'vitest';
import { linkKey } from './link-key.ts';

test.each([
  ['#key=a%2Bb', '', 'a+b'],
  ['', '?key=abc', 'abc'],
  ['#key=one', '?key=two', 'one'],
  ['#other', '', ''],
])('the key of a link is read from %j and %j: %j', (hash, search, key) => {
  expect(linkKey({ hash, search })).toBe(key);
});
