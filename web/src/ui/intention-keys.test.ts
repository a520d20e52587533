import { expect, test } from 'vitest';
import { createIntentionKeys } from './intention-keys.ts';

test('equal content has the same key, other content another one', () => {
  const keyFor = createIntentionKeys();
  const first = keyFor({ name: 'North' });
  expect(keyFor({ name: 'North' })).toBe(first);
  expect(keyFor({ name: 'South' })).not.toBe(first);
  expect(keyFor({ name: 'North' })).not.toBe(first);
});

test('two forms never share a key', () => {
  expect(createIntentionKeys()({})).not.toBe(createIntentionKeys()({}));
});
