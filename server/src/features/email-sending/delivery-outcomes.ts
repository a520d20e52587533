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

/** The delay before a failed write of outcomes is retried. */
const RETRY_MS = 500;

/** Replaces a response that the database rejects. */
const UNWRITABLE = 'The answer of the mail server could not be written down.';

type Parts = {
  db: Db;
  log: Log;
  events: Pick<LiveEvents, 'announce'>;
  /** Aborted when the instance stops: ends all retries. */
  abandoned: AbortSignal;
};

/** The outcome of an attempt. */
export type Ended = {
  email: queries.Claimed;
  outcome: queries.Outcome;
  /** How long the sender's other messages wait because the server itself failed. */
  pauseSeconds: number;
  /** The server did not respond, so it may have delivered the message. */
  isUnknown: boolean;
};

/**
 * Writes the outcomes of attempts. Outcomes that arrive during a write are batched into the next transaction: a disk
 * flush per message would be slower than the mail server.
 */
export function createOutcomes({ db, log, events, abandoned }: Parts) {
  const writeOnce = (ended: readonly Ended[]) =>
    db.transaction().execute(async (tx) => {
      const finished = await queries.finish(tx, ended);
      const finishedIds = new Set(finished.map(({ id }) => id));
      for (const { email } of ended)
        if (!finishedIds.has(email.id))
          log.warn({ emailId: email.id }, 'lease lost: another worker sends this message');
      for (const { email, pauseSeconds } of ended)
        if (pauseSeconds > 0) await queries.postpone(tx, email.sender_id, pauseSeconds);
      await settle(tx, finished);
    });

  /**
   * Retries while the database is unavailable, otherwise a sent message would appear unsent. If the database rejects a
   * text, the next attempt omits it and writes each outcome separately.
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

/** Writes the audit entries of held messages and notifies the administrators. */
export async function recordHeld(tx: Tx, emails: HeldEmail[]): Promise<void> {
  await auditMany(
    { ...SYSTEM, db: tx },
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

/** The final states without a delivery, each with the notification for the sender. */
const ENDED = [
  ['failed', 'emailFailed'],
  ['unconfirmed', 'emailUnconfirmed'],
] as const;

export async function settle(tx: Tx, emails: Settled[]): Promise<void> {
  const records = emails.map(({ id, version, status, answer }) => ({
    recordId: id,
    version,
    after: { status, answer },
  }));
  await auditMany({ ...SYSTEM, db: tx }, 'email.updated', records);
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
