import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

test('Escape cancels and restores the cell', async () => {
  const { cell, editor, changes, press, type, active } = await openGrid();
  await cell(1, 'Customer').click();
  await type('oops');
  await press('Escape');
  await expect.poll(() => editor.count()).toBe(0);
  await expect.poll(() => cell(1, 'Customer').textContent()).toBe('Ava Nguyen');
  await expect.poll(() => active()).toMatchObject({ row: 1, header: 'Customer' });
  await expect.poll(() => changes()).toEqual([]);
});

test('after Escape the grid handles the keys again', async () => {
  const { cell, press, type, active } = await openGrid();
  await cell(1, 'Customer').click();
  await type('oops');
  await press('Escape', 'ArrowDown', 'ArrowRight');
  await expect.poll(() => active()).toMatchObject({ row: 2, header: 'Deal no.' });
});
