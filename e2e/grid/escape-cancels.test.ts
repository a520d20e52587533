import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

test('Escape cancels and leaves the cell as it was', async () => {
  const { cell, editor, changes, press, type, active } = await openGrid();
  await cell(1, 'Customer').click();
  await type('oops');
  await press('Escape');
  expect(await editor.count()).toBe(0);
  expect(await cell(1, 'Customer').textContent()).toBe('Ava Nguyen');
  expect(await active()).toMatchObject({ row: 1, header: 'Customer' });
  expect(await changes()).toEqual([]);
});

test('after Escape the keys are the grid’s again', async () => {
  const { cell, press, type, active } = await openGrid();
  await cell(1, 'Customer').click();
  await type('oops');
  await press('Escape', 'ArrowDown', 'ArrowRight');
  expect(await active()).toMatchObject({ row: 2, header: 'Deal no.' });
});
