/** Delays between attempts, in milliseconds: doubled from the first to the last. */
const FIRST_WAIT_MS = 1000;
const LAST_WAIT_MS = 30_000;

/** Returns a function that cancels the run. */
export function later(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/** Returns a function that schedules a run; further calls until then have no effect. */
export function createThrottle(later: (run: () => void, ms: number) => unknown, run: () => void, ms: number) {
  let isWaiting = false;
  return (): void => {
    if (isWaiting) return;
    isWaiting = true;
    later(() => {
      isWaiting = false;
      run();
    }, ms);
  };
}

/**
 * Runs a function again after a failure, with a delay that doubles each time.
 * @param later schedules a function; returns a function that cancels it
 */
export function createRetry(
  later: (run: () => void, ms: number) => () => void,
  run: () => void,
  firstWaitMs = FIRST_WAIT_MS,
) {
  let wait = firstWaitMs;
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
    /** Resets the delay. */
    afterSuccess(): void {
      wait = firstWaitMs;
    },
    /** Resets the delay and cancels a scheduled run. */
    stop(): void {
      wait = firstWaitMs;
      stopWaiting?.();
      stopWaiting = null;
    },
  };
}
