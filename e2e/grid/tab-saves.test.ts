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
  expect(await cell(1, 'Customer').textContent()).toBe('Kim Lee');
  expect(await cell(1, 'Deal no.').textContent()).toBe('D-77');
  expect(await active()).toMatchObject({ row: 1, header: 'Status' });
});

test('Shift+Tab saves and moves back, to the row above at the first column', async () => {
  const { cell, press, type, active } = await openGrid();
  await cell(2, 'Deal no.').click();
  await type('D-88');
  await press('Shift+Tab', 'Shift+Tab');
  expect(await cell(2, 'Deal no.').textContent()).toBe('D-88');
  expect(await active()).toMatchObject({ row: 1, header: 'Extra 20' });
});

test('Tab leaves the grid at its end, and anywhere after Escape', async () => {
  const { page, grid, cell, press } = await openGrid();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await cell(1, 'Customer').click();
  await press('Control+End', 'Tab');
  expect(await focused()).toBe('After');
  await press('Shift+Tab');
  expect(await grid.evaluate((element) => element === document.activeElement)).toBe(true);
  await press('Escape', 'Shift+Tab');
  expect(await focused()).toBe('Before');
});
