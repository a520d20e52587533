type Options = {
  /** How long a call waits for further calls, in milliseconds. */
  waitMs: number;
  /** Returns the delay after a run of this duration, in milliseconds. */
  restMs?: (durationMs: number) => number;
  onError: (error: Error) => void;
};

/** Batches calls of `soon`: runs the work once for all calls in a short time, and never concurrently. */
export function createBatchedTask(
  work: () => Promise<unknown>,
  { waitMs, restMs = () => 0, onError }: Options,
) {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isRequested = false;
  let restedAt = 0;
  async function run(): Promise<void> {
    timer = undefined;
    isRunning = true;
    const begun = performance.now();
    await work().catch(onError);
    const ended = performance.now();
    restedAt = ended + restMs(ended - begun);
    isRunning = false;
    if (isRequested) soon();
  }
  function soon(): void {
    isRequested = isRunning;
    if (isRunning || timer) return;
    const ms = Math.max(waitMs, restedAt - performance.now());
    if (ms > 0) timer = setTimeout(() => void run(), ms);
    else void run();
  }
  return { soon, stop: () => clearTimeout(timer) };
}
