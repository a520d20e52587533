import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

test('Tab saves and moves to the next cell', async () => {
  const { cell, press, type, active } = await openGrid();
  await cell(1, 'Customer').click();
  await type('Kim Lee');
  await press('Tab');
  await type('D-77');
  await press('Tab');
  await expect.poll(() => cell(1, 'Customer').textContent()).toBe('Kim Lee');
  await expect.poll(() => cell(1, 'Deal no.').textContent()).toBe('D-77');
  await expect.poll(() => active()).toMatchObject({ row: 1, header: 'Status' });
});

test('Shift+Tab saves and moves back, to the row above from the first column', async () => {
  const { cell, press, type, active } = await openGrid();
  await cell(2, 'Deal no.').click();
  await type('D-88');
  await press('Shift+Tab', 'Shift+Tab');
  await expect.poll(() => cell(2, 'Deal no.').textContent()).toBe('D-88');
  await expect.poll(() => active()).toMatchObject({ row: 1, header: 'Extra 20' });
});

test('Enter after a run of Tabs moves to the row below, in the column where the run began', async () => {
  const { cell, press, type, active, changes } = await openGrid();
  await cell(2, 'Deal no.').click();
  await type('D-1');
  await press('Tab', 'Tab');
  await type('0412345678');
  await press('Tab', 'Shift+Tab', 'Enter', 'Enter');
  await expect.poll(active).toMatchObject({ row: 3, header: 'Deal no.' });
  await type('D-2');
  await press('Enter');
  await expect.poll(active).toMatchObject({ row: 4, header: 'Deal no.' });
  await expect.poll(() => changes()).toHaveLength(3);
});

test('selecting another cell ends a run of Tabs, and Shift+Enter stays in its column', async () => {
  const { cell, press, type, active } = await openGrid();
  await cell(2, 'Customer').click();
  await press('Tab', 'Tab', 'ArrowDown');
  await type('Called');
  await press('Enter');
  await expect.poll(active).toMatchObject({ row: 4, header: 'Status' });
  await cell(6, 'Customer').click();
  await press('Tab');
  await cell(8, 'Deal no.').click();
  await type('D-8');
  await press('Enter');
  await expect.poll(active).toMatchObject({ row: 9, header: 'Deal no.' });
  await press('Shift+Tab', 'Tab');
  await type('D-9');
  await press('Shift+Enter');
  await expect.poll(active).toMatchObject({ row: 8, header: 'Deal no.' });
});

test('Tab leaves the grid at its end, and anywhere after Escape', async () => {
  const { page, grid, cell, press } = await openGrid();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await cell(1, 'Customer').click();
  await press('Control+End', 'Tab');
  await expect.poll(() => focused()).toBe('After');
  await press('Shift+Tab');
  await expect.poll(() => grid.evaluate((element) => element === document.activeElement)).toBe(true);
  await press('Escape', 'Shift+Tab');
  await expect.poll(() => focused()).toBe('Before');
});
