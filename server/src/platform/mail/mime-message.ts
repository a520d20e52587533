import { MAX_EMAIL_LENGTH } from '@forecourt/contract/email-address';
import { MAX_RECIPIENTS } from '@forecourt/contract/email-sending';
import { SmtpFailure } from './smtp-failure.ts';

/** A complete message, sent exactly as stored. */
export type MimeMessage = {
  /** `<…@…>`; equal in all attempts. */
  messageId: string;
  date: Date;
  from: { name: string; address: string };
  to: string[];
  cc: string[];
  /** The addresses of `to` and `cc` that receive this attempt; default: all. */
  recipients?: string[];
  subject: string;
  /** Absent for a plain-text message. */
  html?: string;
  text: string;
  /** Inline parts that the HTML references by content id. */
  images?: { contentId: string; type: string; content: Buffer }[];
  attachments?: { name: string; type: string; content: Buffer }[];
};

/** A bare address without display name, group, quoted part and control characters. */
const ADDRESS = /^[^\p{C}\s"(),:;<>@[\\\]]+@[^\p{C}\s"(),:;<>@[\\\]]+$/u;

/**
 * Rejects values that could inject a header or change the envelope (docs/product/security.md, No header injection):
 * control characters such as line breaks, and texts that are not bare addresses. User input was validated before; this
 * is the last check. Throws SmtpFailure.
 */
export function validateMessage({ messageId, from, to, cc, subject, attachments = [] }: MimeMessage): void {
  const addresses = [from.address, ...to, ...cc];
  const isWrong =
    [messageId, from.name, subject, ...attachments.flatMap(({ name, type }) => [name, type])].some((text) =>
      /[\p{Cc}\u2028\u2029]/u.test(text),
    ) ||
    !/^<[^\s<>]+@[^\s<>]+>$/.test(messageId) ||
    addresses.some((address) => !ADDRESS.test(address) || address.length > MAX_EMAIL_LENGTH) ||
    to.length === 0 ||
    to.length + cc.length > MAX_RECIPIENTS;
  if (isWrong) throw new SmtpFailure('message', true, 'The headers of this message are not well-formed.');
}

const inlinePart = (
  { contentId, type, content }: NonNullable<MimeMessage['images']>[number],
  index: number,
) => ({
  cid: contentId,
  contentType: type,
  content,
  filename: `image-${index + 1}.${type.slice('image/'.length)}`,
  contentDisposition: 'inline' as const,
});

const attachedPart = ({ name, type, content }: NonNullable<MimeMessage['attachments']>[number]) => ({
  contentType: type,
  content,
  filename: name,
  contentDisposition: 'attachment' as const,
});

/** Returns the message for nodemailer with an explicit envelope, so that it derives none from the headers. */
export const toNodemailer = (message: MimeMessage) => {
  validateMessage(message);
  return {
    messageId: message.messageId,
    date: message.date,
    from: message.from,
    to: message.to.map((address) => ({ name: '', address })),
    cc: message.cc.map((address) => ({ name: '', address })),
    subject: message.subject,
    text: message.text,
    ...(message.html !== undefined && { html: message.html }),
    attachments: [
      ...(message.images ?? []).map(inlinePart),
      ...(message.attachments ?? []).map(attachedPart),
    ],
    envelope: { from: message.from.address, to: message.recipients ?? [...message.to, ...message.cc] },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
};
