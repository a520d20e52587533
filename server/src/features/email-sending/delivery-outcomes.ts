import { setTimeout as sleep } from 'node:timers/promises';
import { auditMany, SYSTEM } from '../../platform/audit.ts';
import { isConnectionError } from '../../platform/db/connection-errors.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { createStatementBatcher } from '../../platform/db/statement-batcher.ts';
import type { LiveEvents } from '../../platform/live/events.ts';
import type { Log } from '../../platform/log.ts';
import { notify } from '../../platform/notify.ts';
import * as queries from './delivery.queries.ts';
import { notifyHeld } from './held-mail.service.ts';

/** The delay before outcomes are written again after a database error. */
const RETRY_MS = 500;

/** Replaces a text that the database rejects. */
const UNWRITABLE = 'The answer of the mail server could not be written down.';

type Parts = {
  db: Db;
  log: Log;
  events: Pick<LiveEvents, 'announce'>;
  /** Ends all retries. */
  abandoned: AbortSignal;
};

/** The outcome of an attempt. */
export type Ended = {
  email: queries.Claimed;
  outcome: queries.Outcome;
  /** How long other messages of the sender wait because the server itself failed. */
  pauseSeconds: number;
  /** No answer came: the server may have delivered the message. */
  isUnknown: boolean;
};

/**
 * Writes the outcomes of attempts. Outcomes that arrive during a write are batched into the next transaction: a disk
 * flush for each message would be slower than the mail server.
 */
export function createOutcomes({ db, log, events, abandoned }: Parts) {
  const writeOnce = (ended: readonly Ended[]) =>
    db.transaction().execute(async (tx) => {
      const finished = await queries.finish(tx, ended);
      const known = new Set(finished.map(({ id }) => id));
      for (const { email } of ended)
        if (!known.has(email.id))
          log.warn({ emailId: email.id }, 'another worker has taken this message over');
      for (const { email, pauseSeconds } of ended)
        if (pauseSeconds > 0) await queries.postpone(tx, email.sender_id, pauseSeconds);
      await settle(tx, finished);
    });

  /**
   * Retries while the database is unavailable: a sent message must not appear unsent. A text that the database rejects
   * would be rejected again, so the next attempt omits it, and writes each outcome separately.
   */
  async function writeBatch(ended: readonly Ended[]): Promise<void> {
    for (let next = ended; ;) {
      try {
        await writeOnce(next);
        return events.announce();
      } catch (error) {
        const ids = next.map(({ email }) => email.id);
        log.warn({ emailIds: ids, reason: (error as Error).message }, 'outcomes not yet written down');
        if (!isConnectionError(error as Error)) {
          if (next.length > 1) {
            for (const one of next) await writeBatch([one]);
            return;
          }
          next = next.map((one) => ({ ...one, outcome: { ...one.outcome, answer: UNWRITABLE } }));
        }
        await sleep(RETRY_MS, undefined, { signal: abandoned });
      }
    }
  }

  const write = createStatementBatcher(
    async (ended: readonly Ended[]) => {
      await writeBatch(ended);
      return ended.map(() => undefined);
    },
    { recordOf: ({ email }) => email.id },
  );
  /** Resolves once the outcome is written; rejects when it was abandoned. */
  return { write: (ended: Ended): Promise<void> => write('outcome', ended) };
}

type HeldEmail = { id: string; version: number; status: string };

/** Audits that messages are held, and notifies the administrators. */
export async function recordHeld(tx: Tx, emails: HeldEmail[]): Promise<void> {
  await auditMany(
    tx,
    SYSTEM,
    'email.updated',
    emails.map(({ id, version, status }) => ({
      recordId: id,
      version,
      before: { held: false },
      after: { held: true, because: 'overdue', status },
    })),
  );
  await notifyHeld(
    tx,
    emails.map(({ id }) => id),
  );
}

type Settled = { id: string; sender_id: string; version: number; status: string; answer: string };

/** The states of a message that was given up, with the notification of its sender. */
const ENDED = [
  ['failed', 'emailFailed'],
  ['unconfirmed', 'emailUnconfirmed'],
] as const;

/** Audits and publishes the outcomes of messages; notifies senders of failed ones. */
export async function settle(tx: Tx, emails: Settled[]): Promise<void> {
  const records = emails.map(({ id, version, status, answer }) => ({
    recordId: id,
    version,
    before: null,
    after: { status, answer },
  }));
  await auditMany(tx, SYSTEM, 'email.updated', records);
  for (const [ended, kind] of ENDED) {
    const concerned = emails.filter(({ status }) => status === ended);
    await notify(
      tx,
      kind,
      null,
      concerned.map(({ id, sender_id }) => ({ userId: sender_id, recordId: id })),
    );
  }
}
