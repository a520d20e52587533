import type { RequestPart } from '@forecourt/contract/api';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { POLL_MS } from '../../platform/exports.ts';
import { useCall } from '../../platform/read-query.ts';

const exportsKey = ['exports'] as const;

/** The exports of the last days, newest first; polled while one is running. */
export const exportsQuery = queryOptions({
  queryKey: exportsKey,
  queryFn: ({ signal }) => call('GET /exports', { signal, background: true }),
  refetchInterval: ({ state }) =>
    state.data?.items.some(({ state: is }) => is === 'running') ? POLL_MS : false,
  staleTime: 0,
});

export type NewExport = RequestPart<'POST /exports', 'body'>;

export const useBeginExport = () => useCall(exportsKey, 'POST /exports');

export const useDeleteExport = () => useCall(exportsKey, 'DELETE /exports/:id');
