import { AppError } from './errors.ts';

/**
 * Lets so many do something at once; others wait in line, and when the line is long are sent away with
 * TOO_MANY_REQUESTS. For work that waits for one lock of the database: without it, those who wait would hold every
 * connection, and nobody else would get one.
 */
export function createTurns({ atOnce, waiting }: { atOnce: number; waiting: number }) {
  const line: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running += 1;
    else {
      if (line.length >= waiting) throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: 1 });
      await new Promise<void>((resolve) => line.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
