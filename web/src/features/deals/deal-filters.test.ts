import type { Deal } from '@forecourt/contract/deals';
import { expect, test } from 'vitest';
import { askedBy, filtersFrom, isFiltered, noFilters, offeredFilters, passes } from './deal-filters.ts';
import type { DealOptions } from './deal-options.ts';

const ofKim = { ...noFilters, status: 'Deal', owner: 'kim' };

test('a row passes with all that is asked for', () => {
  const row = (changes: Partial<Deal>) => ({ status: 'Deal', owner: 'kim', ...changes }) as Deal;
  expect(passes(row({}), ofKim)).toBe(true);
  expect(passes(row({ owner: 'ada' }), ofKim)).toBe(false);
  expect(passes(row({ status: 'Called' }), ofKim)).toBe(false);
  expect(passes(row({ owner: 'ada' }), noFilters)).toBe(true);
});

test('the server is asked for what is set alone', () => {
  expect(askedBy(ofKim)).toEqual({ status: 'Deal', owner: 'kim' });
  expect([isFiltered(ofKim), isFiltered(noFilters)]).toEqual([true, false]);
});

test('what an earlier release has kept, or nobody can read, filters by nothing', () => {
  expect(filtersFrom({ status: 'Deal', dealershipId: 'd1' })).toEqual({
    status: 'Deal',
    dealershipId: 'd1',
    owner: '',
  });
  expect(filtersFrom({ status: 3 })).toEqual(noFilters);
});

test('an owner counts where they and the column exist for this person', () => {
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
