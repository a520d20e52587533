import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';
import { copyElsewhere } from './spreadsheets.fixture.ts';

useGridBrowser();

const THREE = 'Ann\tN-1\nBo\tN-2\nCy\tN-3';

test('each line pasted into the blank row becomes a row, with a blank one below', async () => {
  const { page, grid, cell, press, selection } = await openGrid();
  await cell(201, 'Customer').click();
  await copyElsewhere(page, { text: THREE });
  await press('ControlOrMeta+v');
  await expect.poll(() => cell(203, 'Deal no.').textContent()).toBe('N-3');
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('205');
  await expect.poll(() => page.locator('.grid-row.unsaved').count()).toBe(4);
  await expect.poll(() => selection()).toMatchObject({ rows: 3, columns: 2 });
  await expect.poll(() => page.evaluate(() => window.page.commands)).toEqual(['paste']);
});

test('lines pasted beyond the last deal become new rows', async () => {
  const { page, cell, press } = await openGrid();
  await cell(1, 'Deal no.').click();
  await press('Control+ArrowDown', 'ArrowUp');
  await copyElsewhere(page, { text: 'L-1\nL-2\nL-3' });
  await press('ControlOrMeta+v');
  await expect.poll(() => cell(202, 'Deal no.').textContent()).toBe('L-3');
  // Row 200 is owned by another user.
  await expect.poll(() => cell(200, 'Deal no.').textContent()).toBe('D-200');
  await expect.poll(() => cell(201, 'Deal no.').textContent()).toBe('L-2');
});

test('blank lines between and after the copied ones create no rows', async () => {
  const { page, grid, cell, press } = await openGrid('rows=0');
  await cell(1, 'Customer').click();
  await copyElsewhere(page, { text: 'Ann\tN-1\n\t\nBo\tN-2\n\t\n\n' });
  await press('ControlOrMeta+v');
  await expect.poll(() => cell(2, 'Customer').textContent()).toBe('Bo');
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('4');
});

test('a user who may not add that many rows sees how many did not fit', async () => {
  const { page, grid, cell, note, press } = await openGrid('rows=0&newRows=1');
  await cell(1, 'Customer').click();
  await copyElsewhere(page, { text: THREE });
  await press('ControlOrMeta+v');
  await note.getByText('1 row did not fit below the last one.').waitFor();
  await expect.poll(() => cell(2, 'Customer').textContent()).toBe('Bo');
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('4');
});
