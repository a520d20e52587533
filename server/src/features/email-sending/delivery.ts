import type { Db } from '../../platform/db/database.ts';
import type { Jobs } from '../../platform/jobs.ts';
import type { LiveEvents } from '../../platform/live/events.ts';
import type { Log } from '../../platform/log.ts';
import type { Letter } from '../../platform/mail/letter.ts';
import { SmtpFailure } from '../../platform/mail/smtp-failure.ts';
import { CONNECTIONS, type Transports } from '../../platform/mail/transports.ts';
import type { EmailSettingsService, SenderAccount } from '../email-settings/email-settings.service.ts';
import type { EmailTemplatesService } from '../email-templates/email-templates.service.ts';
import { createOutcomes, settle, SYSTEM, type Ended } from './delivery-outcomes.ts';
import * as queries from './delivery.queries.ts';
import type { EmailAttachments } from './email-attachments.service.ts';
import { createLeases } from './leases.ts';
import { inlineParts } from './message-images.ts';
import { GIVE_UP_HOURS, nextDelay, RETRY_SECONDS } from './retry-plan.ts';

export const MAIL_QUEUE = 'mail';

/** Senders that are served at the same time. Each job is one sender's whole queue, so a dead server holds up one. */
const SENDERS_AT_ONCE = 8;

/** Messages that a worker takes at once: each of its connections has the next ones at hand. */
const TAKEN_AT_ONCE = 4 * CONNECTIONS;

export type DeliveryTimes = {
  /** A worker that is not heard of for this long has lost its message to the next. */
  leaseSeconds: number;
  renewMs: number;
  /** How often each instance looks for due messages that no job takes care of. */
  sweepMs: number;
  retrySeconds: readonly number[];
  /** How long a stop waits for messages under way before it leaves them to the next worker. */
  stopMs: number;
};

/** Lease and sweep together stay below a minute: as long as a dead worker's messages wait. */
export const TIMES: DeliveryTimes = {
  leaseSeconds: 30,
  renewMs: 8_000,
  sweepMs: 20_000,
  retrySeconds: RETRY_SECONDS,
  stopMs: 3000,
};

export type DeliveryDeps = {
  db: Db;
  log: Log;
  /** Told after each change, so that open screens follow a message live. */
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
 * Takes queued messages to their mail servers (security.md L6 to L9). PostgreSQL decides who sends what: a
 * message is taken with a lease by the database's clock, and only the newest attempt may write down how it
 * ended. Jobs only say when to look; a message whose job is lost is found by the sweep.
 */
export function createDelivery(parts: Parts) {
  const { db, log, events, settings, images, attachments, transports, times } = parts;
  const { leaseSeconds, renewMs, sweepMs, retrySeconds, stopMs } = { ...TIMES, ...times };
  const stopping = new AbortController();
  const abandoning = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const leases = createLeases({ db, log, leaseSeconds, renewMs });
  const outcomes = createOutcomes({
    db,
    log,
    events,
    postponeSeconds: retrySeconds[0]!,
    abandoned: abandoning.signal,
  });
  let sweepTimer: NodeJS.Timeout | undefined;

  /** Sends a message that was taken. Never throws for what a mail server does. */
  async function send(email: queries.Claimed, sender: SenderAccount | undefined): Promise<Ended> {
    const failed = (answer: string): Ended => ({
      email,
      outcome: { status: 'failed', answer },
      isAway: false,
    });
    if (!sender) return failed('The mail server of the sender is not configured.');
    if (!sender.isActive) return failed('The sender is no longer active.');
    try {
      const account = await sender.open();
      const signal = AbortSignal.any([leases.lossOf(email), abandoning.signal]);
      const letter = { ...letterOf(email), ...(await inlineParts(db, images, email.html)) };
      const answer = await attachments.whileSending(db, email, (files) =>
        transports.send(email.sender_id, account, { ...letter, attachments: files }, signal),
      );
      return { email, outcome: { status: 'sent', answer }, isAway: false };
    } catch (error) {
      if (!(error instanceof SmtpFailure)) throw error;
      if (error.step === 'signIn' && error.isPermanent) {
        await pauseSender(email.sender_id, sender.revision, error);
      }
      const outcome = afterFailure(email, error);
      return { email, outcome, isAway: error.step !== 'message' && outcome.status === 'retrying' };
    }
  }

  function afterFailure(email: queries.Claimed, failure: SmtpFailure): queries.Outcome {
    const answer = failure.message;
    // A refused sign-in says nothing about the message: it waits for better settings.
    if (failure.isPermanent && failure.step !== 'signIn') return { status: 'failed', answer };
    const ageSeconds = (Date.parse(email.updated_at) - Date.parse(email.created_at)) / 1000;
    const delaySeconds = nextDelay(email.attempts, ageSeconds, retrySeconds);
    return delaySeconds === null
      ? { status: 'failed', answer }
      : { status: 'retrying', answer, delaySeconds };
  }

  const pauseSender = (senderId: string, revision: number, failure: SmtpFailure) => {
    const because = `${failure.message} Nothing is sent until the email settings are corrected.`;
    return db.transaction().execute((tx) => settings.pause(tx, SYSTEM, senderId, revision, because));
  };

  /** One attempt at a message that was taken, to its end. False: its server cannot be reached. */
  async function attempt(email: queries.Claimed, sender: SenderAccount | undefined): Promise<boolean> {
    try {
      const ended = await send(email, sender);
      await outcomes.write(ended);
      return !ended.isAway;
    } finally {
      leases.release([email]);
    }
  }

  /** What was taken and is not tried any more. */
  async function giveBack(senderId: string, emails: queries.Claimed[], isAway: boolean): Promise<void> {
    if (emails.length === 0) return;
    try {
      await db.transaction().execute(async (tx) => {
        await queries.giveBack(tx, emails);
        if (isAway) await queries.postpone(tx, senderId, retrySeconds[0]!);
      });
    } finally {
      leases.release(emails);
    }
  }

  async function attemptNow(id: string): Promise<void> {
    const [email] = await leases.take({ id }, 1);
    if (email) await attempt(email, await settings.senderAccount(db, email.sender_id));
  }

  /** Keeps a piece of work in sight until it ends, so that a stop can wait for it. */
  function track<T>(work: Promise<T>): Promise<T> {
    underWay.add(work);
    void work.catch(() => {}).finally(() => underWay.delete(work));
    return work;
  }

  /** Sends what a sender has due, over as many connections as its pool has. */
  async function drain(senderId: string, signal: AbortSignal): Promise<void> {
    let taken: queries.Claimed[] = [];
    let sender: SenderAccount | undefined;
    let taking: Promise<void> | undefined;
    let isAway = false;
    const ending = new AbortController();
    const over = AbortSignal.any([signal, stopping.signal, ending.signal]);

    async function take(): Promise<void> {
      taken = await leases.take({ senderId }, TAKEN_AT_ONCE);
      if (taken.length > 0) sender = await settings.senderAccount(db, senderId);
      taking = undefined;
    }
    async function next(): Promise<queries.Claimed | undefined> {
      if (taken.length === 0) await (taking ??= take());
      return taken.shift();
    }
    async function lane(): Promise<void> {
      while (!over.aborted) {
        const email = await next();
        if (!email) return;
        if (await attempt(email, sender)) continue;
        isAway = true;
        ending.abort();
      }
    }
    async function work(): Promise<void> {
      const lanes = Array.from({ length: CONNECTIONS }, () =>
        lane().catch((error: unknown) => {
          ending.abort();
          throw error;
        }),
      );
      // What is given back may be in nobody's hands any more.
      const ended = await Promise.allSettled(lanes);
      await giveBack(senderId, taken, isAway);
      const broken = ended.find((each) => each.status === 'rejected');
      if (broken) throw broken.reason;
    }
    await track(work());
  }

  async function sweep(jobs: Jobs): Promise<void> {
    await db.transaction().execute(async (tx) => {
      await settle(tx, await queries.giveUp(tx, GIVE_UP_HOURS));
    });
    for (const senderId of await queries.sendersWithDue(db)) await jobs.enqueue(db, MAIL_QUEUE, { senderId });
  }

  return {
    /** One attempt at this message now, if it is due and nobody else is at it. */
    async attempt(id: string): Promise<void> {
      await track(attemptNow(id)).catch((error: Error) => {
        log.warn({ emailId: id, reason: error.message }, 'attempt not written down; the sweep takes it up');
      });
    },

    drain,

    async start(jobs: Jobs): Promise<void> {
      const look = () =>
        void track(sweep(jobs)).catch((error: Error) => log.warn({ reason: error.message }, 'mail sweep'));
      await jobs.work<{ senderId: string }>(MAIL_QUEUE, SENDERS_AT_ONCE, ({ senderId }, signal) =>
        drain(senderId, signal),
      );
      sweepTimer = setInterval(look, sweepMs);
      look();
    },

    /** Takes no more messages, waits a moment for those under way and gives back the rest. */
    async stop(): Promise<void> {
      stopping.abort();
      clearInterval(sweepTimer);
      const timer = setTimeout(() => abandoning.abort(), stopMs);
      await Promise.allSettled(underWay);
      clearTimeout(timer);
    },
  };
}

const letterOf = (email: queries.Claimed): Letter => ({
  messageId: email.message_id,
  date: new Date(email.created_at),
  from: { name: email.from_name, address: email.from_address },
  to: email.to_addresses,
  cc: email.cc_addresses,
  subject: email.subject,
  html: email.html,
  text: email.body_text,
});
