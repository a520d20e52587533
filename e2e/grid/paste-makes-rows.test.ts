import { expect, test } from 'vitest';
import { openGrid, useClipboardBrowser } from './grid-page.ts';
import { copyElsewhere } from './spreadsheets.fixture.ts';

useClipboardBrowser();

const THREE = 'Ann\tN-1\nBo\tN-2\nCy\tN-3';

test('pasted into the blank row, every line becomes a row, with a blank one below', async () => {
  const { page, grid, cell, press, selection } = await openGrid();
  await cell(201, 'Customer').click();
  await copyElsewhere(page, { text: THREE });
  await press('ControlOrMeta+v');
  await expect.poll(() => cell(203, 'Deal no.').textContent()).toBe('N-3');
  expect(await grid.getAttribute('aria-rowcount')).toBe('205');
  expect(await page.locator('.grid-row.unsaved').count()).toBe(4);
  expect(await selection()).toMatchObject({ rows: 3, columns: 2 });
  expect(await page.evaluate(() => window.page.commands)).toEqual(['paste']);
});

test('pasted over the last deals, what is longer goes on in new rows', async () => {
  const { page, cell, press } = await openGrid();
  await cell(1, 'Deal no.').click();
  await press('Control+ArrowDown', 'ArrowUp');
  await copyElsewhere(page, { text: 'L-1\nL-2\nL-3' });
  await press('ControlOrMeta+v');
  await expect.poll(() => cell(202, 'Deal no.').textContent()).toBe('L-3');
  // Row 200 is somebody else's.
  expect(await cell(200, 'Deal no.').textContent()).toBe('D-200');
  expect(await cell(201, 'Deal no.').textContent()).toBe('L-2');
});

test('blank lines between and after the copied ones make no rows', async () => {
  const { page, grid, cell, press } = await openGrid('rows=0');
  await cell(1, 'Customer').click();
  await copyElsewhere(page, { text: 'Ann\tN-1\n\t\nBo\tN-2\n\t\n\n' });
  await press('ControlOrMeta+v');
  await expect.poll(() => cell(2, 'Customer').textContent()).toBe('Bo');
  expect(await grid.getAttribute('aria-rowcount')).toBe('4');
});

test('who may not have that many rows is told how many did not fit', async () => {
  const { page, grid, cell, note, press } = await openGrid('rows=0&newRows=1');
  await cell(1, 'Customer').click();
  await copyElsewhere(page, { text: THREE });
  await press('ControlOrMeta+v');
  await note.getByText('1 row did not fit below the last one.').waitFor();
  expect(await cell(2, 'Customer').textContent()).toBe('Bo');
  expect(await grid.getAttribute('aria-rowcount')).toBe('4');
});
