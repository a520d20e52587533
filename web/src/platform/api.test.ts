import { expect, test } from 'vitest';
import { addressOf } from './api.ts';

test('an address carries its parameters and query, encoded', () => {
  expect(addressOf('/dealerships/:id', { id: 'a/b ?' })).toBe('/api/dealerships/a%2Fb%20%3F');
  expect(addressOf('/deals', {}, { search: 'a&b', status: undefined })).toBe('/api/deals?search=a%26b');
  expect(addressOf('/deals', {}, { status: undefined })).toBe('/api/deals');
});
