import { AppError } from './errors.ts';

/**
 * Limits concurrency: further callers wait in a queue, and get TOO_MANY_REQUESTS when it is full. For work that waits
 * for one lock of the database or takes long there: otherwise such calls would use every connection of the pool.
 */
export function createSemaphore({ permits, maxQueued }: { permits: number; maxQueued: number }) {
  const queue: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < permits) running += 1;
    else {
      if (queue.length >= maxQueued) throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: 1 });
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
