// Usage: node bench/large-month/run.mjs [ROWS …]
// Opens Data Entry in a real Chromium on months of these many rows (5,000, 100,000 and 1,000,000) and prints how long the
// first rows and all that the browser keeps of the month take, how much memory that is, and how long another order takes.
import { launchBrowser, openPage } from '../../e2e/browser.ts';
import { openCompany } from '../company.mjs';
import { count, printTable } from '../figures.mjs';

const SIZES = process.argv.slice(2).map(Number);
/** Of a larger month there are so many rows at once (product section 4). */
const IN_BROWSER = 100_000;
/** Nothing is waited for longer than this. */
const LIMIT_MS = 300_000;
/** What a person may do is told five times a minute, and pages are opened more often here. */
const TOO_OFTEN = /status of 429/;

const customerOfFirstRow = '[aria-rowindex="2"] [aria-colindex="3"]';

async function megabytes(session) {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
}

async function measure(browser, { url, token }, rows) {
  const { page, close } = await openPage(browser, { viewport: { width: 1440, height: 900 } }, [TOO_OFTEN]);
  page.setDefaultTimeout(LIMIT_MS);
  const first = page.locator(customerOfFirstRow);
  const took = async (act, done) => {
    const began = performance.now();
    await act();
    await done();
    return performance.now() - began;
  };
  // The blank row is one more, and so is the header.
  const whole = () => page.locator(`[aria-rowcount="${Math.min(rows, IN_BROWSER) + 2}"]`).waitFor();
  const firstIsOther = (text) =>
    page.waitForFunction(
      ([cell, old]) => document.querySelector(cell)?.textContent !== old,
      [customerOfFirstRow, text],
    );
  try {
    const session = await page.context().newCDPSession(page);
    await page.addInitScript((value) => localStorage.setItem('token', value), token);
    const open = () => page.goto(`${url}/data-entry`, { waitUntil: 'commit' });
    // The first visit fills the caches of server and browser.
    await took(open, () => first.waitFor());
    const began = performance.now();
    const firstRows = await took(open, () => first.waitFor());
    await whole();
    const all = performance.now() - began;
    const heap = await megabytes(session);
    const newest = await first.textContent();
    const sorted = await took(
      () => page.getByRole('columnheader', { name: 'Customer' }).first().click(),
      () => firstIsOther(newest),
    );
    const lines = { firstRows, all, heap, sorted };
    if (rows <= IN_BROWSER) return lines;
    await whole();
    const next = page.getByRole('button', { name: 'Next rows' });
    const last = await first.textContent();
    return {
      ...lines,
      next: await took(
        () => next.click(),
        () => firstIsOther(last),
      ),
    };
  } finally {
    await close();
  }
}

const browser = await launchBrowser();
try {
  const lines = [];
  for (const rows of SIZES.length > 0 ? SIZES : [5000, 100_000, 1_000_000]) {
    const company = await openCompany(rows, rows);
    try {
      const { firstRows, all, heap, sorted, next } = await measure(browser, company, rows);
      lines.push([
        count(rows),
        ...[firstRows, all, heap, sorted].map((n) => n.toFixed(0)),
        next?.toFixed(0) ?? '',
      ]);
    } finally {
      await company.close();
    }
  }
  printTable(
    [
      'Rows in the month',
      'first rows, ms',
      'all that are kept, ms',
      'heap, MB',
      'by customer, ms',
      'next rows, ms',
    ],
    lines,
  );
} finally {
  await browser.close();
}
