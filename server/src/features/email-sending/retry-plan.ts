/** When a message that was not taken is tried again, in seconds after each attempt; the last one repeats. */
export const RETRY_SECONDS: readonly number[] = [60, 300, 900, 3600];

/** After this long it is given up (product.md section 6). */
export const GIVE_UP_HOURS = 24;

/** The wait after an attempt, or null when the message would be older than a day by then. */
export function nextDelay(attempts: number, ageSeconds: number, seconds = RETRY_SECONDS): number | null {
  const delay = seconds[Math.min(attempts, seconds.length) - 1]!;
  return ageSeconds + delay > GIVE_UP_HOURS * 3600 ? null : delay;
}
