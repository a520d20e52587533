import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

test('the blank row stays in sight below the rows, highlighted as unsaved', async () => {
  const { page, grid, cell } = await openGrid();
  const blank = page.locator('.grid-row.unsaved');
  const before = await blank.boundingBox();
  await grid.evaluate((element) => element.scrollTo(0, 2000));
  await cell(70, 'Customer').waitFor();
  expect(await blank.boundingBox()).toEqual(before);
  expect(await blank.getAttribute('aria-rowindex')).toBe('202');
});

test('sorting leaves the blank row at the end', async () => {
  const { page, header } = await openGrid();
  await header('Customer').click();
  await page.locator('[aria-sort="ascending"]').waitFor();
  expect(await page.locator('.grid-row.unsaved').getAttribute('aria-rowindex')).toBe('202');
});

test('typing into the blank row makes a row of it and another blank one below', async () => {
  const { page, grid, cell, press, type } = await openGrid();
  await cell(201, 'Customer').click();
  await type('New Buyer');
  await press('Tab');
  await type('D-900');
  await press('Tab');
  expect(await cell(201, 'Customer').textContent()).toBe('New Buyer');
  expect(await cell(201, 'Deal no.').textContent()).toBe('D-900');
  expect(await grid.getAttribute('aria-rowcount')).toBe('203');
  expect(await page.locator('.grid-row.unsaved').count()).toBe(2);
});

test('an editor stays open while its row is saved and joins the others', async () => {
  const { page, cell, editor, press, type } = await openGrid();
  await cell(201, 'Customer').click();
  await type('New Buyer');
  await press('Tab');
  await type('D-9');
  await page.evaluate(() => window.page.save('new-1'));
  await expect.poll(() => page.locator('.grid-row.unsaved').count()).toBe(1);
  await type('00');
  expect(await editor.inputValue()).toBe('D-900');
  await press('Enter');
  expect(await cell(201, 'Deal no.').textContent()).toBe('D-900');
});

test('without deals there is still the blank row', async () => {
  const { cell, press, type, changes } = await openGrid('rows=0');
  await cell(1, 'Customer').click();
  await type('First buyer');
  await press('Tab');
  expect(await changes()).toMatchObject([{ key: 'new-1', after: 'First buyer' }]);
});
