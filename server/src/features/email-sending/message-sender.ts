import { firstCharacters } from '@forecourt/contract/characters';
import { SYSTEM } from '../../platform/audit.ts';
import type { Db } from '../../platform/db/database.ts';
import { MissingContentError } from '../../platform/files/file-store.ts';
import { folderError } from '../../platform/http/errors.ts';
import type { MimeMessage } from '../../platform/mail/mime-message.ts';
import type { MailAccount } from '../../platform/mail/smtp-account.ts';
import { SmtpFailure } from '../../platform/mail/smtp-failure.ts';
import type { Transports } from '../../platform/mail/transports.ts';
import type { EmailSettingsService, SenderAccount } from '../email-settings/email-settings.service.ts';
import type { EmailTemplatesService } from '../email-templates/email-templates.service.ts';
import type { Ended } from './delivery-outcomes.ts';
import * as queries from './delivery.queries.ts';
import type { EmailAttachments } from './email-attachments.service.ts';
import { inlineParts } from './message-images.ts';
import { nextDelay } from './retry-plan.ts';

const UNREADABLE = 'The files or images of this email cannot be read at the moment.';

export type MessageSenderParts = {
  db: Db;
  settings: EmailSettingsService;
  images: EmailTemplatesService['images'];
  attachments: EmailAttachments;
  transports: Transports;
};

/** Sends one leased message to its mail server and returns the outcome of the attempt, which the caller writes. */
export function createMessageSender(
  { db, settings, images, attachments, transports }: MessageSenderParts,
  retrySeconds: readonly number[],
) {
  /** Sends a leased message. Never throws for errors of a mail server or of its files. */
  async function send(
    email: queries.Claimed,
    sender: SenderAccount | undefined,
    signal: AbortSignal,
  ): Promise<Ended> {
    const failed = (answer: string): Ended => ({
      email,
      outcome: { status: 'failed', answer },
      pauseSeconds: 0,
      isUnknown: false,
    });
    if (!sender) return failed('The mail server of the sender is not configured.');
    if (!sender.isActive) return failed('The sender is no longer active.');
    const current = currentRecipients(email);
    const recipients = allOf(current).filter((address) => !email.delivered_to.includes(address));
    if (allOf(current).length === 0)
      return failed('No recipient is an active contact of the dealership any more.');
    if (allOf(current).length < allOf(email).length) await queries.narrowRecipients(db, email, current);
    if (recipients.length === 0) {
      const answer = 'Delivered to everybody who is still a contact of the dealership.';
      return { email, outcome: { status: 'sent', answer }, pauseSeconds: 0, isUnknown: false };
    }
    try {
      const message = {
        ...mimeMessageOf({ ...email, ...current }),
        recipients,
        ...(await inlineParts(db, images, email.html)),
      };
      const answer = await attachments.whileSending(db, email, (files) =>
        withAccess(sender, (account) =>
          transports.send(email.sender_id, account, { ...message, attachments: files }, signal),
        ),
      );
      return { email, outcome: { status: 'sent', answer }, pauseSeconds: 0, isUnknown: false };
    } catch (error) {
      // No other attempt could succeed either.
      if (error instanceof MissingContentError)
        return failed(
          'A file or image of this email is missing on the server. Ask an administrator to restore it from a backup, then try again.',
        );
      const failure = folderError(error) ? new SmtpFailure('message', false, UNREADABLE) : error;
      if (!(failure instanceof SmtpFailure)) throw error;
      if (failure.step === 'signIn' && failure.isPermanent) {
        await pauseSender(email.sender_id, sender.savedAt, failure);
      }
      const outcome = afterFailure(email, failure, allOf(current));
      const isUnreachable = failure.step !== 'message' && outcome.status === 'retrying';
      const pauseSeconds = isUnreachable ? Math.max(retrySeconds[0]!, failure.retryAfterSeconds) : 0;
      return { email, outcome, pauseSeconds, isUnknown: failure.isUnknown };
    }
  }

  function afterFailure(
    email: queries.Claimed,
    failure: SmtpFailure,
    recipients: readonly string[],
  ): queries.Outcome {
    const deliveredTo = [...email.delivered_to, ...failure.delivered];
    const missing = recipients.filter((address) => !deliveredTo.includes(address));
    const answer =
      deliveredTo.length === 0
        ? failure.message
        : firstCharacters(`Delivered, but not to ${missing.join(', ')}: ${failure.message}`, 1000);
    // A rejected sign-in is unrelated to the message: it waits for corrected settings.
    if (failure.isPermanent && failure.step !== 'signIn') return { status: 'failed', answer, deliveredTo };
    const triedSeconds = (Date.parse(email.updated_at) - Date.parse(email.first_attempt_at!)) / 1000;
    const delaySeconds = nextDelay(email.attempts, triedSeconds, retrySeconds);
    return delaySeconds === null
      ? { status: 'failed', answer, deliveredTo }
      : {
          status: 'retrying',
          answer,
          deliveredTo,
          delaySeconds: Math.max(delaySeconds, failure.retryAfterSeconds),
        };
  }

  const pauseSender = (senderId: string, savedAt: string, failure: SmtpFailure) => {
    const because = `${failure.message} Nothing is sent until the email settings are corrected.`;
    return db.transaction().execute((tx) => settings.pause(tx, SYSTEM, senderId, savedAt, because));
  };

  return send;
}

/** Sends with the sender's account; once more if its token is refused, which a provider may end before its expiry. */
async function withAccess<T>(sender: SenderAccount, send: (account: MailAccount) => Promise<T>): Promise<T> {
  const account = await sender.open();
  try {
    return await send(account);
  } catch (error) {
    const isRefused = error instanceof SmtpFailure && error.step === 'signIn' && error.isPermanent;
    if (!isRefused || !('accessToken' in account)) throw error;
    return send(await sender.open(account.accessToken));
  }
}

type Recipients = Pick<queries.Claimed, 'to_addresses' | 'cc_addresses'>;

/** A message can wait for a year: leaves out contacts who were removed or deactivated meanwhile. */
function currentRecipients({ to_addresses, cc_addresses, allowed_addresses }: queries.Claimed): Recipients {
  const isAllowed = (address: string): boolean => allowed_addresses.includes(address.toLowerCase());
  return { to_addresses: to_addresses.filter(isAllowed), cc_addresses: cc_addresses.filter(isAllowed) };
}

const allOf = ({ to_addresses, cc_addresses }: Recipients): string[] => [...to_addresses, ...cc_addresses];

const mimeMessageOf = (email: queries.Claimed): MimeMessage => ({
  messageId: email.message_id,
  date: new Date(email.created_at),
  from: { name: email.from_name, address: email.from_address },
  to: email.to_addresses,
  cc: email.cc_addresses,
  subject: email.subject,
  html: email.html,
  text: email.body_text,
});
