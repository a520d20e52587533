import { useQuery } from '@tanstack/react-query';
import { useFirstScreenReady } from './first-screen.ts';
import { useLiveQuery } from './live-events.ts';
import { usePermissions } from './permissions.ts';
import { readQuery } from './read-query.ts';
import { zoneForClock } from './time-zone.ts';

export const dealOptionsKey = ['deals', 'options'] as const;

/** Statuses, dealerships, items, people and custom fields of deals, and the company's month and time zone. */
export const dealOptionsQuery = {
  ...readQuery(dealOptionsKey, 'GET /deals/options'),
  staleTime: 5 * 60_000,
};

/** Records that are options; a month that is closed or opened again. */
const choices = ['status', 'dealership', 'item', 'custom-field', 'month'] as const;

/** The same options, reloaded when one of them changes: the query alone may be five minutes old. */
export function useDealOptions(enabled = true) {
  return useLiveQuery({ ...dealOptionsQuery, enabled }, choices);
}

/**
 * Returns the time zone of the business, as the grid expects it (docs/product/api.md, Ids, times and money). Until
 * the first screen is ready, the browser's is assumed, which is nearly always right.
 */
export function useTimeZone(): string {
  const { data: options } = useQuery({ ...dealOptionsQuery, enabled: usePermissions().page('dataEntry') });
  const isFirstScreenReady = useFirstScreenReady();
  return options && isFirstScreenReady ? zoneForClock(options.timeZone) : '';
}
