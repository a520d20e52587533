import { expect, test } from 'vitest';
import { setupKey } from './setup-key.ts';

test.each([
  ['#key=a%2Bb', '', 'a+b'],
  ['', '?key=abc', 'abc'],
  ['#key=one', '?key=two', 'one'],
  ['#other', '', ''],
])('of %j and %j the key is %j', (hash, search, key) => {
  expect(setupKey({ hash, search })).toBe(key);
});
