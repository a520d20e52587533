import type { RequestPart } from '@forecourt/contract/api';
import { call } from '../../platform/api.ts';
import { readQuery, useAttempt } from '../../platform/read-query.ts';

export const dealViewsKey = ['deal-views'] as const;

/** The user's own views and shared ones. */
export const dealViewsQuery = readQuery(dealViewsKey, 'GET /deal-views');

export type ViewInput = RequestPart<'PUT /deal-views/:id', 'body'>;

export const useSaveView = () =>
  useAttempt(dealViewsKey, ({ id, input }: { id: string | undefined; input: ViewInput }) =>
    id === undefined
      ? call('POST /deal-views', { body: input })
      : call('PUT /deal-views/:id', { params: { id }, body: input }),
  );

export const useDeleteView = () =>
  useAttempt(dealViewsKey, (id: string) => call('DELETE /deal-views/:id', { params: { id } }));
