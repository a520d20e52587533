import type { JobQueue, RecurringJobName } from '@forecourt/contract/jobs';

type Run = (signal: AbortSignal) => Promise<RunResult>;

/** Recurring work of every instance. */
export type Interval = {
  /** The delay between the end of a run and the next. */
  everyMs: number;
  /** Milliseconds until work is due, null if it is turned off. Displayed as the next run; shortens the delay. */
  dueInMs?: () => Promise<number | null>;
  /** Runs work that is not due yet; default: `run`. */
  runNow?: Run;
};

/** A cron expression, by default in UTC, which runs on one instance (a missed time once), or an interval. */
export type Cron = { cron: string; timeZone?: string };
type Schedule = Cron | Interval;

/** The result of a run: IDLE (nothing was due, not recorded), a failure that was handled, or success. */
export type RunResult = typeof IDLE | Error | void;
export const IDLE = Symbol('nothing was due');

/** A queue in pg-boss: jobs survive a restart, and jobs of a dead worker are retried within a minute. */
export type QueuedJob<D extends object = object> = {
  name: JobQueue;
  /** Maximum concurrent jobs of an instance. */
  concurrency: number;
  run(data: D, signal: AbortSignal): Promise<void>;
};

export type RecurringJob = { name: RecurringJobName; schedule: Schedule; run: Run };

export type JobDefinition = QueuedJob | RecurringJob;

/** Defines one kind of background work; `Jobs.start` runs it. */
export function defineJob<D extends object>(definition: QueuedJob<D>): JobDefinition;
export function defineJob(definition: RecurringJob): JobDefinition;
export function defineJob(definition: JobDefinition): JobDefinition {
  return definition;
}

/** The failure of a queued job that must not be retried. */
export class FinalFailure extends Error {}
