import { SmtpFailure } from './smtp-failure.ts';

/** A message, ready to go: what was written down is what is sent. */
export type Letter = {
  /** `<…@…>`, the same for every attempt. */
  messageId: string;
  date: Date;
  from: { name: string; address: string };
  to: string[];
  cc: string[];
  subject: string;
  /** Left out where plain text is enough. */
  html?: string;
  text: string;
  /** Parts that the HTML shows by their content id. */
  images?: { contentId: string; type: string; content: Buffer }[];
  /** Files beside the text, in their order. */
  attachments?: { name: string; type: string; content: Buffer }[];
};

/** The most people that one message goes to (security.md D6). */
const MAX_RECIPIENTS = 50;

/** An address alone: no display name, no group, no quoted part, no control characters. */
const ADDRESS = /^[^\p{C}\s"(),:;<>@[\\\]]+@[^\p{C}\s"(),:;<>@[\\\]]+$/u;

/**
 * Refuses what could break out of a header or the envelope (security.md D5, D6): line breaks, NUL and other
 * control characters, addresses that are more than an address. What people type is checked before it comes
 * here; this is the last gate. Throws SmtpFailure.
 */
export function checkLetter({ messageId, from, to, cc, subject, attachments = [] }: Letter): void {
  const addresses = [from.address, ...to, ...cc];
  const isWrong =
    [messageId, from.name, subject, ...attachments.flatMap(({ name, type }) => [name, type])].some((text) =>
      /[\p{Cc}\u2028\u2029]/u.test(text),
    ) ||
    !/^<[^\s<>]+@[^\s<>]+>$/.test(messageId) ||
    addresses.some((address) => !ADDRESS.test(address) || address.length > 254) ||
    to.length === 0 ||
    to.length + cc.length > MAX_RECIPIENTS;
  if (isWrong) throw new SmtpFailure('message', true, 'The headers of this message are not well-formed.');
}

const inlinePart = ({ contentId, type, content }: NonNullable<Letter['images']>[number], index: number) => ({
  cid: contentId,
  contentType: type,
  content,
  filename: `image-${index + 1}.${type.slice('image/'.length)}`,
  contentDisposition: 'inline' as const,
});

const attachedPart = ({ name, type, content }: NonNullable<Letter['attachments']>[number]) => ({
  contentType: type,
  content,
  filename: name,
  contentDisposition: 'attachment' as const,
});

/** The letter for nodemailer, with an envelope of our own: it takes none from the headers. */
export const composed = (letter: Letter) => {
  checkLetter(letter);
  return {
    messageId: letter.messageId,
    date: letter.date,
    from: letter.from,
    to: letter.to.map((address) => ({ name: '', address })),
    cc: letter.cc.map((address) => ({ name: '', address })),
    subject: letter.subject,
    text: letter.text,
    ...(letter.html !== undefined && { html: letter.html }),
    attachments: [...(letter.images ?? []).map(inlinePart), ...(letter.attachments ?? []).map(attachedPart)],
    envelope: { from: letter.from.address, to: [...letter.to, ...letter.cc] },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
};
