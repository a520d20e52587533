import type { ResponseBody, RequestPart } from '@forecourt/contract/api';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { useCall } from '../../platform/read-query.ts';

const auditKey = ['audit'] as const;

export type AuditFilter = Omit<RequestPart<'GET /audit-logs', 'query'>, 'cursor' | 'limit'>;

/** The log, newest first, with a page of older entries per request. */
export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [...auditKey, filter],
    queryFn: ({ pageParam, signal }) =>
      call('GET /audit-logs', {
        query: { ...filter, ...(pageParam !== '' && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }: ResponseBody<'GET /audit-logs'>) => nextCursor,
    staleTime: 0,
  });

export const useRedact = () => useCall(auditKey, 'POST /audit-logs/redact');

export type Verification = ResponseBody<'GET /audit-logs/verify'>;

/** Verifies the whole log in several calls. `onPart` receives the number of entries verified so far. */
export async function verifyLog(
  signal: AbortSignal,
  onPart: (entries: number) => void,
): Promise<Verification> {
  let sum: Verification | null = null;
  let after = '0';
  for (;;) {
    const part = await call('GET /audit-logs/verify', { query: { after }, signal });
    sum = sum === null ? part : together(sum, part);
    if (part.next === null) return sum;
    after = part.next;
    onPart(sum.entries);
  }
}

const together = (sum: Verification, part: Verification): Verification => ({
  ...part,
  seals: sum.seals + part.seals,
  entries: sum.entries + part.entries,
  otherKey: sum.otherKey + part.otherKey,
  problems: [...sum.problems, ...part.problems],
});
