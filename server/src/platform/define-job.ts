import type { JobQueue, RecurringJobName } from '@forecourt/contract/jobs';

type Run = (signal: AbortSignal) => Promise<RunResult>;

/** Every instance runs it. */
export type Interval = {
  /** The delay between the end of a run and the next. */
  everyMs: number;
  /** The time until work is due, in milliseconds; null: it is off. Shown as the next run, and ends a longer delay. */
  dueInMs?: () => Promise<number | null>;
  /** Runs now what is not due yet; by default `run`. */
  runNow?: Run;
};

/** When work runs without a request: at the minutes of a cron expression in UTC, on one instance, a missed time once; or in an interval. */
type Schedule = { cron: string } | Interval;

/** The result of a run of recurring work: nothing was due, which is not recorded; a failure that was handled; or done. */
export type RunResult = typeof IDLE | Error | void;
export const IDLE = Symbol('nothing was due');

/** A queue in pg-boss: jobs survive a restart, and those of a dead worker are retried within a minute. */
export type QueuedJob<D extends object = object> = {
  name: JobQueue;
  /** The most jobs of one instance at a time. */
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
