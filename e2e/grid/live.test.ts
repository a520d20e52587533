import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

test('a live change shows, and does not move the row by itself', async () => {
  const { page, header, cell } = await openGrid();
  await header('Sale').click();
  const key = await page.evaluate(() => {
    const [first = ''] = window.page.store.getOrder();
    const row = window.page.store.get(first);
    if (row) window.page.store.upsert([{ ...row, saleAmount: 99_999, customerName: 'Changed' }]);
    return first;
  });
  await expect.poll(() => cell(1, 'Customer').textContent()).toBe('Changed');
  expect(key).toBe('row-1');
});

test('a live change leaves the cell alone in which somebody types', async () => {
  const { page, cell, editor, press, type, changes } = await openGrid();
  await cell(2, 'Customer').click();
  await type('mine');
  await page.evaluate(() => {
    const row = window.page.store.get('row-2');
    if (row) window.page.store.upsert([{ ...row, customerName: 'theirs', dealNumber: 'D-theirs' }]);
  });
  await expect.poll(() => cell(2, 'Deal no.').textContent()).toBe('D-theirs');
  expect(await editor.inputValue()).toBe('mine');
  await press('Enter');
  expect(await changes()).toMatchObject([{ before: 'Noah Smith', after: 'mine' }]);
});

test('rows that go above do not move what is being typed', async () => {
  const { page, grid, cell, editor, type } = await openGrid();
  await grid.evaluate((element) => element.scrollTo(0, 1000));
  await cell(41, 'Customer').click();
  await type('here');
  const before = await editor.boundingBox();
  await page.evaluate(() => window.page.store.remove(['row-1', 'row-2', 'row-3']));
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('199');
  await type('!');
  expect(await editor.inputValue()).toBe('here!');
  expect(await editor.boundingBox()).toEqual(before);
});

test.each([
  ['goes with an edit that is given up', 'Escape', 'D-5'],
  ['stays for an edit that is saved and taken', 'Tab', 'D-3'],
])('a row that is deleted elsewhere waits for its edit and %s', async (_, key, dealNumber) => {
  const { page, grid, cell, editor, press, type, changes, active } = await openGrid();
  await cell(3, 'Customer').click();
  await type('kept');
  await page.evaluate(() => window.page.store.remove(['row-3', 'row-4']));
  await expect.poll(() => cell(4, 'Deal no.').textContent()).toBe('D-5');
  expect(await editor.inputValue()).toBe('kept');
  await press(key);
  const saved = key === 'Tab';
  expect(await changes()).toMatchObject(saved ? [{ key: 'row-3', after: 'kept' }] : []);
  await expect.poll(() => cell(3, 'Deal no.').textContent()).toBe(dealNumber);
  // With a row that has gone nothing is active.
  if (saved) expect(await active()).toMatchObject({ row: 3, header: 'Deal no.' });
  else await expect.poll(() => grid.getAttribute('aria-activedescendant')).toBeNull();
});
