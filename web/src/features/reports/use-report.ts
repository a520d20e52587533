import { reportDimensions } from '@forecourt/contract/report-dimensions';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { monthAfter } from '../../platform/months.ts';
import { paths } from '../../platform/paths.ts';
import { isDay } from '../../ui/day-text.ts';
import type { Report } from './reports.queries.ts';

/** Default period in months. */
const MONTHS = 12;

export const isMonth = (text: string | undefined): text is string => isDay(text ?? '', 'month');

/** Returns the report in a URL, with defaults for missing parameters. Reversed months are swapped. */
export function reportOf(search: Readonly<Record<string, string | undefined>>, currentMonth: string) {
  const by = reportDimensions.find((dimension) => dimension === search['by']) ?? 'month';
  const to = isMonth(search['to']) ? search['to'] : currentMonth;
  const from = isMonth(search['from']) ? search['from'] : monthAfter(to, 1 - MONTHS);
  const filter = (name: 'dealershipId' | 'owner' | 'status' | 'filter') =>
    search[name] ? { [name]: search[name] } : {};
  return {
    by,
    from: from > to ? to : from,
    to,
    ...filter('dealershipId'),
    ...filter('owner'),
    ...filter('status'),
    ...filter('filter'),
  } satisfies Report;
}

/** The current report, stored in the URL so that a link or a reload restores it. */
export function useReport(currentMonth: string) {
  const search: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  const report: Report = reportOf(search, currentMonth);
  const show = (change: Partial<Record<keyof Report, string | undefined>>): void => {
    const next = Object.entries({ ...report, ...change }).filter((pair): pair is [string, string] =>
      Boolean(pair[1]),
    );
    void navigate({ to: paths.reports, search: Object.fromEntries(next), replace: true });
  };
  return { report, show };
}
