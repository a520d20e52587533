import type { RequestPart, ResponseBody } from '@forecourt/contract/api';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { call } from '../../../platform/api.ts';
import { freshQuery, useCall } from '../../../platform/read-query.ts';

export const changesKey = ['changes'] as const;

export type ChangesFilter = Omit<RequestPart<'GET /changes', 'query'>, 'cursor' | 'limit'>;

/** Change sets, newest first, with older pages on request. */
export const changesQuery = (filter: ChangesFilter) =>
  infiniteQueryOptions({
    queryKey: [...changesKey, filter],
    queryFn: ({ pageParam, signal }) =>
      call('GET /changes', {
        query: { ...filter, ...(pageParam !== '' && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }: ResponseBody<'GET /changes'>) => nextCursor,
    staleTime: 0,
  });

/** A page of the rows of a change set. */
export const changeSetQuery = (id: string, page: number, isAlone: boolean) => ({
  ...freshQuery([...changesKey, 'set', id, page, isAlone], 'GET /changes/:id', {
    params: { id },
    query: { page: String(page), ...(isAlone && { alone: 'true' }) },
  }),
  placeholderData: keepPreviousData,
});

/** What a revert would do, for all rows or only these. Live events do not refresh what a person is reading. */
export const revertPreviewQuery = (id: string, rows: string[] | undefined) => ({
  ...freshQuery(['revert-preview', id, rows], 'POST /changes/:id/revert/preview', {
    params: { id },
    body: rows ? { rows } : {},
  }),
  gcTime: 0,
  refetchOnWindowFocus: false,
});

export const useRevert = () => useCall(changesKey, 'POST /changes/:id/revert');
