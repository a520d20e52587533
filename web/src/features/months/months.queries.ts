import type { MonthCheck } from '@forecourt/contract/month-checks';
import { ApiError } from '../../platform/api-error.ts';
import { call } from '../../platform/api.ts';
import { readQuery, useAttempt, useCall } from '../../platform/read-query.ts';

/** Key prefix of months, their checks and their statements: a close changes all of them. */
const monthsKey = ['months'] as const;

/** Key prefix of all months with their checks, without the list of months. */
export const checklistKey = [...monthsKey, 'checks'] as const;

export const statementsKey = [...monthsKey, 'statements'] as const;

/** The entities on which checks and balances depend. */
export const checkedOn = ['deal', 'month', 'status', 'dealership', 'user'] as const;

export const monthsQuery = readQuery([...monthsKey, 'list'], 'GET /months');

export const checklistQuery = (month: string) =>
  readQuery([...checklistKey, month], 'GET /months/:month', { params: { month } });

export const useWaive = () => useCall(checklistKey, 'POST /months/:month/waive');

export const useTakeBack = () => useCall(checklistKey, 'DELETE /months/:month/waivers/:check');

/** Closes a month. After a refusal the checks are loaded again: somebody may have added rows. */
export const useClose = () =>
  useAttempt(monthsKey, (month: string) => call('POST /months/:month/close', { params: { month } }));

export const useReopen = () => useCall(monthsKey, 'POST /months/:month/reopen');

/** Returns the open checks of a refused close; undefined for other failures. */
export function openChecksOf(thrown: unknown): { check: MonthCheck; rows: number }[] | undefined {
  if (!(thrown instanceof ApiError) || thrown.code !== 'CONFLICT' || !Array.isArray(thrown.current))
    return undefined;
  return thrown.current as { check: MonthCheck; rows: number }[];
}
