import { addDeal } from '@forecourt/server/test/builders';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { launchBrowser, type OpenPage } from '../browser.ts';
import { startCompany, type Company, type Person } from './company.fixture.ts';

let company: Company;
let browser: Browser;
let kim: Person;
let kims: OpenPage;
let page: Page;
beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), launchBrowser()]);
  kim = await company.addPerson({ name: 'Kim Novak', permissions: { dataEntry: { canAddRows: true } } });
  const due = '2026-01-02T03:04:00.000Z';
  const add = (changes: object) => addDeal(company, kim, company.dealershipId, changes);
  await add({ customerName: 'Won Wilma', status: 'Deal', saleAmount: 1000 });
  await add({ customerName: 'Lost Luke', status: 'No deal' });
  await add({
    customerName: 'Call Carl',
    status: 'To Call',
    followUpAt: due,
    customerNumber: '(0412) 345 678',
  });
  kims = await company.openAs(browser, kim);
  page = kims.page;
});
afterAll(async () => {
  await kims?.close();
  await browser?.close();
  await company?.close();
});

const part = (name: string) => page.getByRole('region', { name, exact: true });

test('a clerk sees the month and whom to call, and each figure opens the rows behind it', async () => {
  await page.goto(`${company.server.url}/dashboard`);
  await page.getByRole('link', { name: '$4,703.50', exact: true }).waitFor();
  await page.getByRole('link', { name: '50%', exact: true }).waitFor();
  await part('To call')
    .getByRole('link', { name: /Call Carl.*\(0412\) 345 678.*Overdue/ })
    .waitFor();
  await part('Failed emails').getByText('Nothing is stuck').waitFor();

  await part('By status').getByText('Deal', { exact: true }).locator('xpath=../dd/a').first().click();
  await page.getByRole('gridcell', { name: 'Won Wilma' }).waitFor();
  await page.getByText('1 deal', { exact: true }).waitFor();
  await page.getByRole('gridcell', { name: 'Lost Luke' }).waitFor({ state: 'detached' });

  await page.goBack();
  await page.getByRole('link', { name: '$4,703.50', exact: true }).click();
  await page.getByText('6 deals').waitFor();
});

test('what a colleague sells shows at once', async () => {
  await page.goto(`${company.server.url}/dashboard`);
  await page.getByRole('link', { name: '$4,703.50', exact: true }).waitFor();
  await addDeal(company, company.admin, company.dealershipId, { customerName: 'New Nel', saleAmount: 0.5 });
  await page.getByRole('link', { name: '$4,704.00', exact: true }).waitFor();
});
