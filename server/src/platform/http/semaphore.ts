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

  /** Returns false if this caller no longer waits. */
  function leaveQueue(party: string, caller: () => void): boolean {
    const queue = queues.get(party) ?? [];
    const index = queue.indexOf(caller);
    if (index === -1) return false;
    queue.splice(index, 1);
    if (queue.length === 0) queues.delete(party);
    queued -= 1;
    return true;
  }

  function wait(party: string, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) throw new AppError('CANCELLED');
    const queue = queues.get(party) ?? [];
    if (queued >= maxQueued || queue.length >= maxQueuedEach)
      throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: 1 });
    queued += 1;
    queues.set(party, queue);
    return new Promise((resolve, reject) => {
      queue.push(resolve);
      signal?.addEventListener('abort', () => {
        if (leaveQueue(party, resolve)) reject(new AppError('CANCELLED'));
      });
    });
  }

  function end(party: string): void {
    running -= 1;
    const left = runningOf.get(party)! - 1;
    if (left === 0) runningOf.delete(party);
    else runningOf.set(party, left);
    const next = [...queues.keys()].find(mayRun);
    if (next === undefined) return;
    const queue = queues.get(next)!;
    const resume = queue[0]!;
    leaveQueue(next, resume);
    if (queues.delete(next)) queues.set(next, queue);
    begin(next);
    resume();
  }

  /**
   * @param party the user or other subject who calls, and who must not take all permits
   * @param signal removes a waiting caller from the queue, who then gets CANCELLED
   */
  return async <T>(party: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    if (mayRun(party)) begin(party);
    else await wait(party, signal);
    try {
      return await work();
    } finally {
      end(party);
    }
  };
}
