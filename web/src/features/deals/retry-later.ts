/** Waits between attempts while the server cannot be reached, in milliseconds: doubled from first to last. */
const FIRST_WAIT_MS = 1000;
const LAST_WAIT_MS = 30_000;

/**
 * Runs something again after a while that grows with each failure.
 * @param later runs something later; answers how to call it off
 */
export function createRetry(later: (run: () => void, ms: number) => () => void, run: () => void) {
  let wait = FIRST_WAIT_MS;
  let stopWaiting: (() => void) | null = null;

  return {
    afterFailure(): void {
      if (stopWaiting !== null) return;
      stopWaiting = later(() => {
        stopWaiting = null;
        run();
      }, wait);
      wait = Math.min(wait * 2, LAST_WAIT_MS);
    },
    /** The next failure is the first one again. */
    afterSuccess(): void {
      wait = FIRST_WAIT_MS;
    },
    /** Forgets that anything has failed. */
    stop(): void {
      wait = FIRST_WAIT_MS;
      stopWaiting?.();
      stopWaiting = null;
    },
  };
}
