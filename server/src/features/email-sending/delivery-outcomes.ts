import { setTimeout as sleep } from 'node:timers/promises';
import { auditMany, type Actor } from '../../platform/audit.ts';
import { isDatabaseAway } from '../../platform/db/away.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { LiveEvents } from '../../platform/live/events.ts';
import type { Log } from '../../platform/log.ts';
import { notify } from '../../platform/notify.ts';
import * as queries from './delivery.queries.ts';

/** How soon outcomes are written down again when the database did not take them. */
const WRITE_AGAIN_MS = 500;

/** What is written down in place of words that the database refuses. */
const UNWRITABLE = 'The answer of the mail server could not be written down.';

export const SYSTEM: Actor = { viewer: null, origin: { requestId: '', ip: '', userAgent: '' } };

type Parts = {
  db: Db;
  log: Log;
  events: Pick<LiveEvents, 'announce'>;
  /** How long everything else of a sender waits whose server cannot be reached. */
  postponeSeconds: number;
  /** From then on nothing is tried again. */
  abandoned: AbortSignal;
};

/** How an attempt ended. `isAway`: the server itself is the reason, so that other messages need not be tried. */
export type Ended = { email: queries.Claimed; outcome: queries.Outcome; isAway: boolean };

type Waiting = Ended & { resolve: () => void; reject: (reason: unknown) => void };

/**
 * Writes down how attempts ended. What comes together while something is being written is written next, in one
 * transaction: a flush of the disk for each message would be slower than the mail server.
 */
export function createOutcomes({ db, log, events, postponeSeconds, abandoned }: Parts) {
  let waiting: Waiting[] = [];
  let isWriting = false;

  const inOne = (ended: Ended[]) =>
    db.transaction().execute(async (tx) => {
      const finished = await queries.finish(tx, ended);
      const known = new Set(finished.map(({ id }) => id));
      for (const { email } of ended)
        if (!known.has(email.id))
          log.warn({ emailId: email.id }, 'another worker has taken this message over');
      const away = new Set(ended.flatMap(({ email, isAway }) => (isAway ? [email.sender_id] : [])));
      for (const senderId of away) await queries.postpone(tx, senderId, postponeSeconds);
      await settle(tx, finished);
    });

  /**
   * Tries again while the database is away: a message that was taken must not look untaken. Words that the database
   * refuses would be refused again, so the next try is without them, and without the others.
   */
  async function writeTogether(ended: Ended[]): Promise<void> {
    for (let next = ended; ;) {
      try {
        await inOne(next);
        return events.announce();
      } catch (error) {
        const ids = next.map(({ email }) => email.id);
        log.warn({ emailIds: ids, reason: (error as Error).message }, 'outcomes not yet written down');
        if (!isDatabaseAway(error as Error)) {
          if (next.length > 1) {
            for (const one of next) await writeTogether([one]);
            return;
          }
          next = next.map((one) => ({ ...one, outcome: { ...one.outcome, answer: UNWRITABLE } }));
        }
        await sleep(WRITE_AGAIN_MS, undefined, { signal: abandoned });
      }
    }
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await writeTogether(batch).then(
        () => batch.forEach(({ resolve }) => resolve()),
        (reason: unknown) => batch.forEach(({ reject }) => reject(reason)),
      );
    }
    isWriting = false;
  }

  return {
    /** Resolves once it is written down; rejects when that was abandoned. */
    write(ended: Ended): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push({ ...ended, resolve, reject });
      if (!isWriting) void writeAll();
      return promise;
    },
  };
}

type Settled = { id: string; sender_id: string; version: number; status: string; answer: string };

/** Says in the audit, and so live, how messages fared; a sender hears of those that failed. */
export async function settle(tx: Tx, emails: Settled[]): Promise<void> {
  const records = emails.map(({ id, version, status, answer }) => ({
    recordId: id,
    version,
    before: null,
    after: { status, answer },
  }));
  await auditMany(tx, SYSTEM, { action: 'email.updated', entity: 'email' }, records);
  const failed = emails.filter(({ status }) => status === 'failed');
  await notify(
    tx,
    'emailFailed',
    null,
    failed.map(({ id, sender_id }) => ({ userId: sender_id, recordId: id })),
  );
}
