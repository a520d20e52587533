/**
 * Polls a condition. Resolves with whether it became true within the limit; rejects with the signal's reason when
 * aborted. Times are in milliseconds.
 */
export async function waitUntil(
  isSo: () => boolean,
  { limitMs, everyMs, signal }: { limitMs: number; everyMs: number; signal: AbortSignal },
): Promise<boolean> {
  for (let waited = 0; !isSo(); waited += everyMs) {
    if (waited >= limitMs) return false;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    signal.throwIfAborted();
  }
  return true;
}
