import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { startCompany, type Company } from './company.fixture.ts';
import { openDataEntry, type DataEntry } from './data-entry.fixture.ts';

let company: Company;
let browser: Browser;
let screen: DataEntry;

beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), launchBrowser()]);
  screen = await openDataEntry(company, browser, company.admin);
  await screen.row('Ann Example').waitFor();
});
afterAll(async () => {
  await screen?.close();
  await browser?.close();
  await company?.close();
});

const hasKeys = () => screen.grid.evaluate((grid) => grid === document.activeElement);
const isActive = (...cell: Parameters<DataEntry['cell']>) =>
  screen.cell(...cell).getAttribute('aria-selected');

test('from the search an arrow leads to what was found, and Escape back to where one stood', async () => {
  await screen.cell('Cid Example', 'Vehicle').click();
  await screen.press('Control+f');
  await screen.page.keyboard.type('bob');
  await screen.row('Ann Example').waitFor({ state: 'detached' });
  await screen.page.getByRole('status').filter({ hasText: '1 deal found' }).waitFor();
  await screen.press('ArrowDown');
  await expect.poll(hasKeys).toBe(true);
  await expect.poll(() => isActive('Bob Example', 'Customer')).toBe('true');

  await screen.press('Control+f', 'Escape');
  await screen.row('Ann Example').waitFor();
  expect(await hasKeys()).toBe(false);
  await screen.press('Escape');
  await expect.poll(hasKeys).toBe(true);
  await expect.poll(() => isActive('Bob Example', 'Customer')).toBe('true');
});

test('in an empty month the words about it make room for a row that is not saved yet', async () => {
  await screen.page.getByRole('button', { name: 'Next month' }).click();
  const words = screen.page.getByText('Type a customer and a dealership to make the first one.');
  await words.waitFor();
  await screen.press('Alt+n');
  await screen.typeCells(['Fay First']);
  await screen.press('Tab');
  await screen.page.getByText('1 unsaved row').waitFor();
  await words.waitFor({ state: 'detached' });
});
