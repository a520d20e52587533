import type { Deal } from '@forecourt/contract/deals';
import type { DealOptions } from '../deal-fields.ts';

/** Filters of rows: a status by name, a dealership and an owner by id. Empty texts match all rows. */
export type DealFilters = {
  readonly status: string;
  readonly dealershipId: string;
  readonly owner: string;
};

export const noFilters: DealFilters = { status: '', dealershipId: '', owner: '' };

const filterNames = Object.keys(noFilters) as (keyof DealFilters)[];

export const isFiltered = (filters: DealFilters): boolean => filterNames.some((name) => filters[name] !== '');

/** Returns the filters that are set, as query parameters. */
export const toFilterQuery = (filters: DealFilters): Partial<DealFilters> =>
  Object.fromEntries(filterNames.flatMap((name) => (filters[name] === '' ? [] : [[name, filters[name]]])));

export const passes = (deal: Deal, filters: DealFilters): boolean =>
  filterNames.every((name) => filters[name] === '' || deal[name] === filters[name]);

/** Parses stored filters, which may be partial from an earlier release, or damaged. */
export const filtersFrom = (stored: Readonly<Record<string, unknown>>): DealFilters => {
  const text = (name: keyof DealFilters): string => (typeof stored[name] === 'string' ? stored[name] : '');
  return { status: text('status'), dealershipId: text('dealershipId'), owner: text('owner') };
};

/** Returns the filters without values that do not exist, or no longer exist, for the user. */
export function offeredFilters(filters: DealFilters, options: DealOptions | undefined): DealFilters {
  if (options === undefined) return filters;
  const { columns, statuses, dealerships, owners } = options;
  const hasStatus = columns.includes('status') && statuses.some(({ name }) => name === filters.status);
  const hasDealership =
    columns.includes('dealershipId') && dealerships.some(({ _id }) => _id === filters.dealershipId);
  const hasOwner = columns.includes('owner') && owners.some(({ _id }) => _id === filters.owner);
  return {
    status: hasStatus ? filters.status : '',
    dealershipId: hasDealership ? filters.dealershipId : '',
    owner: hasOwner ? filters.owner : '',
  };
}
