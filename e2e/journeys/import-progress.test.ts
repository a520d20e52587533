import { blockInserts } from '@forecourt/server/test/block-inserts';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { CONNECTION_LOST, willShow } from '../browser.ts';
import { DESKTOP, openCompany } from './company.fixture.ts';
import { CLERK } from './data-entry.fixture.ts';

const IMPORTER = {
  features: { bulkEdit: true },
  dataEntry: { ...CLERK.dataEntry, canDeleteRows: true },
};

const { company, browser } = await openCompany();
const clerk = await company.addPerson({ name: 'Cleo Clerk', permissions: IMPORTER });
const { page, close: closePage } = await company.openAs(browser, clerk, DESKTOP, [
  CONNECTION_LOST,
  /status of 503/,
]);
afterAll(() => closePage());

/** While `meanwhile` runs, an import waits at the row of this customer. */
const delayImport = (customer: string, meanwhile: (untilWaiting: () => Promise<void>) => Promise<void>) =>
  blockInserts(company.db, customer, meanwhile);

/** Returns a file of this many rows; `customers` names rows at which the import waits. */
const fileOf = (count: number, customers: Record<number, string> = {}) =>
  [
    'Client,Dealer',
    ...Array.from({ length: count }, (_, index) => `${customers[index] ?? `Row ${index}`},Harbour New Cars`),
  ].join('\n');

const dialogOf = (tab: Page) => tab.getByRole('dialog', { name: 'Import Deals' });
const barOf = (tab: Page) => dialogOf(tab).getByRole('progressbar', { name: 'Import of deals' });
/** Waits until the bar shows this number of written rows. */
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

test('a bar shows how many rows are written, and the row count of the month changes only at the end', async () => {
  await openFile(page, '2026-01', fileOf(4100, { 2500: 'Second', 4050: 'Third' }));
  await delayImport('Third', async (untilThird) => {
    await delayImport('Second', async (untilSecond) => {
      await confirm(page, '4,100');
      await untilSecond();
      await untilWritten(page, '2000');
    });
    await untilThird();
    await untilWritten(page, '4000');
    await expect.poll(() => barOf(page).getAttribute('aria-valuetext')).toBe('4,000 of 4,100 deals');
    await dialogOf(page).getByText('4,000 of 4,100 deals').waitFor();
    await dialogOf(page).getByText('All of them are written or none.').waitFor();
    await expect.poll(() => countOf('2026-01')).toBe(0);
  });
  await page.getByText('4,100 deals imported into January 2026').waitFor();
  await dialogOf(page).waitFor({ state: 'detached' });
  await expect.poll(() => countOf('2026-01')).toBe(4100);
});

test('two simultaneous imports in two tabs show their own progress', async () => {
  const other = await page.context().newPage();
  await openFile(page, '2026-02', fileOf(4100, { 4050: 'Third' }));
  await openFile(other, '2026-03', fileOf(2100, { 2050: 'Second' }));
  await delayImport('Third', async (untilThird) => {
    await delayImport('Second', async (untilSecond) => {
      await confirm(page, '4,100');
      await untilThird();
      await untilWritten(page, '4000');
      await confirm(other, '2,100');
      await untilSecond();
      await untilWritten(other, '2000');
      await expect.poll(() => barOf(page).getAttribute('aria-valuenow')).toBe('4000');
    });
    await other.getByText('2,100 deals imported into March 2026').waitFor();
    await dialogOf(page).getByText('4,000 of 4,100 deals').waitFor();
  });
  await page.getByText('4,100 deals imported into February 2026').waitFor();
  await other.close();
});

test('a user who closes the dialog is notified afterwards, and can still undo the import', async () => {
  await openFile(page, '2026-04', fileOf(2100, { 2050: 'Second' }));
  await delayImport('Second', async (untilWaiting) => {
    await confirm(page, '2,100');
    await untilWaiting();
    const told = willShow(page, 'The import of 2,100 deals continues. You will be notified when it is done.');
    await dialogOf(page).getByRole('button', { name: 'Leave it running' }).click();
    await dialogOf(page).waitFor({ state: 'detached' });
    await told;
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await dialogOf(page).waitFor();
  });
  // It stays for 10 s, and while the pointer is on it.
  await page.getByText('2,100 deals imported into April 2026').hover();
  await expect.poll(() => dialogOf(page).count(), { message: 'the dialog of another import' }).toBe(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Took back 2,100 rows.').waitFor();
  await expect.poll(() => countOf('2026-04')).toBe(0);
});

test('a user who closes the dialog of a failing import is notified, and no row exists', async () => {
  await openFile(page, '2026-06', fileOf(2100, { 2050: 'Second' }));
  await delayImport('Second', async (untilWaiting) => {
    await confirm(page, '2,100');
    await untilWaiting();
    await dialogOf(page).getByRole('button', { name: 'Leave it running' }).click();
    // As other instances do when a server stops sending heartbeats.
    await company.db.updateTable('jobs').set({ status: 'failed' }).where('status', '=', 'running').execute();
  });
  await page.getByText('The import of 2,100 deals failed. The server stopped').waitFor();
  await expect.poll(() => countOf('2026-06')).toBe(0);
});

test('an import whose response is lost is looked up: every row exists once', async () => {
  await openFile(page, '2026-05', fileOf(2100, { 2050: 'Second' }));
  await page.route('**/api/deals/import', async (route) => {
    void route.fetch().catch(() => undefined);
    await untilWritten(page, '2000');
    await route.abort();
  });
  await delayImport('Second', async () => {
    const lost = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/deals/import'));
    await confirm(page, '2,100');
    await lost;
    await dialogOf(page).getByText('2,000 of 2,100 deals').waitFor();
  });
  await page.getByText('2,100 deals imported into May 2026').waitFor();
  await page.unroute('**/api/deals/import');
  await expect.poll(() => countOf('2026-05')).toBe(2100);
});
