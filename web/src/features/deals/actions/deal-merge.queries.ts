import type { RequestPart } from '@forecourt/contract/api';
import { keepPreviousData } from '@tanstack/react-query';
import { call } from '../../../platform/api.ts';
import { freshQuery } from '../../../platform/read-query.ts';

export type MergeBody = RequestPart<'POST /deals/merge', 'body'>;

/** What a merge would change. Live events do not refresh what a person is reading. */
export const mergePreviewQuery = (body: MergeBody) => ({
  ...freshQuery(['merge-preview', body], 'POST /deals/merge/preview', { body }),
  gcTime: 0,
  refetchOnWindowFocus: false,
  placeholderData: keepPreviousData,
});

export const mergeDeals = (body: MergeBody, idempotencyKey: string) =>
  call('POST /deals/merge', { body, idempotencyKey });

/** Takes back a merge, or takes that back. */
export const revertMerge = (id: string) => call('POST /changes/:id/revert', { params: { id }, body: {} });
