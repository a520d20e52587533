import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, type OpenPage } from '../browser.ts';
import { DESKTOP, startCompany, type Company } from './company.fixture.ts';

let company: Company;
let browser: Browser;
let adas: OpenPage;
let page: Page;
beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), launchBrowser()]);
  // Rows get the rate that holds when they are written.
  const [ann] = company.deals;
  await company.call('PUT /settings/user/company/commission.newSales', { body: { value: 10 } });
  const body = { version: ann!.version, saleAmount: 1000.05, status: 'Deal' };
  await company.call(`PATCH /deals/${ann!._id}`, { body });
  // One test breaks the screen on purpose, of which React and the page tell.
  const broken = [/Cannot read properties of undefined/];
  adas = await company.openAs(browser, company.admin, { ...DESKTOP, acceptDownloads: true }, broken);
  page = adas.page;
});
afterAll(async () => {
  await adas?.close();
  await browser?.close();
  await company?.close();
});

test('a lead looks at the dealerships, goes down to their deals, and takes the figures along', async () => {
  await page.goto(`${company.server.url}/reports`);
  await page.getByText('Dealership', { exact: true }).click();
  const row = page.getByRole('row').filter({ hasText: 'Harbour New Cars' });
  await row.getByText('$3,469.05').waitFor();

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  expect(file).toContain('\r\nHarbour New Cars,3,3469.05,');
  expect(file).toContain('\r\nTotal,3,3469.05,');

  // First what it came to in each month, then the rows of one.
  await row.getByRole('link').click();
  await page.getByRole('table').getByRole('link').click();
  await page.getByRole('gridcell', { name: 'Ann Example' }).waitFor();
  await page.getByText('3 deals').waitFor();
});

test('a statement says what a person earned, row by row, and prints without the shell', async () => {
  await page.goto(`${company.server.url}/reports`);
  await page.getByRole('link', { name: 'Commission statement' }).click();
  const ann = page.getByRole('row').filter({ hasText: 'Ann Example' });
  await ann.getByText('10%').waitFor();
  await ann.getByText('$100.01').waitFor();
  await page.getByRole('row').filter({ hasText: 'Total' }).getByText('$100.01').waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('navigation').isVisible()).toBe(false);
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
  expect(await ann.isVisible()).toBe(true);
  await page.emulateMedia({ media: 'screen' });
});

test('a screen that breaks says that nothing is lost, and a reload brings it back', async () => {
  // An answer that no server of this release gives.
  await page.route('**/api/reports?*', (route) => route.fulfill({ json: {} }));
  await page.goto(`${company.server.url}/reports`);
  await page.getByText('what you typed in Data Entry is kept').waitFor();
  await page.unroute('**/api/reports?*');
  await page.getByRole('button', { name: 'Reload page' }).click();
  await page.getByRole('heading', { name: 'Reports' }).waitFor();
});

test('who may not see reports is told so', async () => {
  const kim = await company.addPerson({ permissions: { features: { viewReports: false } } });
  const kims = await company.openAs(browser, kim);
  await kims.page.goto(`${company.server.url}/reports`);
  await kims.page.getByText("You don't have permission to open this page").waitFor();
  await kims.close();
});
