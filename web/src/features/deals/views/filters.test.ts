import type { Deal } from '@forecourt/contract/deals';
import { expect, test } from 'vitest';
import type { DealOptions } from '../deal-fields.ts';
import { toFilterQuery, filtersFrom, isFiltered, noFilters, offeredFilters, passes } from './filters.ts';

const ofKim = { ...noFilters, status: 'Deal', owner: 'kim' };

test('a row passes if it matches all filters', () => {
  const row = (changes: Partial<Deal>) => ({ status: 'Deal', owner: 'kim', ...changes }) as Deal;
  expect(passes(row({}), ofKim)).toBe(true);
  expect(passes(row({ owner: 'ada' }), ofKim)).toBe(false);
  expect(passes(row({ status: 'Called' }), ofKim)).toBe(false);
  expect(passes(row({ owner: 'ada' }), noFilters)).toBe(true);
});

test('the request contains only filters that are set', () => {
  expect(toFilterQuery(ofKim)).toEqual({ status: 'Deal', owner: 'kim' });
  expect([isFiltered(ofKim), isFiltered(noFilters)]).toEqual([true, false]);
});

test('filters stored by an earlier release, or damaged ones, match all rows', () => {
  expect(filtersFrom({ status: 'Deal', dealershipId: 'd1' })).toEqual({
    status: 'Deal',
    dealershipId: 'd1',
    owner: '',
  });
  expect(filtersFrom({ status: 3 })).toEqual(noFilters);
});

test('an owner filter is used if the user sees the owner and the column', () => {
  const options = (columns: string[], owners: string[]) =>
    ({
      columns,
      statuses: [{ name: 'Deal' }],
      dealerships: [],
      owners: owners.map((_id) => ({ _id })),
    }) as unknown as DealOptions;
  expect(offeredFilters(ofKim, options(['status', 'owner'], ['kim']))).toEqual(ofKim);
  expect(offeredFilters(ofKim, options(['status'], ['kim'])).owner).toBe('');
  expect(offeredFilters(ofKim, options(['status', 'owner'], ['ada'])).owner).toBe('');
});
