import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { startCompany, type Company } from './company.fixture.ts';
import { openDataEntry } from './data-entry.fixture.ts';

const ROWS = 6000;

let company: Company;
let browser: Browser;

beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), launchBrowser()]);
  await company.addMany(ROWS);
});
afterAll(async () => {
  await browser?.close();
  await company?.close();
});

test('a search of thousands of rows has all of them in the table, also where they are sorted', async () => {
  const screen = await openDataEntry(company, browser, company.admin, { search: '?search=Row' });
  await screen.page.getByText('6,000 deals found').first().waitFor();
  // The rows, the header and the blank row.
  await expect.poll(() => screen.grid.getAttribute('aria-rowcount')).toBe(String(ROWS + 2));
  await screen.page.getByRole('columnheader', { name: 'Customer', exact: true }).click();
  await screen.row('Row 000001').waitFor();
  await screen.page.getByRole('columnheader', { name: 'Customer', exact: true }).click();
  await screen.row('Row 006000').waitFor();
  await screen.close();
});
