import { z } from 'zod';
import { MAX_DEAL_ATTACHMENT_BYTES, MAX_DEAL_ATTACHMENTS } from './attachment-limits.ts';
import { Id, IdParams, Instant, wholeList, type RouteTable } from './route.ts';

export const DealAttachment = z.strictObject({
  _id: Id,
  name: z.string(),
  /** MIME type, from the content. */
  type: z.string(),
  /** In bytes. */
  size: z.int(),
  createdBy: Id,
  createdByName: z.string(),
  createdAt: Instant,
});
export type DealAttachment = z.infer<typeof DealAttachment>;

/** The space of files in rows that is used, from 90 % of its limit on, in bytes. */
export const UsedSpace = z.strictObject({
  /** The person who attached them; null: everybody. */
  name: z.string().nullable(),
  used: z.int(),
  limit: z.int(),
});
export type UsedSpace = z.infer<typeof UsedSpace>;

const AttachmentParams = IdParams.extend({ attachmentId: Id });

export const dealAttachmentRoutes = {
  'GET /deals/:id/attachments': {
    summary: 'The files attached to a row, oldest first',
    params: IdParams,
    response: wholeList(DealAttachment).extend({
      /** The space of the caller's files, else of all files; null below 90 %. */
      space: UsedSpace.nullable(),
    }),
  },
  'POST /deals/:id/attachments': {
    summary: `Attaches a file to a row (multipart, field file); at most ${MAX_DEAL_ATTACHMENTS}`,
    params: IdParams,
    upload: 'file',
    uploadLimit: MAX_DEAL_ATTACHMENT_BYTES,
    status: 201,
    response: DealAttachment,
  },
  'GET /deals/:id/attachments/:attachmentId': {
    summary: 'A file attached to a row, for users who see the row',
    params: AttachmentParams,
    download: true,
  },
  'DELETE /deals/:id/attachments/:attachmentId': {
    summary: 'Removes a file from a row: users who may change the row may do so',
    params: AttachmentParams,
    status: 204,
  },
} as const satisfies RouteTable;
