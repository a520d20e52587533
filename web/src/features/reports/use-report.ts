import { reportDimensions } from '@forecourt/contract/report-dimensions';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { paths } from '../../platform/paths.ts';
import type { Report } from './reports.queries.ts';

/** A report begins with the last twelve months. */
const MONTHS = 12;

const isMonth = (text: string | undefined): text is string => /^\d{4}-\d\d$/.test(text ?? '');

/** The month so many months before. */
function monthBefore(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 - by, 1)).toISOString().slice(0, 7);
}

/** What the address asks for; filled in where it says nothing, put right where the months are crosswise. */
export function reportOf(search: Readonly<Record<string, string | undefined>>, currentMonth: string) {
  const by = reportDimensions.find((dimension) => dimension === search['by']) ?? 'month';
  const to = isMonth(search['to']) ? search['to'] : currentMonth;
  const asked = isMonth(search['from']) ? search['from'] : monthBefore(to, MONTHS - 1);
  const filter = (name: 'dealershipId' | 'owner' | 'status') =>
    search[name] ? { [name]: search[name] } : {};
  return {
    by,
    from: asked > to ? to : asked,
    to,
    ...filter('dealershipId'),
    ...filter('owner'),
    ...filter('status'),
  } satisfies Report;
}

/** The report in view, kept in the address: a link or a reload brings it back. */
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
