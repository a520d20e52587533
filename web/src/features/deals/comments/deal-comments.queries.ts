import type { RequestPart } from '@forecourt/contract/api';
import { call } from '../../../platform/api.ts';
import { readQuery, useChange } from '../../../platform/read-query.ts';

export const commentsKey = ['deal-comments'] as const;

/** The comments on a row, oldest first. */
export const commentsQuery = (id: string) => ({
  ...readQuery([...commentsKey, id], 'GET /deals/:id/comments', { params: { id } }),
  staleTime: 0,
});

type NewComment = RequestPart<'POST /deals/:id/comments', 'body'>;
export const useAddComment = (id: string) =>
  useChange(commentsKey, ({ idempotencyKey, ...body }: NewComment & { idempotencyKey: string }) =>
    call('POST /deals/:id/comments', { params: { id }, body, idempotencyKey }),
  );

type Changed = RequestPart<'PATCH /deals/:id/comments/:commentId', 'body'>;
export const useChangeComment = (id: string) =>
  useChange(commentsKey, ({ commentId, ...body }: Changed & { commentId: string }) =>
    call('PATCH /deals/:id/comments/:commentId', { params: { id, commentId }, body }),
  );

export const useDeleteComment = (id: string) =>
  useChange(commentsKey, (commentId: string) =>
    call('DELETE /deals/:id/comments/:commentId', { params: { id, commentId } }),
  );

/** Marks the comments up to this one as read. The notification about it updates all pages of the user. */
export const readComments = (id: string, commentId: string) =>
  call('PUT /deals/:id/comments/read', { params: { id }, body: { commentId }, background: true });
