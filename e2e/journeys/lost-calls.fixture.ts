import type { Page, Request, Route } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Returns a function that loses every further call of the page, once no earlier one is in flight; it returns one that
 * ends this. Call it before the page is opened.
 */
export function callsOf(page: Page): () => Promise<() => Promise<void>> {
  const pending = new Set<Request>();
  page.on('request', (request) => pending.add(request));
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  return async () => {
    const lose = (route: Route) => route.abort();
    await page.route('**/api/**', lose);
    await expect.poll(() => pending.size).toBe(0);
    return () => page.unroute('**/api/**', lose);
  };
}
