import type { RequestPart } from '@forecourt/contract/api';
import type { ReportDimension } from '@forecourt/contract/report-dimensions';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { readQuery } from '../../platform/read-query.ts';

export const reportsKey = ['reports'] as const;

/** The entities on which reports depend: rows, and statuses because they decide what counts for commission. */
export const reportedOn = ['deal', 'status'] as const;

/** A report with all its parameters. */
export type Report = Omit<RequestPart<'GET /reports', 'query'>, 'by'> & {
  by: ReportDimension;
  from: string;
  to: string;
};

/** The previous data stay visible while the report loads with other months or filters. */
export const reportQuery = (query: Report) =>
  queryOptions({
    queryKey: [...reportsKey, query],
    queryFn: ({ signal }) => call('GET /reports', { query, signal }),
    placeholderData: (before, previous) =>
      reportIn(previous?.queryKey)?.by === query.by ? before : undefined,
  });

const reportIn = (key: readonly unknown[] | undefined) => key?.[1] as Report | undefined;

export const allStatementsQuery = (month: string) =>
  readQuery([...reportsKey, 'statements', month], 'GET /reports/commission-statements', { query: { month } });

export const statementQuery = (query: { owner: string; month: string }) =>
  readQuery([...reportsKey, 'statement', query], 'GET /reports/commission-statement', { query });
