/** The delay after each failed attempt in seconds; the last one repeats. */
export const RETRY_SECONDS: readonly number[] = [60, 300, 900, 3600];

/** Hours after its first attempt at which a message is given up (docs/product/email.md, Retries). */
export const GIVE_UP_HOURS = 24;

/** Returns the delay after an attempt; null if the message would then exceed GIVE_UP_HOURS. */
export function nextDelay(attempts: number, triedSeconds: number, seconds = RETRY_SECONDS): number | null {
  const delay = seconds[Math.min(attempts, seconds.length) - 1]!;
  return triedSeconds + delay > GIVE_UP_HOURS * 3600 ? null : delay;
}
