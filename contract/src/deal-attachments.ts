import { z } from 'zod';
import { MAX_DEAL_ATTACHMENT_BYTES, MAX_DEAL_ATTACHMENTS } from './attachment-limits.ts';
import { Id, IdParams, Instant, wholeList, type RouteTable } from './route.ts';

export const DealAttachment = z.strictObject({
  _id: Id,
  name: z.string(),
  /** MIME type, detected from the content. */
  type: z.string(),
  size: z.int(),
  createdBy: Id,
  createdByName: z.string(),
  createdAt: Instant,
});
export type DealAttachment = z.infer<typeof DealAttachment>;

/** Used space of files in deals, in bytes. Reported from 90 % of a limit on. */
export const UsedSpace = z.strictObject({
  /** The user who attached the files; null for all users. */
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
      /** Space of the caller's files, otherwise of all files; null if both are below 90 %. */
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
