// Usage: node bench/large-month/run.mjs [ROWS …]
// Opens Data Entry in a real Chromium on months of these sizes (5,000, 100,000 and 1,000,000). Prints the time to the
// first rows and to the complete part of the month that the browser loads, its memory, the time of another sort order,
// and that of grouping the rows by status. In a month that is loaded completely, also the time from the value of a
// condition of a filter to the next frame with its rows, and the processor time of the page: of a text, and of a date that
// is added to it.
import { launchBrowser, openPage } from '../../e2e/browser.ts';
import { openCompany } from '../company.mjs';
import { count, median, printTable } from '../figures.mjs';

const SIZES = process.argv.slice(2).map(Number);
/** Rows of a larger month that the browser loads at once (docs/product/limits.md, Data Entry limits). */
const IN_BROWSER = 100_000;
/** Timeout of each wait. */
const LIMIT_MS = 300_000;
/** Permissions may be requested five times a minute, and pages are opened more often here. */
const TOO_OFTEN = /status of 429/;

const customerOfFirstRow = '[aria-rowindex="2"] [aria-colindex="3"]';

async function megabytes(session) {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
}

/** Types and submits inside the page; otherwise the time would include messages of the test. */
const applied = (field, text) =>
  field.evaluate(async (input, value) => {
    const shown = new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        observer.disconnect();
        requestAnimationFrame(() => resolve(performance.now()));
      });
      observer.observe(document.querySelector('[role="grid"]'), { attributeFilter: ['aria-rowcount'] });
    });
    const began = performance.now();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, value);
    input.dispatchEvent(new Event('input', { bubbles: true }));
    // React renders the typed text in a microtask.
    await Promise.resolve();
    input.form.requestSubmit();
    return (await shown) - began;
  }, text);

/** Processor time of the main thread of the page, in milliseconds: it does not depend on other programs. */
async function processorTime(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
}

async function filtered(page, session) {
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  // The response of the server confirms the rows and is not measured.
  await page.route(/\/api\/deals\?.*filter=/, () => undefined);
  await page.keyboard.press('Control+Shift+L');
  const panel = page.getByRole('dialog', { name: /filter/i });
  const add = async (number, column, comparison, value) => {
    const condition = panel.getByRole('group', { name: `Condition ${number}`, exact: true });
    await condition.getByLabel('Column').selectOption(column);
    await condition.getByLabel('Comparison').selectOption(comparison);
    const before = await processorTime(session);
    const shown = await applied(condition.getByLabel('Value'), value);
    return `${shown.toFixed(0)} (${((await processorTime(session)) - before).toFixed(0)})`;
  };
  const text = await add(1, 'Customer', 'contains', 'a');
  await panel.getByRole('button', { name: 'Add condition' }).click();
  const date = await add(2, 'Created', 'is in the last', '9');
  return { text, date };
}

/** Returns the median time from choosing a group to the frame that shows it, without the time of loading the script. */
async function grouped(page) {
  const choose = async (name) => {
    await page.getByRole('button', { name: 'Group', exact: true }).click();
    await page.getByRole('menuitem', { name, exact: true }).waitFor();
    return page.evaluate(async (text) => {
      const item = [...document.querySelectorAll('[role="menuitem"]')].find(
        (each) => each.textContent === text,
      );
      const head = () => document.querySelector('.grid-group')?.textContent;
      const before = head();
      const began = performance.now();
      item.click();
      do await new Promise(requestAnimationFrame);
      while (head() === before);
      return performance.now() - began;
    }, name);
  };
  await choose('Status');
  const times = [];
  for (const name of ['Dealership', 'Owner', 'Delivery day', 'Day of creation', 'Status'])
    times.push(await choose(name));
  return median(times);
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
  // The blank row and the header count too.
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
    const filters = rows <= IN_BROWSER && (await filtered(page, session));
    if (filters) {
      await page.unroute(/\/api\/deals\?.*filter=/);
      await page.getByRole('dialog').getByRole('button', { name: 'Clear all' }).click();
      await page.keyboard.press('Escape');
      await whole();
    }
    const newest = await first.textContent();
    const sorted = await took(
      () => page.getByRole('columnheader', { name: 'Customer' }).first().click(),
      () => firstIsOther(newest),
    );
    const lines = { firstRows, all, heap, sorted };
    if (rows <= IN_BROWSER) return { ...lines, ...filters, grouped: await grouped(page) };
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
      const measured = await measure(browser, company, rows);
      const { firstRows, all, heap, sorted, next, text, date, grouped: byGroup } = measured;
      lines.push([
        count(rows),
        ...[firstRows, all, heap, sorted].map((n) => n.toFixed(0)),
        next?.toFixed(0) ?? '',
        text ?? '',
        date ?? '',
        byGroup?.toFixed(0) ?? '',
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
      'text filter, ms (processor)',
      'and a date, ms (processor)',
      'by group, ms',
    ],
    lines,
  );
} finally {
  await browser.close();
}
