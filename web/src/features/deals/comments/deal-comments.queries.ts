import { call } from '../../../platform/api.ts';
import { freshQuery, useCall } from '../../../platform/read-query.ts';

export const commentsKey = ['deal-comments'] as const;

export const commentsQuery = (id: string) =>
  freshQuery([...commentsKey, id], 'GET /deals/:id/comments', { params: { id } });

export const useAddComment = () => useCall(commentsKey, 'POST /deals/:id/comments');

export const useChangeComment = () => useCall(commentsKey, 'PATCH /deals/:id/comments/:commentId');

export const useDeleteComment = () => useCall(commentsKey, 'DELETE /deals/:id/comments/:commentId');

/** Marks comments up to this one as read. A notification event updates all pages of the user. */
export const readComments = (id: string, commentId: string) =>
  call('PUT /deals/:id/comments/read', { params: { id }, body: { commentId }, background: true });
