import { z } from 'zod';
import { Attachment, attachmentIds } from './email-attachments.ts';
import { EmailTemplateInput, Preview } from './email-templates.ts';
import {
  BusinessTime,
  EmailAddress,
  Id,
  IdParams,
  Instant,
  pagedList,
  plainText,
  queryNumber,
  searchText,
  wholeList,
  type RouteTable,
} from './route.ts';

/** The fate of one message (product.md section 6). */
export const EmailStatus = z.enum(['queued', 'sending', 'sent', 'retrying', 'failed', 'cancelled']);
export type EmailStatus = z.infer<typeof EmailStatus>;

/** A deal that a message is about. */
const MailedDeal = z.strictObject({ _id: Id, customerName: z.string().optional() });

/** One sent or waiting message. The message itself is in `GET /email/logs/:id`. */
export const EmailLogEntry = z.strictObject({
  _id: Id,
  templateId: Id.nullable(),
  templateName: z.string(),
  templateVersion: z.int(),
  /** Those that the reader sees: none for a test, several for a digest. */
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
  /** What became of the last attempt, in words; empty before the first. */
  answer: z.string(),
  attempts: z.int(),
  createdAt: Instant,
  sentAt: Instant.nullable(),
  nextAttemptAt: Instant.nullable(),
  /** Until then it waits and can be called back. */
  cancellableUntil: Instant.nullable(),
  messageId: z.string(),
  /** The merge that made it. */
  batchId: Id.nullable(),
  /** How many files go with it. */
  attachmentCount: z.int(),
});
export type EmailLogEntry = z.infer<typeof EmailLogEntry>;

/** The message word for word. */
export const EmailLogMessage = EmailLogEntry.extend({
  html: z.string(),
  text: z.string(),
  /** The files that go with it, in their order. */
  attachments: z.array(Attachment),
});
export type EmailLogMessage = z.infer<typeof EmailLogMessage>;

const addresses = z.array(EmailAddress).max(50, 'At most 50 recipients');

/** Values for declared variables. Names that start with an underscore are dropped (spec.md section 7). */
const variableValues = z.record(plainText(41), plainText(2000));

/** What the message is about. `dealId` alone is enough: the deal names its dealership. */
const about = { dealId: Id.optional(), dealershipId: Id.optional() };

/** When messages go out and with which files, and whether second ones with the same template about the same deals are meant. */
const sending = {
  /** In the future, at most a year ahead. Until then it can be called back. Left out: now. */
  sendAt: BusinessTime.optional(),
  again: z.boolean().optional(),
  /** Files that the caller has added (POST /email/attachments); each message has all of them. */
  attachments: attachmentIds.optional(),
};

/** The most messages that one merge may make; MAIL_PER_HOUR limits it further. */
export const MERGE_LIMIT = 500;

/** What a merge makes one message for: each deal, or each dealership, whose message then is a digest of its deals. */
export const MergePer = z.enum(['deal', 'dealership']);
export type MergePer = z.infer<typeof MergePer>;

/** The deals of a merge. Without a template each dealership's default is taken. */
const mergeBody = {
  ids: z.array(Id).min(1, 'Choose at least one row').max(MERGE_LIMIT, `At most ${MERGE_LIMIT} rows at once`),
  per: MergePer.default('deal'),
  templateId: Id.optional(),
};

/** How the messages of a merge stand. */
export const EmailBatch = z.strictObject({
  _id: Id,
  total: z.int(),
  /** So many of each; a status that none has is left out. */
  counts: z.partialRecord(EmailStatus, z.int()),
});
export type EmailBatch = z.infer<typeof EmailBatch>;

/** One message of a merge before it goes out. */
export const MergeMessage = z.strictObject({
  /** In the order in which they were asked for; one alone where each deal has its own message. */
  deals: z.array(MailedDeal.extend({ earlier: Preview.shape.earlier })),
  dealershipName: z.string(),
  templateName: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  /** Sentences that say why it cannot be sent; empty when it can. */
  problems: z.array(z.string()),
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
    summary: 'The message as it would go out, from a saved template or from one that is being written',
    body: z.strictObject({
      ...about,
      templateId: Id.optional(),
      template: EmailTemplateInput.optional(),
      variables: variableValues.optional(),
      /** In place of what the deal says: the longest values that its fields can have, or no values. */
      sample: z.enum(['longest', 'empty']).optional(),
    }),
    response: Preview,
  },
  'POST /email-templates/:templateId/send': {
    summary: "Sends to the dealership's active contacts, or to oneself as a test",
    params: z.strictObject({ templateId: Id }),
    body: z.strictObject({
      ...about,
      /** Narrows the dealership's contacts; the sender's own address alone makes it a test. */
      to: addresses.optional(),
      cc: addresses.optional(),
      variables: variableValues.optional(),
      ...sending,
    }),
    status: 202,
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
      ...sending,
    }),
    status: 202,
    response: EmailLogEntry,
  },
  'POST /deals/bulk/email/review': {
    summary: 'What a merge would send, message by message, and what is in the way',
    body: z.strictObject(mergeBody),
    response: wholeList(MergeMessage),
  },
  'POST /deals/bulk/email': {
    summary:
      'Sends one message about each of these deals, or a digest to each dealership: all of them or none',
    body: z.strictObject({ ...mergeBody, ...sending }),
    status: 202,
    response: EmailBatch,
  },
  'GET /email/batches/:id': {
    summary: 'How the messages of a merge stand: the own ones, for administrators all',
    params: IdParams,
    response: EmailBatch,
  },
  'POST /email/batches/:id/cancel': {
    summary: 'Calls back what of a merge still waits',
    params: IdParams,
    response: EmailBatch,
  },
  'POST /email/batches/:id/retry': {
    summary: 'Tries again what of a merge has failed',
    params: IdParams,
    response: EmailBatch,
  },
  'GET /email/logs': {
    summary: 'Sent and waiting messages, newest first: the own ones, for administrators all',
    query: z.strictObject({
      page: queryNumber(z.int().min(1)).default(1),
      limit: queryNumber(z.int().min(1).max(200)).default(50),
      /** Who sent it; for administrators. */
      userId: Id.optional(),
      templateId: Id.optional(),
      dealershipId: Id.optional(),
      dealId: Id.optional(),
      batchId: Id.optional(),
      status: EmailStatus.optional(),
      /** Written down at or after this, and before that. */
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
    summary: 'Calls back a message that still waits',
    params: IdParams,
    response: EmailLogEntry,
  },
  'POST /email/logs/:id/retry': {
    summary: 'Tries a message again that has failed: the same message, word for word',
    params: IdParams,
    response: EmailLogEntry,
  },
} as const satisfies RouteTable;
