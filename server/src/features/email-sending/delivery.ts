import { setTimeout as sleep } from 'node:timers/promises';
import { audit, type Actor } from '../../platform/audit.ts';
import { isDatabaseAway } from '../../platform/db/away.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Jobs } from '../../platform/jobs.ts';
import type { LiveEvents } from '../../platform/live/events.ts';
import type { Log } from '../../platform/log.ts';
import type { Letter } from '../../platform/mail/letter.ts';
import { SmtpFailure } from '../../platform/mail/smtp-failure.ts';
import { CONNECTIONS, type Transports } from '../../platform/mail/transports.ts';
import type { EmailSettingsService } from '../email-settings/email-settings.service.ts';
import * as queries from './delivery.queries.ts';
import { GIVE_UP_HOURS, nextDelay, RETRY_SECONDS } from './retry-plan.ts';

export const MAIL_QUEUE = 'mail';

/** Senders that are served at the same time. Each job is one sender's whole queue, so a dead server holds up one. */
const SENDERS_AT_ONCE = 8;

/** How soon an outcome is written down again when the database did not take it. */
const WRITE_AGAIN_MS = 500;

/** What is written down in place of words that the database refuses. */
const UNWRITABLE = 'The answer of the mail server could not be written down.';

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

const TIMES: DeliveryTimes = {
  leaseSeconds: 60,
  renewMs: 15_000,
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
type Parts = DeliveryDeps & { settings: EmailSettingsService; transports: Transports };

export type Delivery = ReturnType<typeof createDelivery>;

const SYSTEM: Actor = { viewer: null, origin: { requestId: '', ip: '', userAgent: '' } };
const entity = 'email' as const;

/**
 * Takes queued messages to their mail servers (security.md L6 to L9). PostgreSQL decides who sends what: a
 * message is taken with a lease by the database's clock, and only the newest attempt may write down how it
 * ended. Jobs only say when to look; a message whose job is lost is found by the sweep.
 */
export function createDelivery({ db, log, events, settings, transports, times }: Parts) {
  const { leaseSeconds, renewMs, sweepMs, retrySeconds, stopMs } = { ...TIMES, ...times };
  const stopping = new AbortController();
  const abandoning = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  let sweepTimer: NodeJS.Timeout | undefined;

  /** Sends a message that was taken. Never throws for what a mail server does. */
  async function send(
    email: queries.Claimed,
    signal: AbortSignal,
  ): Promise<queries.Outcome & { failure?: SmtpFailure }> {
    const sender = await settings.senderAccount(db, email.sender_id);
    if (!sender) return { status: 'failed', answer: 'The mail server of the sender is not configured.' };
    if (!sender.isActive) return { status: 'failed', answer: 'The sender is no longer active.' };
    try {
      const answer = await transports.send(email.sender_id, sender.account, letterOf(email), signal);
      return { status: 'sent', answer };
    } catch (error) {
      if (!(error instanceof SmtpFailure)) throw error;
      if (error.step === 'signIn' && error.isPermanent) {
        await pauseSender(email.sender_id, sender.revision, error);
      }
      return { ...afterFailure(email, error), failure: error };
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

  /**
   * Writes down how an attempt ended, trying again while the database is away: a message that was taken must
   * not look untaken. Words that the database refuses would be refused again, so the next try is without them.
   */
  async function writeDown(email: queries.Claimed, outcome: queries.Outcome, isAway: boolean): Promise<void> {
    let { answer } = outcome;
    for (;;) {
      try {
        await db.transaction().execute(async (tx) => {
          const finished = await queries.finish(tx, email, { ...outcome, answer });
          if (!finished) return log.warn({ emailId: email.id }, 'another worker has taken this message over');
          if (isAway) await queries.postpone(tx, email.sender_id, retrySeconds[0]!);
          await settle(tx, email.id, finished.version, { status: outcome.status, answer });
        });
        return events.announce();
      } catch (error) {
        log.warn({ emailId: email.id, reason: (error as Error).message }, 'outcome not yet written down');
        if (!isDatabaseAway(error as Error)) answer = UNWRITABLE;
        await sleep(WRITE_AGAIN_MS, undefined, { signal: abandoning.signal });
      }
    }
  }

  /** One attempt from taking to writing down. False: nothing was due, or the server cannot be reached. */
  async function attemptOne(which: queries.Which): Promise<boolean> {
    const email = await queries.claim(db, which, leaseSeconds);
    if (!email) return false;
    const lost = new AbortController();
    const renewing = setInterval(() => {
      queries.renew(db, email, leaseSeconds).then(
        (isOurs) => isOurs || lost.abort(),
        (error: Error) => log.warn({ emailId: email.id, reason: error.message }, 'lease not renewed'),
      );
    }, renewMs);
    try {
      const { failure, ...outcome } = await send(email, AbortSignal.any([lost.signal, abandoning.signal]));
      const isAway = failure !== undefined && failure.step !== 'message' && outcome.status === 'retrying';
      await writeDown(email, outcome, isAway);
      return !isAway;
    } finally {
      clearInterval(renewing);
    }
  }

  /** Keeps a piece of work in sight until it ends, so that a stop can wait for it. */
  function track<T>(work: Promise<T>): Promise<T> {
    underWay.add(work);
    void work.catch(() => {}).finally(() => underWay.delete(work));
    return work;
  }

  /** Sends what a sender has due, over as many connections as its pool has. */
  async function drain(senderId: string, signal: AbortSignal): Promise<void> {
    let goesOn = true;
    const lane = async () => {
      while (goesOn && !signal.aborted && !stopping.signal.aborted) {
        if (!(await attemptOne({ senderId }))) goesOn = false;
      }
    };
    await track(Promise.all(Array.from({ length: CONNECTIONS }, lane)));
  }

  async function sweep(jobs: Jobs): Promise<void> {
    await db.transaction().execute(async (tx) => {
      for (const { id, version } of await queries.giveUp(tx, GIVE_UP_HOURS)) {
        await settle(tx, id, version, { status: 'failed' });
      }
    });
    for (const senderId of await queries.sendersWithDue(db)) await jobs.enqueue(db, MAIL_QUEUE, { senderId });
  }

  return {
    /** One attempt at this message now, if it is due and nobody else is at it. */
    async attempt(id: string): Promise<void> {
      await track(attemptOne({ id })).catch((error: Error) => {
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

/** Says in the audit, and so live, how a message fared. */
const settle = (tx: Tx, id: string, version: number, after: object) =>
  audit(tx, SYSTEM, { action: 'email.updated', entity, recordId: id, version, after });

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
