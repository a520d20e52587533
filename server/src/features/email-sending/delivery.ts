import { firstCharacters } from '@forecourt/contract/characters';
import { SYSTEM } from '../../platform/audit.ts';
import type { Db } from '../../platform/db/database.ts';
import { defineJob } from '../../platform/define-job.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { LiveEvents } from '../../platform/live/events.ts';
import type { Log } from '../../platform/log.ts';
import type { MimeMessage } from '../../platform/mail/mime-message.ts';
import type { MailAccount } from '../../platform/mail/smtp-account.ts';
import { SmtpFailure } from '../../platform/mail/smtp-failure.ts';
import { CONNECTIONS, type Transports } from '../../platform/mail/transports.ts';
import type { EmailSettingsService, SenderAccount } from '../email-settings/email-settings.service.ts';
import type { EmailTemplatesService } from '../email-templates/email-templates.service.ts';
import { createOutcomes, settle, recordHeld, type Ended } from './delivery-outcomes.ts';
import * as queries from './delivery.queries.ts';
import type { EmailAttachments } from './email-attachments.service.ts';
import { createLeases } from './leases.ts';
import { inlineParts } from './message-images.ts';
import { GIVE_UP_HOURS, nextDelay, RETRY_SECONDS } from './retry-plan.ts';

export const MAIL_QUEUE = 'mail';

/** Number of senders served at once. A job is one sender's queue, so an unresponsive server delays only this sender. */
const CONCURRENT_SENDERS = 8;

/** Number of messages leased at a time, so that every connection of a worker has its next ones ready. */
const BATCH_SIZE = 4 * CONNECTIONS;

/** Lease and sweep together are shorter than a minute: the maximum delay of messages after a worker died. */
export const TIMES = {
  /** A worker loses its messages if it does not renew their leases for this long. */
  leaseSeconds: 30,
  renewMs: 8_000,
  /** The interval at which each instance checks for due messages that have no job. */
  sweepMs: 20_000,
  retrySeconds: RETRY_SECONDS,
  /** How long a stopping instance waits for messages in flight before it returns them to the queue. */
  stopMs: 3000,
};

export type DeliveryTimes = typeof TIMES;

export type DeliveryDeps = {
  db: Db;
  log: Log;
  events: Pick<LiveEvents, 'announce'>;
  times?: Partial<DeliveryTimes>;
};
type Parts = DeliveryDeps & {
  settings: EmailSettingsService;
  images: EmailTemplatesService['images'];
  attachments: EmailAttachments;
  transports: Transports;
};

export type Delivery = ReturnType<typeof createDelivery>;

/**
 * Delivers queued messages to their mail servers (docs/product/security.md, No message is lost or sent by two workers).
 * PostgreSQL assigns messages by leases and its own clock, and only the newest attempt may write its outcome. Jobs only
 * trigger a check: the sweep finds a message whose job is lost.
 */
export function createDelivery(parts: Parts) {
  const { db, log, events, settings, images, attachments, transports, times } = parts;
  const { leaseSeconds, renewMs, sweepMs, retrySeconds, stopMs } = { ...TIMES, ...times };
  const stopping = new AbortController();
  const abandoning = new AbortController();
  const inFlight = new Set<Promise<unknown>>();
  const leases = createLeases({ db, log, leaseSeconds, renewMs });
  const outcomes = createOutcomes({
    db,
    log,
    events,
    abandoned: abandoning.signal,
  });

  /** Sends a leased message. Errors of the mail server are returned as an outcome. */
  async function send(email: queries.Claimed, sender: SenderAccount | undefined): Promise<Ended> {
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
      const signal = AbortSignal.any([leases.lossOf(email), abandoning.signal]);
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
      if (!(error instanceof SmtpFailure)) throw error;
      if (error.step === 'signIn' && error.isPermanent) {
        await pauseSender(email.sender_id, sender.savedAt, error);
      }
      const outcome = afterFailure(email, error, allOf(current));
      const isUnreachable = error.step !== 'message' && outcome.status === 'retrying';
      const pauseSeconds = isUnreachable ? Math.max(retrySeconds[0]!, error.retryAfterSeconds) : 0;
      return { email, outcome, pauseSeconds, isUnknown: error.isUnknown };
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
    // A rejected sign-in does not depend on the message, which waits for corrected settings.
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

  /** Attempts a leased message. Returns the seconds for which the sender's other messages have to wait. */
  async function attempt(email: queries.Claimed, sender: SenderAccount | undefined): Promise<number> {
    try {
      const ended = await send(email, sender);
      await outcomes.write(ended);
      return ended.pauseSeconds;
    } finally {
      leases.release([email]);
    }
  }

  async function returnToQueue(
    senderId: string,
    emails: queries.Claimed[],
    pauseSeconds: number,
  ): Promise<void> {
    if (emails.length === 0) return;
    try {
      await db.transaction().execute(async (tx) => {
        await queries.releaseClaims(tx, emails);
        if (pauseSeconds > 0) await queries.postpone(tx, senderId, pauseSeconds);
      });
    } finally {
      leases.release(emails);
    }
  }

  async function attemptNow(id: string): Promise<void> {
    const [email] = await leases.take({ id }, 1);
    if (email) await attempt(email, await settings.senderAccount(db, email.sender_id));
    // The message is already being attempted: the caller gets the outcome of that attempt.
    else await leases.whenReleased(id);
  }

  /** Adds work to the set that a stopping instance waits for. */
  function track<T>(work: Promise<T>): Promise<T> {
    inFlight.add(work);
    void work.catch(() => {}).finally(() => inFlight.delete(work));
    return work;
  }

  /** Sends a sender's due messages over all connections of its pool. */
  async function drain(senderId: string, signal: AbortSignal): Promise<void> {
    let taken: queries.Claimed[] = [];
    let sender: SenderAccount | undefined;
    let taking: Promise<void> | undefined;
    let pauseSeconds = 0;
    const ending = new AbortController();
    const over = AbortSignal.any([signal, stopping.signal, ending.signal]);

    async function take(): Promise<void> {
      taken = await leases.take({ senderId }, BATCH_SIZE);
      if (taken.length > 0) sender = await settings.senderAccount(db, senderId);
      taking = undefined;
    }
    async function next(): Promise<queries.Claimed | undefined> {
      if (taken.length === 0) await (taking ??= take());
      return taken.shift();
    }
    async function runWorker(): Promise<void> {
      while (!over.aborted) {
        const email = await next();
        if (!email) return;
        const seconds = await attempt(email, sender);
        if (seconds === 0) continue;
        pauseSeconds = Math.max(pauseSeconds, seconds);
        ending.abort();
      }
    }
    async function work(): Promise<void> {
      const workers = Array.from({ length: CONNECTIONS }, () =>
        runWorker().catch((error: unknown) => {
          ending.abort();
          throw error;
        }),
      );
      // The leases of returned messages may have expired in the meantime.
      const ended = await Promise.allSettled(workers);
      await returnToQueue(senderId, taken, pauseSeconds);
      const broken = ended.find((each) => each.status === 'rejected');
      if (broken) throw broken.reason;
    }
    await track(work());
  }

  async function sweep(jobs: Jobs): Promise<void> {
    const held = await db.transaction().execute(async (tx) => {
      const overdue = await queries.holdOverdue(tx);
      await recordHeld(tx, overdue);
      await settle(tx, await queries.giveUp(tx, GIVE_UP_HOURS));
      return overdue.length;
    });
    if (held > 0) {
      log.warn({ emails: held }, 'overdue mail waits until an administrator releases it');
      events.announce();
    }
    for (const senderId of await queries.sendersWithDue(db)) await jobs.enqueue(db, MAIL_QUEUE, { senderId });
  }

  return {
    /** Attempts this message now if it is due and not leased by another worker. */
    async attempt(id: string): Promise<void> {
      await track(attemptNow(id)).catch((error: Error) => {
        log.warn({ emailId: id, reason: error.message }, 'attempt not written down; the sweep takes it up');
      });
    },

    drain,

    start: (jobs: Jobs): Promise<void> =>
      jobs.start([
        defineJob<{ senderId: string }>({
          name: MAIL_QUEUE,
          concurrency: CONCURRENT_SENDERS,
          run: ({ senderId }, signal) => drain(senderId, signal),
        }),
        defineJob({
          name: 'overdue-mail',
          schedule: { everyMs: sweepMs },
          run: () => track(sweep(jobs)),
        }),
      ]),

    /** Stops leasing messages, waits briefly for messages in flight, and returns the rest to the queue. */
    async stop(): Promise<void> {
      stopping.abort();
      const timer = setTimeout(() => abandoning.abort(), stopMs);
      await Promise.allSettled(inFlight);
      clearTimeout(timer);
    },
  };
}

/** Sends with the sender's account. If a provider has revoked the token before its expiry, retries with a new one. */
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

/** A message can be planned a year ahead: removes contacts that were removed or deactivated since. */
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
