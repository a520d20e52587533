import { z } from 'zod';
import { MAX_ATTACHMENTS_BYTES, MAX_ATTACHMENTS } from './attachment-limits.ts';
import { Id, IdParams, list, type RouteTable } from './route.ts';

export const Attachment = z.strictObject({
  _id: Id,
  name: z.string(),
  /** MIME type, from the file name extension. */
  type: z.string(),
  size: z.int(),
});
export type Attachment = z.infer<typeof Attachment>;

/** Ids of a message's files in order, without duplicates. */
export const attachmentIds = list(Id, MAX_ATTACHMENTS, `At most ${MAX_ATTACHMENTS} files`).refine(
  (ids) => new Set(ids).size === ids.length,
  'Must not name a file twice',
);

export const emailAttachmentRoutes = {
  'POST /email/attachments': {
    summary: 'Adds a file to attach to the caller’s emails (multipart, field file)',
    upload: 'file',
    uploadLimit: MAX_ATTACHMENTS_BYTES,
    status: 201,
    response: Attachment,
  },
  'POST /email/attachments/copy': {
    summary: 'Adds a copy of a file of a deal, to attach it to the caller’s emails',
    body: z.strictObject({ dealId: Id, attachmentId: Id }),
    status: 201,
    response: Attachment,
  },
  'DELETE /email/attachments/:id': {
    summary: 'Removes a file of the caller that no email references',
    params: IdParams,
    status: 204,
  },
  'GET /email/logs/:id/attachments/:attachmentId': {
    summary: 'A file of an email, for users who may read that email',
    params: IdParams.extend({ attachmentId: Id }),
    download: true,
  },
} as const satisfies RouteTable;
