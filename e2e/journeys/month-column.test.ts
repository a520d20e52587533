import { addDeal } from '@forecourt/server/test/builders';
import { afterAll, expect, test } from 'vitest';
import { openCompany } from './company.fixture.ts';
import { openDataEntry } from './data-entry.fixture.ts';

/** Wide enough for all columns: the grid mounts the headers of visible ones only. */
const WHOLE = { viewport: { width: 3600, height: 900 } };

/** A search lists rows of several months: a column shows the month of each. */

const { company, browser } = await openCompany();
// Created in another order than that of their months.
for (const [customerName, month] of [
  ['Mia Middle', '2025-05'],
  ['Mia Late', '2025-07'],
  ['Mia Early', '2025-02'],
] as const)
  await addDeal(company, company.admin, company.dealershipId, { customerName, month });
const screen = await openDataEntry(company, browser, company.admin, { context: WHOLE });
await screen.row('Ann Example').waitFor();
afterAll(() => screen.close());

const header = (name: string) => screen.page.getByRole('columnheader', { name, exact: true });
const names = () => screen.grid.getByRole('gridcell', { name: /^Mia / }).allTextContents();

test('a month has no month column', async () => {
  await expect.poll(() => header('Month').count()).toBe(0);
  await expect.poll(() => header('Created').count()).toBe(0);
});

test('a search over all months shows the month of each row beside the customer, and sorts by it', async () => {
  await screen.page.getByRole('searchbox', { name: 'Search all months' }).fill('mia');
  await screen.row('Mia Middle').getByText('May 2025').waitFor();
  await screen.row('Mia Late').getByText('July 2025').waitFor();
  await header('Month').click();
  await expect.poll(names).toEqual(['Mia Early', 'Mia Middle', 'Mia Late']);
  await header('Month').click();
  await expect.poll(names).toEqual(['Mia Late', 'Mia Middle', 'Mia Early']);
  await screen.page.getByRole('button', { name: 'Clear search' }).click();
  await header('Month').waitFor({ state: 'detached' });
});

test('both columns can be shown in any table', async () => {
  const { page } = screen;
  await page.getByRole('button', { name: 'Columns' }).click();
  const created = page.getByRole('checkbox', { name: 'Created', exact: true });
  await expect.poll(() => created.isChecked()).toBe(false);
  await created.click();
  await page.getByRole('button', { name: 'Pin Created to the left' }).click();
  await page.keyboard.press('Escape');
  await header('Created').waitFor();
});

test('a saved view keeps them, and an older view shows neither', async () => {
  const vi = await company.addPerson({ name: 'Vi Views' });
  const save = (name: string, columns: object[]) =>
    company.call('POST /deal-views', {
      token: vi.token,
      body: {
        name,
        shared: false,
        filter: null,
        sort: { column: 'createdAt', direction: 'ascending' },
        columns,
      },
    });
  const column = (id: string) => ({ column: id, shown: true, width: null, pinned: 'left' });
  expect((await save('Old', [column('status')])).status).toBe(201);
  expect((await save('New', [column('month')])).body.columns).toEqual([column('month')]);
  const own = await openDataEntry(company, browser, vi, { context: WHOLE });
  const ownHeader = own.page.getByRole('columnheader', { name: 'Month', exact: true });
  for (const [name, count] of [
    ['New', 1],
    ['Old', 0],
  ] as const) {
    await own.page.getByRole('button', { name: /^View: / }).click();
    await own.page.getByRole('menuitem', { name, exact: true }).click();
    await expect.poll(() => ownHeader.count()).toBe(count);
  }
  await own.close();
});
