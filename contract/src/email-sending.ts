import { z } from 'zod';
import { MAX_MERGED_ROWS } from './deal-limits.ts';
import { Attachment, attachmentIds } from './email-attachments.ts';
import { EmailTemplateInput, MAX_VARIABLES, Preview } from './email-templates.ts';
import {
  BusinessTime,
  EmailAddress,
  Id,
  IdParams,
  Instant,
  list,
  pagedList,
  plainText,
  queryNumber,
  record,
  searchText,
  typedLines,
  wholeList,
  type RouteTable,
} from './route.ts';
import { MAX_NOTE_LENGTH } from './template-limits.ts';

/**
 * Delivery state of one message (docs/product/email.md, Email History). `unconfirmed`: the mail server never responded
 * to an attempt, so it may have delivered the message, which was then cancelled or given up.
 */
export const EmailStatus = z.enum([
  'queued',
  'sending',
  'sent',
  'retrying',
  'failed',
  'cancelled',
  'unconfirmed',
]);
export type EmailStatus = z.infer<typeof EmailStatus>;

const MailedDeal = z.strictObject({ _id: Id, customerName: z.string().optional() });

/** One sent or queued message, without its body: see `GET /email/logs/:id`. */
export const EmailLogEntry = z.strictObject({
  _id: Id,
  templateId: Id.nullable(),
  templateName: z.string(),
  templateVersion: z.int(),
  /** The deals that the caller may see. A test message has none, a digest several. */
  deals: z.array(MailedDeal),
  dealershipId: Id,
  dealershipName: z.string(),
  senderId: Id,
  senderName: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  status: EmailStatus,
  /** Result of the last attempt as text; empty before the first. */
  answer: z.string(),
  /** Why the message is held until an administrator releases it; null if it is not held. */
  holdReason: z.enum(['restore', 'overdue']).nullable(),
  attempts: z.int(),
  createdAt: Instant,
  sentAt: Instant.nullable(),
  nextAttemptAt: Instant.nullable(),
  /** No delivery attempt before this time. Until then, a `queued` or `retrying` message can be cancelled. */
  cancellableUntil: Instant.nullable(),
  messageId: z.string(),
  batchId: Id.nullable(),
  attachmentCount: z.int(),
});
export type EmailLogEntry = z.infer<typeof EmailLogEntry>;

export const EmailLogMessage = EmailLogEntry.extend({
  html: z.string(),
  text: z.string(),
  attachments: z.array(Attachment),
});
export type EmailLogMessage = z.infer<typeof EmailLogMessage>;

/** True for a message delivered within the request: a test, or a message without a cancellation period. */
const isDone = ({ status }: EmailLogEntry): boolean => status === 'sent';

/** Maximum recipients of one message (docs/product/limits.md, Email limits). */
export const MAX_RECIPIENTS = 50;
const addresses = list(EmailAddress, MAX_RECIPIENTS, `At most ${MAX_RECIPIENTS} recipients`);

/** Maximum length of the value that a sender enters for a variable, in characters. */
export const MAX_VARIABLE_VALUE_LENGTH = 2000;

const isRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values of declared variables. Names with a leading underscore are ignored (docs/product/email.md, Variables). */
const variableValues = z
  .transform((values: Record<string, unknown>) =>
    isRecord(values)
      ? Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith('_')))
      : values,
  )
  .pipe(record(plainText(40), plainText(MAX_VARIABLE_VALUE_LENGTH), MAX_VARIABLES));

/** Plain text that a sender adds to one message. Placeholders in it are not replaced. */
export const MessageNote = z.strictObject({
  text: typedLines(MAX_NOTE_LENGTH).refine((text) => text !== '', 'Enter a text'),
  /** Whether the note is rendered above or below the body of the template. */
  place: z.enum(['above', 'below']).default('above'),
});
export type MessageNote = z.infer<typeof MessageNote>;

/** The records that a message is about. `dealId` implies the dealership of the deal. */
const about = { dealId: Id.optional(), dealershipId: Id.optional() };

const sending = {
  /** In the future, at most a year ahead; cancellable until then. Default: now. */
  sendAt: BusinessTime.optional(),
  again: z.boolean().optional(),
  /** Ids of files that the caller uploaded (POST /email/attachments), attached to each message. */
  attachments: attachmentIds.optional(),
};

/** A mail merge creates one message per deal, or one digest per dealership. */
export const MergePer = z.enum(['deal', 'dealership']);
export type MergePer = z.infer<typeof MergePer>;

/** The deals of a mail merge. Without a template, that of each dealership is used. */
const mergeBody = {
  ids: list(Id, MAX_MERGED_ROWS, `At most ${MAX_MERGED_ROWS} rows at once`).min(1, 'Choose at least one row'),
  per: MergePer.default('deal'),
  templateId: Id.optional(),
};

export const EmailBatch = z.strictObject({
  _id: Id,
  total: z.int(),
  counts: z.partialRecord(EmailStatus, z.int()),
});
export type EmailBatch = z.infer<typeof EmailBatch>;

/** One message of a mail merge before it is queued. */
export const MergeMessage = z.strictObject({
  /** In the order of the request. Exactly one deal if the merge is per deal. */
  deals: z.array(MailedDeal.extend({ earlier: Preview.shape.earlier })),
  dealershipName: z.string(),
  templateName: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  problems: Preview.shape.problems,
  emptyVariables: Preview.shape.emptyVariables,
  /** The files of the deals, which are attached if `rowFiles` is set. */
  files: z.array(Attachment.pick({ name: true, size: true })),
  /** Why the files cannot be attached; null if they can. */
  filesProblem: z.string().nullable(),
});
export type MergeMessage = z.infer<typeof MergeMessage>;

/** A template that may be sent about one deal. */
const UsableTemplate = z.strictObject({ _id: Id, name: z.string(), isDefault: z.boolean() });

export const emailSendingRoutes = {
  'GET /deals/:id/templates': {
    summary: "The active templates that the caller may send about a deal, the dealership's default first",
    params: IdParams,
    response: wholeList(UsableTemplate),
  },
  'POST /email-templates/preview': {
    summary: 'The message as it would be sent, from a saved or unsaved template',
    body: z.strictObject({
      ...about,
      templateId: Id.optional(),
      template: EmailTemplateInput.optional(),
      variables: variableValues.optional(),
      note: MessageNote.optional(),
      /** Previews the template with the longest possible values of the deal, or without any. */
      sample: z.enum(['longest', 'empty']).optional(),
    }),
    response: Preview,
  },
  'POST /email-templates/:templateId/send': {
    summary: "Sends to the dealership's active contacts, or to the caller as a test",
    params: z.strictObject({ templateId: Id }),
    body: z.strictObject({
      ...about,
      /** Restricts the recipients to these contacts. The sender's own address alone makes the message a test. */
      to: addresses.optional(),
      cc: addresses.optional(),
      variables: variableValues.optional(),
      note: MessageNote.optional(),
      ...sending,
    }),
    status: 202,
    isDone,
    response: EmailLogEntry,
  },
  'POST /deals/:id/email': {
    summary: "Sends about a deal, with its dealership's default template unless another is named",
    params: IdParams,
    body: z.strictObject({
      templateId: Id.optional(),
      to: addresses.optional(),
      cc: addresses.optional(),
      variables: variableValues.optional(),
      note: MessageNote.optional(),
      ...sending,
    }),
    status: 202,
    isDone,
    response: EmailLogEntry,
  },
  'POST /deals/bulk/email/review': {
    summary: 'The messages that a merge would send, with the problems that prevent it',
    body: z.strictObject(mergeBody),
    response: wholeList(MergeMessage),
  },
  'POST /deals/bulk/email': {
    summary:
      'Sends one message about each of these deals, or a digest to each dealership: all of them or none',
    body: z.strictObject({
      ...mergeBody,
      ...sending,
      /** The deals about which a message may be repeated; `true` permits all. */
      again: z.union([z.boolean(), list(Id, MAX_MERGED_ROWS)]).optional(),
      /** Attaches the files of its deals to each message. */
      rowFiles: z.boolean().optional(),
    }),
    status: 202,
    response: EmailBatch,
  },
  'GET /email/batches/:id': {
    summary: 'The progress of a merge: of the caller’s, or of any for administrators',
    params: IdParams,
    response: EmailBatch,
  },
  'POST /email/batches/:id/cancel': {
    summary: 'Cancels the waiting messages of a merge, also between two attempts',
    params: IdParams,
    response: EmailBatch,
  },
  'POST /email/batches/:id/retry': {
    summary: 'Retries the failed messages of a merge, and those between two attempts, now',
    params: IdParams,
    response: EmailBatch,
  },
  'GET /email/logs': {
    summary: 'Sent and waiting messages, newest first: the caller’s, or all for administrators',
    query: z.strictObject({
      page: queryNumber(z.int().min(1)).default(1),
      limit: queryNumber(z.int().min(1).max(200)).default(50),
      /** The sender; administrators only. */
      userId: Id.optional(),
      templateId: Id.optional(),
      dealershipId: Id.optional(),
      dealId: Id.optional(),
      batchId: Id.optional(),
      status: EmailStatus.optional(),
      /** Creation time: `from` inclusive, `to` exclusive. */
      from: Instant.optional(),
      to: Instant.optional(),
      search: searchText.optional(),
    }),
    response: pagedList(EmailLogEntry),
  },
  'GET /email/logs/:id': {
    summary: 'One message as it was sent',
    params: IdParams,
    response: EmailLogMessage,
  },
  'POST /email/logs/:id/cancel': {
    summary:
      'Cancels a waiting message, also between two attempts, or a failed one; one that may have been delivered becomes `unconfirmed`',
    params: IdParams,
    response: EmailLogEntry,
  },
  'POST /email/logs/:id/retry': {
    summary: 'Retries a waiting, failed or unconfirmed message now, unchanged',
    params: IdParams,
    response: EmailLogEntry,
  },
} as const satisfies RouteTable;
