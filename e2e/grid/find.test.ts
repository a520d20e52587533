import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

test('cells that hold what is looked for are marked, and the steps go from one to the next', async () => {
  const { page, active } = await openGrid();
  const next = (backwards = false) => page.evaluate((back) => window.page.findNext(back), backwards);
  await page.evaluate(() => window.page.lookFor('ava ng'));
  await page.locator('.grid-cell.found').first().waitFor();
  expect(await page.locator('.grid-cell.found').first().textContent()).toBe('Ava Nguyen');
  expect(await next()).toBe(true);
  await expect.poll(active).toMatchObject({ row: 1, header: 'Customer' });
  await next();
  await expect.poll(active).toMatchObject({ row: 91, header: 'Customer' });
  await next();
  await next();
  await expect.poll(active).toMatchObject({ row: 1 });
  await next(true);
  await expect.poll(active).toMatchObject({ row: 181 });
});

test('a phone number is found however it is spaced', async () => {
  const { page, active } = await openGrid();
  await page.evaluate(() => window.page.lookFor('0405 035'));
  await page.locator('.grid-cell.found').waitFor();
  await page.evaluate(() => window.page.findNext(false));
  await expect.poll(active).toMatchObject({ row: 6, header: 'Phone' });
});

test('what is nowhere is nowhere, also in a hundred thousand rows', async () => {
  const { page } = await openGrid('rows=100000');
  await page.evaluate(() => window.page.lookFor('zebra'));
  expect(await page.evaluate(() => window.page.findNext(false))).toBe(false);
});
