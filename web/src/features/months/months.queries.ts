import { readQuery, useCall } from '../../platform/read-query.ts';

/** Key prefix of the checks of all months, without the list of months. */
export const checklistKey = ['months', 'checks'] as const;

/** The entities on which checks depend. */
export const checkedOn = ['deal', 'month', 'status', 'dealership', 'user'] as const;

export const monthsQuery = readQuery(['months', 'list'], 'GET /months');

export const checklistQuery = (month: string) =>
  readQuery([...checklistKey, month], 'GET /months/:month', { params: { month } });

export const useWaive = () => useCall(checklistKey, 'POST /months/:month/waive');

export const useTakeBack = () => useCall(checklistKey, 'DELETE /months/:month/waivers/:check');
