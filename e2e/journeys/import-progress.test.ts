import { holdingUp } from '@forecourt/server/test/holding-up';
import { inDatabaseOf } from '@forecourt/server/test/people';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, LINE_LOST } from '../browser.ts';
import { DESKTOP, startCompany, type Company } from './company.fixture.ts';
import { CLERK } from './data-entry.fixture.ts';

let company: Company;
let browser: Browser;
let page: Page;
let closePage: () => Promise<void>;

const IMPORTER = {
  features: { bulkEdit: true },
  dataEntry: { ...CLERK.dataEntry, canDeleteRows: true },
};

beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), launchBrowser()]);
  const clerk = await company.addPerson({ name: 'Cleo Clerk', permissions: IMPORTER });
  ({ page, close: closePage } = await company.openAs(browser, clerk, DESKTOP, [LINE_LOST, /status of 503/]));
});
afterAll(async () => {
  await closePage?.();
  await browser?.close();
  await company?.close();
});

/** While `meanwhile` runs, an import waits at the row of this customer. */
const holding = (customer: string, meanwhile: (untilHeld: () => Promise<void>) => Promise<void>) =>
  inDatabaseOf(company.dataDir, (db) => holdingUp(db, customer, meanwhile));

/** A file of so many rows; some have customers by whom they are held up. */
const fileOf = (count: number, customers: Record<number, string> = {}) =>
  [
    'Client,Dealer',
    ...Array.from({ length: count }, (_, index) => `${customers[index] ?? `Row ${index}`},Harbour New Cars`),
  ].join('\n');

const dialogOf = (tab: Page) => tab.getByRole('dialog', { name: 'Import Deals' });
const barOf = (tab: Page) => dialogOf(tab).getByRole('progressbar', { name: 'Import of deals' });
/** Until the bar says that so many are written. */
async function untilWritten(tab: Page, count: string): Promise<void> {
  await expect.poll(() => barOf(tab).getAttribute('aria-valuenow')).toBe(count);
}

async function openFile(tab: Page, month: string, content: string): Promise<void> {
  await tab.goto(`${company.server.url}/data-entry?month=${month}`);
  await tab.getByRole('button', { name: 'Import', exact: true }).click();
  const file = { name: 'deals.csv', mimeType: 'text/csv', buffer: Buffer.from(content) };
  await dialogOf(tab).locator('input[type=file]').setInputFiles(file);
}
const confirm = (tab: Page, count: string) =>
  dialogOf(tab)
    .getByRole('button', { name: `Import ${count} deals`, exact: true })
    .click();
const countOf = async (month: string): Promise<number> =>
  (await company.call(`GET /deals?month=${month}&limit=1`)).body.total;

test('a bar says how many rows are written, and the row count of the month only when all are', async () => {
  await openFile(page, '2026-01', fileOf(4100, { 2500: 'Second', 4050: 'Third' }));
  await holding('Third', async (untilThird) => {
    await holding('Second', async (untilSecond) => {
      await confirm(page, '4,100');
      await untilSecond();
      await untilWritten(page, '2000');
    });
    await untilThird();
    await untilWritten(page, '4000');
    expect(await barOf(page).getAttribute('aria-valuetext')).toBe('4,000 of 4,100 deals');
    await dialogOf(page).getByText('4,000 of 4,100 deals').waitFor();
    await dialogOf(page).getByText('All of them are added or none.').waitFor();
    expect(await countOf('2026-01')).toBe(0);
  });
  await page.getByText('4,100 deals imported into January 2026').waitFor();
  await dialogOf(page).waitFor({ state: 'detached' });
  expect(await countOf('2026-01')).toBe(4100);
});

test('two tabs that import at the same time each show their own', async () => {
  const other = await page.context().newPage();
  await openFile(page, '2026-02', fileOf(4100, { 4050: 'Third' }));
  await openFile(other, '2026-03', fileOf(2100, { 2050: 'Second' }));
  await holding('Third', async (untilThird) => {
    await holding('Second', async (untilSecond) => {
      await confirm(page, '4,100');
      await untilThird();
      await untilWritten(page, '4000');
      await confirm(other, '2,100');
      await untilSecond();
      await untilWritten(other, '2000');
      expect(await barOf(page).getAttribute('aria-valuenow')).toBe('4000');
    });
    await other.getByText('2,100 deals imported into March 2026').waitFor();
    await dialogOf(page).getByText('4,000 of 4,100 deals').waitFor();
  });
  await page.getByText('4,100 deals imported into February 2026').waitFor();
  await other.close();
});

test('whoever closes the dialog is told afterwards, and can still take all of it back', async () => {
  await openFile(page, '2026-04', fileOf(2100, { 2050: 'Second' }));
  await holding('Second', async (untilHeld) => {
    await confirm(page, '2,100');
    await untilHeld();
    await dialogOf(page).getByRole('button', { name: 'Leave it running' }).click();
    await dialogOf(page).waitFor({ state: 'detached' });
    await page.getByText('The import of 2,100 deals goes on. You will be told when it is done.').waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await dialogOf(page).waitFor();
  });
  await page.getByText('2,100 deals imported into April 2026').waitFor();
  expect(await dialogOf(page).count(), 'the dialog of another import').toBe(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('2,100 imported deals taken back').waitFor();
  expect(await countOf('2026-04')).toBe(0);
});

test('whoever closes the dialog of an import that fails is told of that, and nothing is there', async () => {
  await openFile(page, '2026-06', fileOf(2100, { 2050: 'Second' }));
  await holding('Second', async (untilHeld) => {
    await confirm(page, '2,100');
    await untilHeld();
    await dialogOf(page).getByRole('button', { name: 'Leave it running' }).click();
    // As the other instances do when they hear nothing of its server any more.
    await inDatabaseOf(company.dataDir, (db) =>
      db.updateTable('jobs').set({ status: 'failed' }).where('status', '=', 'running').execute(),
    );
  });
  await page.getByText('The import of 2,100 deals failed. The server was stopped').waitFor();
  expect(await countOf('2026-06')).toBe(0);
});

test('an answer that is lost on its way is asked for: everything is there once', async () => {
  await openFile(page, '2026-05', fileOf(2100, { 2050: 'Second' }));
  await page.route('**/api/deals/import', async (route) => {
    void route.fetch().catch(() => undefined);
    await untilWritten(page, '2000');
    await route.abort();
  });
  await holding('Second', async () => {
    const lost = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/deals/import'));
    await confirm(page, '2,100');
    await lost;
    await dialogOf(page).getByText('2,000 of 2,100 deals').waitFor();
  });
  await page.getByText('2,100 deals imported into May 2026').waitFor();
  await page.unroute('**/api/deals/import');
  expect(await countOf('2026-05')).toBe(2100);
});
