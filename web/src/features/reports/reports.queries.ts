import type { Sent } from '@forecourt/contract/api';
import type { ReportDimension } from '@forecourt/contract/report-dimensions';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';

export const reportsKey = ['reports'] as const;

/** A report with nothing left open. */
export type Report = Omit<Sent<'GET /reports', 'query'>, 'by'> & {
  by: ReportDimension;
  from: string;
  to: string;
};

/** A report stays in sight while the same one with other months or filters loads. */
export const reportQuery = (query: Report) =>
  queryOptions({
    queryKey: [...reportsKey, query],
    queryFn: ({ signal }) => call('GET /reports', { query, signal }),
    placeholderData: (before, asked) => (reportIn(asked?.queryKey)?.by === query.by ? before : undefined),
  });

const reportIn = (key: readonly unknown[] | undefined) => key?.[1] as Report | undefined;

export const statementQuery = (query: { owner: string; month: string }) =>
  queryOptions({
    queryKey: [...reportsKey, 'statement', query],
    queryFn: ({ signal }) => call('GET /reports/commission-statement', { query, signal }),
  });
