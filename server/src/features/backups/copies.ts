import { SYSTEM } from '../../platform/audit.ts';
import type { Db } from '../../platform/db/database.ts';
import { defineJob, IDLE, type RunResult } from '../../platform/define-job.ts';
import { folderError } from '../../platform/http/errors.ts';
import { withLease } from '../../platform/jobs/with-lease.ts';
import type { LiveEvents } from '../../platform/live/events.ts';
import type { Log } from '../../platform/log.ts';
import { auditBackup } from './backup-audit.ts';
import { hasCopyAt } from './backups.policy.ts';
import type { BackupStore } from './backups.service.ts';
import * as queries from './copies.queries.ts';
import { CopyFailure, joinRemote, type CopyPlan, type Destination } from './copy-destination.ts';
import { sendFiles } from './file-copies.ts';

/** The interval at which each instance checks for backups of other instances without a copy. */
const CHECK_MS = 15_000;
/** An instance loses its claim of a copy if it does not renew the lease for this long. */
const LEASE_SECONDS = 60;
const RENEW_MS = 15_000;
/** The last delay repeats. */
const RETRY_SECONDS = [60, 300, 900, 3600];

const UNKNOWN = 'Something went wrong on this server; its log says what.';

type Parts = {
  db: Db;
  log: Log;
  backups: BackupStore;
  destinations: readonly Destination[];
  events: Pick<LiveEvents, 'announce'>;
  checkMs?: number;
};

/**
 * Copies finished backups to each destination (docs/product/backups.md, Copies; docs/product/security.md, Copies are
 * whole or absent). The database stores which copies are due, so that another instance can take over. The local file is
 * deleted once every destination that is on has a verified copy, if none of them keeps local copies.
 */
export function createCopies({ db, log, backups, destinations, events, checkMs = CHECK_MS }: Parts) {
  async function copy(plan: CopyPlan, which: queries.Claimed, signal: AbortSignal): Promise<void> {
    using session = await plan.open(signal);
    await session.requireFolder(plan.remotePath);
    const { files, from } = await backups.listFiles(which.name, signal);
    // First, so that a copy with its name is complete.
    await sendFiles(session, plan.remotePath, files, from, signal);
    await using local = await backups.localFile(which.name, signal);
    const file = { path: local.path, sha256: which.sha256 };
    await session.send(plan.remotePath, plan.remoteName(which.name), file);
  }

  async function finish(plan: CopyPlan, which: queries.Claimed): Promise<void> {
    const path = joinRemote(plan.remotePath, plan.remoteName(which.name));
    const isOurs = await db.transaction().execute(async (tx) => {
      if (!(await queries.copyDone(tx, which, path))) return false;
      await auditBackup(tx, SYSTEM, 'backup.copied', which, {
        destination: which.destination,
        to: plan.remoteName(which.name),
      });
      return true;
    });
    if (isOurs && !plan.keepLocalCopies) await removeLocal(which.name);
  }

  /** Deletes the local file of a backup, unless a destination keeps it or waits for its copy. */
  async function removeLocal(name: string): Promise<void> {
    const row = (await backups.list()).find((backup) => backup.name === name);
    if (!row) return;
    for (const destination of destinations) {
      const plan = await destination.copyPlan(db);
      const isWaiting =
        plan && Date.parse(row.finished_at!) >= Date.parse(plan.since) && !hasCopyAt(row, destination.name);
      if (plan?.keepLocalCopies || isWaiting) return;
    }
    await backups.removeLocal(name);
  }

  /** Stores the failure, and returns it with its message for administrators. */
  async function fail(which: queries.Claimed, error: unknown): Promise<Error> {
    const seconds = RETRY_SECONDS[which.attempt - 1] ?? RETRY_SECONDS.at(-1)!;
    const { name, destination } = which;
    log.warn(
      { backup: name, destination, reason: (error as Error).message, again: seconds },
      'backup not copied',
    );
    const problem = error instanceof CopyFailure ? error.message : (folderError(error)?.message ?? UNKNOWN);
    await db.transaction().execute(async (tx) => {
      if (!(await queries.copyFailed(tx, which, problem, seconds))) return;
      await auditBackup(tx, SYSTEM, 'backup.copyFailed', which, { destination, problem });
    });
    return new Error(problem);
  }

  /** Copies all backups that are due at a destination, one after the other. */
  async function copyTo(destination: Destination, stopping: AbortSignal): Promise<RunResult> {
    let result: RunResult = IDLE;
    while (!stopping.aborted) {
      const plan = await destination.copyPlan(db);
      if (!plan) break;
      const claim = () =>
        queries.claimCopy(db, destination.name, { since: plan.since, leaseSeconds: LEASE_SECONDS });
      const renew = (which: queries.Claimed) => queries.renewCopy(db, which, LEASE_SECONDS);
      const copied = await withLease({ claim, renew, renewMs: RENEW_MS, log }, async (which, lost) => {
        const ended = AbortSignal.any([lost, stopping]);
        try {
          await copy(plan, which, ended);
          await finish(plan, which);
          return undefined;
        } catch (error) {
          if (!ended.aborted) return await fail(which, error);
          await queries.releaseCopy(db, which);
          return IDLE;
        } finally {
          events.announce();
        }
      });
      if (copied === IDLE) break;
      result = copied;
    }
    return result;
  }

  /** A slow destination does not delay the other one. */
  async function copyDue(stopping: AbortSignal = new AbortController().signal): Promise<RunResult> {
    const ended = await Promise.allSettled(destinations.map((destination) => copyTo(destination, stopping)));
    const results = ended.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
    const failed = results.find((result) => result instanceof Error);
    return failed ?? (results.includes(undefined) ? undefined : IDLE);
  }

  return {
    copyDue,
    job: defineJob({
      name: 'backup-copies',
      schedule: {
        everyMs: checkMs,
        async runNow(signal) {
          await queries.makeFailedDue(db);
          return copyDue(signal);
        },
      },
      run: copyDue,
    }),
  };
}
