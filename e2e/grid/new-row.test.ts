import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

test('the blank row stays visible below the rows, highlighted as unsaved', async () => {
  const { page, grid, cell } = await openGrid();
  const blank = page.locator('.grid-row.unsaved');
  const before = await blank.boundingBox();
  await grid.evaluate((element) => element.scrollTo(0, 2000));
  await cell(70, 'Customer').waitFor();
  await expect.poll(() => blank.boundingBox()).toEqual(before);
  await expect.poll(() => blank.getAttribute('aria-rowindex')).toBe('202');
});

test('sorting leaves the blank row at the end', async () => {
  const { page, header } = await openGrid();
  await header('Customer').click();
  await page.locator('[aria-sort="ascending"]').waitFor();
  await expect.poll(() => page.locator('.grid-row.unsaved').getAttribute('aria-rowindex')).toBe('202');
});

test('typing into the blank row creates a row and another blank one below', async () => {
  const { page, grid, cell, press, type } = await openGrid();
  await cell(201, 'Customer').click();
  await type('New Buyer');
  await press('Tab');
  await type('D-900');
  await press('Tab');
  await expect.poll(() => cell(201, 'Customer').textContent()).toBe('New Buyer');
  await expect.poll(() => cell(201, 'Deal no.').textContent()).toBe('D-900');
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('203');
  await expect.poll(() => page.locator('.grid-row.unsaved').count()).toBe(2);
});

test('an editor stays open while its row is saved and sorted in', async () => {
  const { page, cell, editor, press, type } = await openGrid();
  await cell(201, 'Customer').click();
  await type('New Buyer');
  await press('Tab');
  await type('D-9');
  await page.evaluate(() => window.page.save('new-1'));
  await expect.poll(() => page.locator('.grid-row.unsaved').count()).toBe(1);
  await type('00');
  await expect.poll(() => editor.inputValue()).toBe('D-900');
  await press('Enter');
  await expect.poll(() => cell(201, 'Deal no.').textContent()).toBe('D-900');
});

test('without deals the blank row is still shown', async () => {
  const { cell, press, type, changes } = await openGrid('rows=0');
  await cell(1, 'Customer').click();
  await type('First buyer');
  await press('Tab');
  await expect.poll(() => changes()).toMatchObject([{ key: 'new-1', after: 'First buyer' }]);
});
