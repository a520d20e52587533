import { describe, expect, test } from 'vitest';
import { accessOf } from './use-dealership-access.ts';

const facts = { isLoaded: true, isLate: false, canViewAll: false, seen: undefined };

describe('the access to Dealership Settings', () => {
  test.each([
    ['waiting', { isLoaded: false }],
    ['late', { isLoaded: false, isLate: true }],
    ['canView', { canViewAll: true }],
    ['canView', { canViewAll: true, seen: 0 }],
    ['canView', { seen: 1 }],
    ['redirected', { seen: 0 }],
  ])('is %s with %j', (access, changes) => {
    expect(accessOf({ ...facts, ...changes })).toBe(access);
  });

  test('is not lost while the list is not loaded, or could not be', () => {
    expect(accessOf(facts)).toBe('canView');
  });
});
