import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { startCompany, type Company } from './company.fixture.ts';
import { openDataEntry, type DataEntry } from './data-entry.fixture.ts';

/** With Ann, Bob and Cid 253 more than a browser has at once. */
const ROWS = 100_250;
/** For all rows of a window to come, on a machine that is busy. */
const WHOLE_MS = 40_000;

let company: Company;
let browser: Browser;
let adas: DataEntry;

beforeAll(async () => {
  [company, browser] = await Promise.all([startCompany(), launchBrowser()]);
  await company.addMany(ROWS);
  adas = await openDataEntry(company, browser, company.admin);
}, 120_000);
afterAll(async () => {
  await adas?.close();
  await browser?.close();
  await company?.close();
});

const bar = () => adas.page.getByRole('group', { name: 'Rows of a large month' });
const says = (words: string, timeout = 10_000) => bar().getByText(words).first().waitFor({ timeout });
/** The first row of the table has this customer. */
const begins = (customer: string) =>
  adas.grid.locator('[aria-rowindex="2"] [aria-colindex="3"]').getByText(customer, { exact: true }).waitFor();
const activeText = () =>
  adas.page.evaluate(() => {
    const id = document.querySelector('[role="grid"]')?.getAttribute('aria-activedescendant');
    return document.getElementById(id ?? '')?.textContent;
  });

test('shows its newest rows and says that they are a part', async () => {
  await begins('Cid Example');
  await says('of 100,253, newest first');
  await adas.page.getByText('100,253 deals').waitFor();
});

test('is put in order by the server when a header is clicked', async () => {
  await adas.page.getByRole('columnheader', { name: 'Customer' }).first().click();
  await begins('Ann Example');
  await says('Rows 1–100,000 of 100,253, sorted by Customer', WHOLE_MS);
  await says('Ctrl+A, copying and undo reach these rows; the search looks in all.');
});

test('ends at the last of these rows, and the bar says how to go on', async () => {
  await adas.cell('Ann Example', 'Customer').click();
  await adas.press('Control+ArrowDown', 'ArrowUp');
  await expect.poll(activeText).toBe('Row 099997');
  await says('The last of these rows. Alt+Page Down brings the next ones.');
  await adas.press('Alt+PageDown');
  await begins('Row 099998');
  await expect.poll(activeText).toBe('Row 099998');
  await says('Rows 100,001–100,253 of 100,253, sorted by Customer');
});

test('is typed into where it stands; rows of others stay in their place', async () => {
  const { cell, typeInto, press, saved, page } = adas;
  await typeInto('Row 100000', 'Vehicle', 'Corolla');
  await press('Enter');
  await saved();
  await typeInto('Row 100001', 'Customer', 'Aaron First');
  await press('Enter');
  await saved();
  await begins('Row 099998');
  await cell('Aaron First', 'Customer').waitFor();
  const ann = company.deals[0]!._id;
  const { body } = await company.call('GET /deals?search=100002');
  for (const [id, notes] of [
    [ann, 'Elsewhere'],
    [body.items[0]._id, 'Here'],
  ])
    expect((await company.call(`PATCH /deals/${id}`, { body: { version: 1, notes } })).status).toBe(200);
  await cell('Row 100002', 'Notes').getByText('Here').waitFor();
  expect(await adas.row('Ann Example').count()).toBe(0);
  await page.getByText('Rows 100,001–100,253 of 100,253').first().waitFor();
});

test('goes back to the rows before, where nothing of these rows can be undone', async () => {
  await bar().getByRole('button', { name: 'Previous rows' }).click();
  await begins('Aaron First');
  await says('Rows 1–');
  await adas.press('Control+z');
  await adas.page.getByText('That was done in another month, search or part of a large month.').waitFor();
});

test('has its order again after a reload', async () => {
  await adas.page.reload();
  await begins('Aaron First');
  await says('of 100,253, sorted by Customer');
});
