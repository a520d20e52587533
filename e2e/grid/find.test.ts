import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

test('matching cells are marked, and stepping moves from one to the next', async () => {
  const { page, active } = await openGrid();
  const next = (backwards = false) => page.evaluate((back) => window.page.findNext(back), backwards);
  await page.evaluate(() => window.page.setSearch('ava ng'));
  await page.locator('.grid-cell.found').first().waitFor();
  await expect.poll(() => page.locator('.grid-cell.found').first().textContent()).toBe('Ava Nguyen');
  const isFound = await next();
  expect(isFound).toBe(true);
  await expect.poll(active).toMatchObject({ row: 1, header: 'Customer' });
  await next();
  await expect.poll(active).toMatchObject({ row: 91, header: 'Customer' });
  await next();
  await next();
  await expect.poll(active).toMatchObject({ row: 1 });
  await next(true);
  await expect.poll(active).toMatchObject({ row: 181 });
});

test('a phone number is found regardless of its spaces', async () => {
  const { page, active } = await openGrid();
  await page.evaluate(() => window.page.setSearch('0405 035'));
  await page.locator('.grid-cell.found').waitFor();
  await page.evaluate(() => window.page.findNext(false));
  await expect.poll(active).toMatchObject({ row: 6, header: 'Phone' });
});

test('a text without matches finds nothing, also in a hundred thousand rows', async () => {
  const { page } = await openGrid('rows=100000');
  await page.evaluate(() => window.page.setSearch('zebra'));
  const isFound = await page.evaluate(() => window.page.findNext(false));
  expect(isFound).toBe(false);
});
