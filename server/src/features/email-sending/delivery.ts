import type { Db } from '../../platform/db/database.ts';
import { defineJob } from '../../platform/define-job.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { LiveEvents } from '../../platform/live/events.ts';
import type { Log } from '../../platform/log.ts';
import { CONNECTIONS } from '../../platform/mail/transports.ts';
import type { SenderAccount } from '../email-settings/email-settings.service.ts';
import { createOutcomes, settle, recordHeld } from './delivery-outcomes.ts';
import * as queries from './delivery.queries.ts';
import { createLeases } from './leases.ts';
import { createMessageSender, type MessageSenderParts } from './message-sender.ts';
import { GIVE_UP_HOURS, RETRY_SECONDS } from './retry-plan.ts';

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
  /** Called with the outcome of each attempt. */
  onOutcome?: (outcome: string) => void;
  times?: Partial<DeliveryTimes>;
};
type Parts = DeliveryDeps & MessageSenderParts;

export type Delivery = ReturnType<typeof createDelivery>;

/**
 * Delivers queued messages to their mail servers (docs/product/security.md, No message is lost or sent by two workers).
 * PostgreSQL assigns messages by leases and its own clock, and only the newest attempt may write its outcome. Jobs only
 * trigger a check: the sweep finds a message whose job is lost.
 */
export function createDelivery(parts: Parts) {
  const { db, log, events, settings, times } = parts;
  const { leaseSeconds, renewMs, sweepMs, retrySeconds, stopMs } = { ...TIMES, ...times };
  const stopping = new AbortController();
  const abandoning = new AbortController();
  const inFlight = new Set<Promise<unknown>>();
  const leases = createLeases({ db, log, leaseSeconds, renewMs });
  const send = createMessageSender(parts, retrySeconds);
  const outcomes = createOutcomes({
    db,
    log,
    events,
    abandoned: abandoning.signal,
  });

  /** Runs one attempt at a leased message. Returns for how long the sender's other messages have to wait. */
  async function attempt(email: queries.Claimed, sender: SenderAccount | undefined): Promise<number> {
    try {
      const signal = AbortSignal.any([leases.lossOf(email), abandoning.signal]);
      const ended = await send(email, sender, signal);
      await outcomes.write(ended);
      parts.onOutcome?.(ended.outcome.status);
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
    // The message is already being attempted: the caller gets the outcome of that attempt.
    if (!email) return leases.whenReleased(id);
    const sender = await settings.senderAccount(db, email.sender_id).catch(async (error: unknown) => {
      // Otherwise this worker would renew the lease of a message that it never sends.
      await returnToQueue(email.sender_id, [email], 0);
      throw error;
    });
    await attempt(email, sender);
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
    const heldEmails = await db.transaction().execute(async (tx) => {
      const overdue = await queries.holdOverdue(tx);
      await recordHeld(tx, overdue);
      await settle(tx, await queries.giveUp(tx, GIVE_UP_HOURS));
      return overdue.length;
    });
    if (heldEmails > 0) {
      log.warn({ emails: heldEmails }, 'overdue mail waits until an administrator releases it');
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
