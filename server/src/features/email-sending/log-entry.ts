import type { EmailLogEntry, EmailStatus } from '@forecourt/contract/email-sending';
import type { EmailRow } from './email-sending.queries.ts';

/** Returns the audited fields of a message: recipients, subject records and files, without its contents. */
export const auditedFields = (row: EmailRow, files: readonly { name: string }[]) => ({
  templateName: row.template_name,
  dealIds: row.deal_ids,
  dealershipId: row.dealership_id,
  from: row.from_address,
  to: row.to_addresses,
  cc: row.cc_addresses,
  subject: row.subject,
  ...(files.length > 0 && { attachments: files.map(({ name }) => name) }),
  status: row.status,
});

/** The deals that a reader may see, with customers where visible. */
export type SeenDeals = ReadonlyMap<string, { customerName?: string }>;

export const present = (row: EmailRow, seen: SeenDeals): EmailLogEntry => ({
  _id: row.id,
  templateId: row.template_id,
  templateName: row.template_name,
  templateVersion: row.template_version,
  deals: row.deal_ids.flatMap((id) => (seen.has(id) ? [{ _id: id, ...seen.get(id) }] : [])),
  dealershipId: row.dealership_id,
  dealershipName: row.dealership_name,
  senderId: row.sender_id,
  senderName: row.sender_name,
  from: row.from_address,
  to: row.to_addresses,
  cc: row.cc_addresses,
  subject: row.subject,
  status: row.status as EmailStatus,
  answer: row.answer,
  parkedBecause: row.hold_reason as EmailLogEntry['parkedBecause'],
  attempts: row.attempts,
  createdAt: row.created_at,
  sentAt: row.sent_at,
  nextAttemptAt: row.next_attempt_at,
  cancellableUntil: row.status === 'queued' && row.is_cancellable ? row.cancellable_until : null,
  messageId: row.message_id,
  batchId: row.batch_id,
  attachmentCount: row.attachment_count,
});
