import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { DESKTOP, startCompany, type Company } from './company.fixture.ts';
import { openDataEntry, type DataEntry } from './data-entry.fixture.ts';

/**
 * What scripts, styles and font may weigh, compressed, before Data Entry has its rows. The goal is 250 KB with data and
 * headers, which are another 25 (docs/performance.md). Whoever needs more looks first for what can come later.
 */
const MOST_KB = 210;

const OFFLINE = /ERR_INTERNET_DISCONNECTED/;

type File = { name: string; kb: number; encoding: string | null; cached: string | null };

let company: Company;
let browser: Browser;
let screen: DataEntry;
let first: readonly File[];
beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), launchBrowser()]);
  screen = await openDataEntry(company, browser, company.admin, { context: DESKTOP, expected: [OFFLINE] });
  await screen.row('Ann Example').waitFor();
  await screen.page.waitForFunction(() => performance.getEntriesByName('whole screen').length > 0);
  first = await filesOf(screen.page);
});
afterAll(async () => {
  await screen?.close();
  await browser?.close();
  await company?.close();
});

/** Files of the build that were asked for before the first rows had been painted, as the server hands them out. */
async function filesOf(page: Page): Promise<File[]> {
  const found = await page.evaluate(() => {
    const { startTime: shown } = performance.getEntriesByName('first screen')[0]!;
    return (
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name, startTime }) => name.includes('/assets/') && startTime < shown)
        // What public/start.js has brought comes out of the browser's cache for the page.
        .filter(({ transferSize }) => transferSize > 0)
        .map(({ name, encodedBodySize }) => ({ name, kb: encodedBodySize / 1024 }))
    );
  });
  return Promise.all(
    found.map(async (file) => {
      const { headers } = await fetch(file.name, { headers: { 'accept-encoding': 'br' } });
      return { ...file, encoding: headers.get('content-encoding'), cached: headers.get('cache-control') };
    }),
  );
}

test(`Data Entry needs at most ${MOST_KB} KB of scripts, styles and font before its first rows`, () => {
  const heaviest = first.toSorted((a, b) => b.kb - a.kb).map(({ name, kb }) => `${kb.toFixed(1)} ${name}`);
  const sum = first.reduce((total, { kb }) => total + kb, 0);
  expect(sum, heaviest.join('\n')).toBeLessThanOrEqual(MOST_KB);
  // A sum of nothing would pass too.
  expect(sum).toBeGreaterThan(100);
});

test('they come compressed beforehand, and browsers keep them for good', () => {
  for (const { name, encoding, cached } of first) {
    expect(encoding, name).toBe(name.endsWith('.woff2') ? null : 'br');
    expect(cached, name).toBe('public, max-age=31536000, immutable');
  }
});

/** What the first rows are made of. */
const PARTS = /\/api\/(auth\/me|deals|deals\/options)$|\/data-entry-[^/]*\.js$/;

test('data and the script of the screen are asked for once each, before the page has scripts of its own', async () => {
  const asked = await screen.page.evaluate(() => {
    const { startTime: shown } = performance.getEntriesByName('first screen')[0]!;
    const all = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
      ({ startTime }) => startTime < shown,
    );
    // The page's own scripts run once all of it has been read.
    const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    return all.map(({ name, startTime }) => ({
      path: new URL(name).pathname,
      isEarly: startTime < page!.domInteractive,
    }));
  });
  const parts = asked.filter(({ path }) => PARTS.test(path));
  expect(parts.map(({ path }) => path).toSorted()).toEqual([
    '/api/auth/me',
    '/api/deals',
    '/api/deals/options',
    expect.stringMatching(/^\/assets\/data-entry-/),
  ]);
  expect(parts.every(({ isEarly }) => isEarly)).toBe(true);
});

test('what comes behind the rows is there when the line is gone', async () => {
  const { page } = screen;
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('dialog', { name: 'Filter' }).getByLabel('Status').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Deleted rows' }).waitFor();
  await page.context().setOffline(false);
});

test('a click before the script has come opens the panel when it is there, and Escape gives the focus back', async () => {
  const { page, close } = await company.openAs(browser, company.admin);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/DealFilterPanel-*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${company.server.url}/data-entry`);
  const button = page.getByRole('button', { name: 'Filter', exact: true });
  await button.click();
  expect(await button.getAttribute('aria-expanded')).toBe('true');
  release();
  await page.getByRole('dialog', { name: 'Filter' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  await close();
});

test('no Intl is used before the first rows: its first use takes as long as a script', async () => {
  const page = await screen.page.context().newPage();
  try {
    await page.addInitScript(() => {
      const used: number[] = [];
      Object.assign(globalThis, { used });
      for (const name of [
        'NumberFormat',
        'DateTimeFormat',
        'Collator',
        'PluralRules',
        'ListFormat',
      ] as const) {
        const noted = new Proxy(Intl[name] as new () => object, {
          construct(Original, values: []) {
            used.push(performance.now());
            return new Original(...values);
          },
        });
        Object.assign(Intl, { [name]: noted });
      }
    });
    await page.goto(screen.page.url());
    await page.waitForFunction(() => performance.getEntriesByName('whole screen').length > 0);
    const [shown, used] = await page.evaluate(() => {
      new Intl.NumberFormat('en-AU').format(1);
      const { used: times } = globalThis as unknown as { used: number[] };
      return [performance.getEntriesByName('first screen')[0]!.startTime, times] as const;
    });
    expect(used.filter((time) => time < shown)).toEqual([]);
    // One that is noted, so that nothing noted means something.
    expect(used.length).toBeGreaterThan(0);
  } finally {
    await page.close();
  }
});
