import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

test('Enter saves and moves down', async () => {
  const { cell, editor, changes, press, type, active } = await openGrid();
  await cell(2, 'Customer').click();
  await type('Kim Lee');
  await press('Enter');
  await expect.poll(() => cell(2, 'Customer').textContent()).toBe('Kim Lee');
  await expect.poll(() => editor.count()).toBe(0);
  await expect.poll(() => active()).toMatchObject({ row: 3, header: 'Customer' });
  await expect
    .poll(() => changes())
    .toEqual([{ key: 'row-2', columnId: 'customerName', before: 'Noah Smith', after: 'Kim Lee' }]);
});

test('Enter opens a cell with its text, and typing appends to it', async () => {
  const { cell, changes, press, type } = await openGrid();
  await cell(1, 'Sale').click();
  await press('ArrowDown', 'Enter');
  await type('5');
  await expect.poll(() => changes()).toEqual([]);
  await press('Backspace', 'Backspace', 'Enter');
  await expect.poll(() => cell(2, 'Sale').textContent()).toBe('$79.10');
  await expect.poll(() => changes()).toMatchObject([{ before: 79.19, after: 79.1 }]);
});

test('Enter on an unchanged cell sends nothing', async () => {
  const { cell, changes, press } = await openGrid();
  for (const header of ['Customer', 'Sale', 'Phone', 'Delivery', 'Follow up', 'Status']) {
    await cell(1, header).click();
    await press('F2', 'Enter');
  }
  await expect.poll(() => changes()).toEqual([]);
});

test('Shift+Enter saves and moves up', async () => {
  const { cell, press, type, active } = await openGrid();
  await cell(5, 'Deal no.').click();
  await type('D-500');
  await press('Shift+Enter');
  await expect.poll(() => active()).toMatchObject({ row: 4, header: 'Deal no.' });
  await expect.poll(() => cell(5, 'Deal no.').textContent()).toBe('D-500');
});

test('a double click opens the editor, and a click elsewhere saves', async () => {
  const { cell, editor, type, active } = await openGrid();
  await cell(1, 'Customer').dblclick();
  await expect.poll(() => editor.inputValue()).toBe('Ava Nguyen');
  await type('-Lee');
  await cell(4, 'Deal no.').click();
  await expect.poll(() => cell(1, 'Customer').textContent()).toBe('Ava Nguyen-Lee');
  await expect.poll(() => active()).toMatchObject({ row: 4, header: 'Deal no.' });
});

test('leaving the grid or its screen saves the typed text', async () => {
  const { page, cell, changes, type } = await openGrid();
  await cell(1, 'Customer').click();
  await type('First');
  await page.getByRole('button', { name: 'After' }).click();
  await cell(2, 'Customer').click();
  await type('Second');
  await page.evaluate(() => window.page.leave());
  await expect.poll(async () => (await changes()).map((change) => change.after)).toEqual(['First', 'Second']);
});

test('Delete clears a cell', async () => {
  const { cell, changes, press } = await openGrid();
  await cell(1, 'Sale').click();
  await press('Delete');
  await expect.poll(() => cell(1, 'Sale').textContent()).toBe('');
  await expect
    .poll(() => changes())
    .toEqual([{ key: 'row-1', columnId: 'saleAmount', before: 0, after: null }]);
});
