import { AppError } from './errors.ts';

type Limits = {
  /** Maximum concurrent calls, and maximum queued calls. */
  permits: number;
  maxQueued: number;
  /** The same limits per party. */
  permitsEach?: number;
  maxQueuedEach?: number;
};

/**
 * Limits concurrency. Further callers wait in a queue, and get TOO_MANY_REQUESTS if it is full. For work that waits for
 * one lock of the database or takes long, which would otherwise use every connection of the pool. Each party has its
 * own queue and the parties take turns, so that a user with many calls delays others by only one of them.
 */
export function createSemaphore({
  permits,
  maxQueued,
  permitsEach = permits,
  maxQueuedEach = maxQueued,
}: Limits) {
  /** Waiting callers by party. The party served last is at the end. */
  const queues = new Map<string, (() => void)[]>();
  const runningOf = new Map<string, number>();
  let running = 0;
  let queued = 0;

  const mayRun = (party: string): boolean => running < permits && (runningOf.get(party) ?? 0) < permitsEach;

  function begin(party: string): void {
    running += 1;
    runningOf.set(party, (runningOf.get(party) ?? 0) + 1);
  }

  function wait(party: string): Promise<void> {
    const queue = queues.get(party) ?? [];
    if (queued >= maxQueued || queue.length >= maxQueuedEach)
      throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: 1 });
    queued += 1;
    queues.set(party, queue);
    return new Promise((resolve) => queue.push(resolve));
  }

  function end(party: string): void {
    running -= 1;
    const left = runningOf.get(party)! - 1;
    if (left === 0) runningOf.delete(party);
    else runningOf.set(party, left);
    const next = [...queues.keys()].find(mayRun);
    if (next === undefined) return;
    const [resume, ...others] = queues.get(next)!;
    queues.delete(next);
    if (others.length > 0) queues.set(next, others);
    queued -= 1;
    begin(next);
    resume!();
  }

  /** @param party the user or other subject who calls, and who must not take all permits */
  return async <T>(party: string, work: () => Promise<T>): Promise<T> => {
    if (mayRun(party)) begin(party);
    else await wait(party);
    try {
      return await work();
    } finally {
      end(party);
    }
  };
}
