import type { Deal } from '@forecourt/contract/deals';
import type { DealOptions } from './deal-options.ts';

/** Which rows of a month: a status by its name, a dealership and an owner by their ids; the empty text for all of them. */
export type DealFilters = {
  readonly status: string;
  readonly dealershipId: string;
  readonly owner: string;
};

export const noFilters: DealFilters = { status: '', dealershipId: '', owner: '' };

const filterNames = Object.keys(noFilters) as (keyof DealFilters)[];

export const isFiltered = (filters: DealFilters): boolean => filterNames.some((name) => filters[name] !== '');

/** Those that are set, as the calls have them. */
export const askedBy = (filters: DealFilters): Partial<DealFilters> =>
  Object.fromEntries(filterNames.flatMap((name) => (filters[name] === '' ? [] : [[name, filters[name]]])));

export const passes = (deal: Deal, filters: DealFilters): boolean =>
  filterNames.every((name) => filters[name] === '' || deal[name] === filters[name]);

/** As they were kept: in part by an earlier release, or damaged. */
export const filtersFrom = (kept: Readonly<Record<string, unknown>>): DealFilters => {
  const text = (name: keyof DealFilters): string => (typeof kept[name] === 'string' ? kept[name] : '');
  return { status: text('status'), dealershipId: text('dealershipId'), owner: text('owner') };
};

/** Filters without those that name what does not exist for this person, or does not any more. */
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
