import { addDeal } from '@forecourt/server/test/builders';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closePages, sharedBrowser } from '../browser.ts';
import { startCompany, type Company } from './company.fixture.ts';
import { CLERK, openDataEntry } from './data-entry.fixture.ts';

let company: Company;
let browser: Browser;

beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), sharedBrowser()]);
});
afterAll(async () => {
  await closePages();
  await company?.close();
});

test('a user who may not search all months searches the open month', async () => {
  const kim = await company.addPerson({
    name: 'Kim Month',
    permissions: { dataEntry: { ...CLERK.dataEntry, canSearchHistorical: false } },
  });
  const add = (customerName: string, month: string) =>
    addDeal(company, kim, company.dealershipId, { customerName, month });
  await add('Paula Past', '2025-03');
  await add('Paula Other', '2025-04');
  const screen = await openDataEntry(company, browser, kim, { search: '?month=2025-03' });
  await screen.row('Paula Past').waitFor();
  await expect.poll(() => screen.page.getByRole('searchbox', { name: 'Search all months' }).count()).toBe(0);
  await screen.page.getByRole('searchbox', { name: 'Search this month' }).fill('paula');
  await screen.page.getByText('1 deal found').first().waitFor();
  await screen.row('Paula Past').waitFor();
  await screen.close();
});
