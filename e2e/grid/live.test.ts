import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

test('a live change is shown without moving its row', async () => {
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

test('a live change leaves the open editor unchanged', async () => {
  const { page, cell, editor, press, type, changes } = await openGrid();
  await cell(2, 'Customer').click();
  await type('mine');
  await page.evaluate(() => {
    const row = window.page.store.get('row-2');
    if (row) window.page.store.upsert([{ ...row, customerName: 'theirs', dealNumber: 'D-theirs' }]);
  });
  await expect.poll(() => cell(2, 'Deal no.').textContent()).toBe('D-theirs');
  await expect.poll(() => editor.inputValue()).toBe('mine');
  await press('Enter');
  await expect.poll(() => changes()).toMatchObject([{ before: 'Noah Smith', after: 'mine' }]);
});

test('rows removed above do not move the open editor', async () => {
  const { page, grid, cell, editor, type } = await openGrid();
  await grid.evaluate((element) => element.scrollTo(0, 1000));
  await cell(41, 'Customer').click();
  await type('here');
  const before = await editor.boundingBox();
  await page.evaluate(() => window.page.store.remove(['row-1', 'row-2', 'row-3']));
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('199');
  await type('!');
  await expect.poll(() => editor.inputValue()).toBe('here!');
  await expect.poll(() => editor.boundingBox()).toEqual(before);
});

test.each([
  ['disappears when the edit is cancelled', 'Escape', 'D-5'],
  ['stays when the edit is saved', 'Tab', 'D-3'],
])('a row deleted elsewhere waits for its open editor and %s', async (_, key, dealNumber) => {
  const { page, grid, cell, editor, press, type, changes, active } = await openGrid();
  await cell(3, 'Customer').click();
  await type('kept');
  await page.evaluate(() => window.page.store.remove(['row-3', 'row-4']));
  await expect.poll(() => cell(4, 'Deal no.').textContent()).toBe('D-5');
  await expect.poll(() => editor.inputValue()).toBe('kept');
  await press(key);
  const saved = key === 'Tab';
  await expect.poll(() => changes()).toMatchObject(saved ? [{ key: 'row-3', after: 'kept' }] : []);
  await expect.poll(() => cell(3, 'Deal no.').textContent()).toBe(dealNumber);
  // After its row was removed, no cell is active.
  if (saved) await expect.poll(() => active()).toMatchObject({ row: 3, header: 'Deal no.' });
  else await expect.poll(() => grid.getAttribute('aria-activedescendant')).toBeNull();
});
