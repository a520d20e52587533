import { z } from 'zod';
import { MAX_COMMENT_LENGTH, MAX_LISTED_COMMENTS, MAX_MENTIONS } from './deal-limits.ts';
import {
  Ability,
  Id,
  IdParams,
  Instant,
  Version,
  list,
  typedLines,
  wholeList,
  type RouteTable,
} from './route.ts';

const Person = z.strictObject({ _id: Id, name: z.string() });

/** One comment on a deal. The text contains mentions as `@Name`. */
export const DealComment = z.strictObject({
  _id: Id,
  body: z.string(),
  author: Id,
  authorName: z.string(),
  /** The mentioned users, by name. */
  mentions: z.array(Person),
  createdAt: Instant,
  /** Null if never edited. */
  editedAt: Instant.nullable(),
  version: Version,
  abilities: z.strictObject({ edit: Ability, delete: Ability }),
});
export type DealComment = z.infer<typeof DealComment>;

const WrittenComment = DealComment.extend({
  /** Mentioned users who cannot see the row and get no notification. */
  withoutAccess: z.array(Person),
});
export type WrittenComment = z.infer<typeof WrittenComment>;

const fields = {
  body: typedLines(MAX_COMMENT_LENGTH)
    .transform((text) => text.trim())
    .refine((text) => text !== '', 'Write a comment first'),
  /** Ids of active users. */
  mentions: list(Id, MAX_MENTIONS, `A comment mentions at most ${MAX_MENTIONS} people`)
    .transform((ids) => [...new Set(ids)])
    .default([]),
};

const CommentParams = IdParams.extend({ commentId: Id });
const computed = ['_id', 'author', 'authorName', 'createdAt', 'editedAt', 'abilities', 'withoutAccess'];

export const dealCommentRoutes = {
  'GET /deals/:id/comments': {
    summary: `The comments on a row, oldest first; at most the newest ${MAX_LISTED_COMMENTS}`,
    params: IdParams,
    response: wholeList(DealComment),
  },
  'POST /deals/:id/comments': {
    summary: 'Comments on a row and notifies the mentioned users, the owner and former commenters who see it',
    params: IdParams,
    body: z.strictObject(fields),
    computed,
    status: 201,
    response: WrittenComment,
  },
  'PATCH /deals/:id/comments/:commentId': {
    summary: 'Changes the text of the caller’s own comment; newly mentioned users are notified',
    params: CommentParams,
    body: z.strictObject({ ...fields, version: Version }),
    computed,
    response: WrittenComment,
  },
  'DELETE /deals/:id/comments/:commentId': {
    summary: 'Deletes a comment: its author and administrators may do so',
    params: CommentParams,
    status: 204,
  },
  'PUT /deals/:id/comments/read': {
    summary: 'Marks the comments of a row as read, up to this one, and the notifications about them',
    params: IdParams,
    body: z.strictObject({ commentId: Id }),
    writesNothing: true,
    status: 204,
  },
} as const satisfies RouteTable;
