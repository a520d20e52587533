import { expect } from 'vitest';

/** Well below the 30 s after which a page asks again by itself. */
const LIVE_MS = 10_000;

/**
 * Does something, and waits for what comes of it on other pages live. A second is promised; how long it takes depends on
 * the machine and is measured by `npm run bench -- people`.
 */
export async function live(act: () => Promise<unknown>, seen: () => Promise<unknown>): Promise<void> {
  await act();
  const begun = performance.now();
  await seen();
  expect(performance.now() - begun).toBeLessThan(LIVE_MS);
}
