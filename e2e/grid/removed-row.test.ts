import { expect, test } from 'vitest';
import { openGrid, useGridBrowser, type GridPage } from './grid-page.ts';

useGridBrowser();

/** Opens a grid in which the third row is removed while it is active. */
async function openWithoutRow(): Promise<GridPage> {
  const opened = await openGrid();
  await opened.cell(3, 'Customer').click();
  await opened.press('Control+c');
  await opened.page.evaluate(() => window.page.store.remove(['row-3']));
  await opened.note.getByText('This row is no longer in the table').waitFor();
  return opened;
}

test('after the active row was removed, keys change no row, and a note names the ways to go on', async () => {
  const { grid, note, editor, press, type, changes } = await openWithoutRow();
  await type('meant for row 3');
  await press('Enter', 'F2', 'Delete', 'Tab', 'Control+d', 'Control+v', 'Control+x', 'Shift+ArrowDown');
  await expect.poll(() => changes()).toEqual([]);
  await expect.poll(() => editor.count()).toBe(0);
  await expect.poll(() => note.textContent()).toContain('Press an arrow key or click a cell to go on.');
  await expect.poll(() => grid.getAttribute('aria-activedescendant')).toBeNull();
  await expect.poll(() => grid.locator('[role="gridcell"][aria-selected="true"]').count()).toBe(0);
});

test('after the active row was removed, a click activates the row in its place', async () => {
  const { cell, active } = await openWithoutRow();
  // At the left edge, where the note begins.
  await cell(3, 'Customer').click({ position: { x: 4, y: 8 }, timeout: 10_000 });
  await expect.poll(active).toMatchObject({ row: 3, header: 'Customer' });
});

test.each([
  ['ArrowDown', 3, 'Customer'],
  ['ArrowUp', 2, 'Customer'],
  ['ArrowRight', 3, 'Deal no.'],
])('%s moves from the position of the removed row', async (key, row, header) => {
  const { press, note, active, type, changes } = await openWithoutRow();
  await press(key);
  await expect.poll(active).toMatchObject({ row, header });
  await expect.poll(() => note.isVisible()).toBe(false);
  await type('chosen');
  await press('Enter');
  await expect.poll(changes).toMatchObject([{ key: row === 2 ? 'row-2' : 'row-4', after: 'chosen' }]);
});

test('a line marks the position of the removed row', async () => {
  const { page, cell } = await openWithoutRow();
  const [line, next] = await Promise.all([
    page.locator('.grid-lost').boundingBox(),
    cell(3, 'Customer').boundingBox(),
  ]);
  expect(Math.abs(line!.y - next!.y)).toBeLessThanOrEqual(1);
});

test('after the active row was removed, a click with Shift activates another cell', async () => {
  const { cell, active, note } = await openWithoutRow();
  await cell(6, 'Deal no.').click({ modifiers: ['Shift'] });
  await expect.poll(active).toMatchObject({ row: 6, header: 'Deal no.' });
  await expect.poll(() => note.isVisible()).toBe(false);
});

test('a row that was removed while it was active is active again when it is restored', async () => {
  const { page, active } = await openWithoutRow();
  await page.evaluate(() => window.page.store.upsert([{ key: 'row-3', customerName: 'Back again' }]));
  await expect.poll(active).toMatchObject({ row: 200, text: 'Back again' });
});

test('the note about the removed row is not shown while the focus is elsewhere', async () => {
  const { page, cell, note, grid } = await openGrid();
  await cell(3, 'Customer').click();
  await grid.evaluate((element) => element.blur());
  await page.evaluate(() => window.page.store.remove(['row-3']));
  await expect.poll(() => grid.getAttribute('aria-activedescendant')).toBeNull();
  await expect.poll(() => note.isVisible()).toBe(false);
  await grid.focus();
  await note.getByText('no longer in the table').waitFor();
});
