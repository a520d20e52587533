import type { EmailLogEntry, EmailStatus } from '@forecourt/contract/email-sending';
import type { EmailRow } from './email-sending.queries.ts';

/** What the audit keeps of a message: whom and what it was about and which files it has, not its words. */
export const recorded = (row: EmailRow, files: readonly { name: string }[]) => ({
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

/** The deals that a reader sees, with the customers where these exist for them. */
export type SeenDeals = ReadonlyMap<string, { customerName?: string }>;

/** A message as the history tells of it. */
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
  attempts: row.attempts,
  createdAt: row.created_at,
  sentAt: row.sent_at,
  nextAttemptAt: row.next_attempt_at,
  cancellableUntil: row.status === 'queued' && row.is_cancellable ? row.cancellable_until : null,
  messageId: row.message_id,
  batchId: row.batch_id,
  attachmentCount: row.attachment_count,
});
