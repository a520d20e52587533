import { z } from 'zod';
import { EmailTemplateInput, Preview } from './email-templates.ts';
import {
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

/** One sent or waiting message. The message itself is in `GET /email/logs/:id`. */
export const EmailLogEntry = z.strictObject({
  _id: Id,
  templateId: Id.nullable(),
  templateName: z.string(),
  templateVersion: z.int(),
  dealId: Id.nullable(),
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
});
export type EmailLogEntry = z.infer<typeof EmailLogEntry>;

/** The message word for word. */
export const EmailLogMessage = EmailLogEntry.extend({ html: z.string(), text: z.string() });
export type EmailLogMessage = z.infer<typeof EmailLogMessage>;

const addresses = z.array(EmailAddress).max(50, 'At most 50 recipients');

/** Values for declared variables. Names that start with an underscore are dropped (spec.md section 7). */
const variableValues = z.record(plainText(41), plainText(2000));

/** What the message is about. `dealId` alone is enough: the deal names its dealership. */
const about = { dealId: Id.optional(), dealershipId: Id.optional() };

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
    }),
    status: 202,
    response: EmailLogEntry,
  },
  'GET /email/logs': {
    summary: 'Sent and waiting messages, newest first: the own ones, for administrators all',
    query: z.strictObject({
      page: queryNumber(z.int().min(1)).default(1),
      limit: queryNumber(z.int().min(1).max(200)).default(50),
      userId: Id.optional(),
      dealId: Id.optional(),
      status: EmailStatus.optional(),
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
} as const satisfies RouteTable;
