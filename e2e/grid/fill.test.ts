import { expect, test } from 'vitest';
import { openGrid, useGridBrowser, type GridPage } from './grid-page.ts';

useGridBrowser();

const commands = ({ page }: GridPage) => page.evaluate(() => window.page.commands);

test('Ctrl+D fills the selection with its first row, as one command', async () => {
  const opened = await openGrid();
  const { cell, press } = opened;
  await cell(2, 'Status').click();
  await press('Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowRight', 'Control+d');
  await expect.poll(() => cell(4, 'Status').textContent()).toBe('Called');
  await expect.poll(() => cell(3, 'Phone').textContent()).toBe('(0401) 007 123');
  await expect.poll(() => cell(5, 'Status').textContent()).toBe('Deal Not Entered');
  await expect.poll(() => commands(opened)).toEqual(['fill']);
});

test('Ctrl+D in a single cell copies the value above it', async () => {
  const { cell, changes, press } = await openGrid();
  await cell(4, 'Follow up').click();
  await press('Delete', 'Control+d');
  await expect.poll(() => cell(4, 'Follow up').textContent()).toBe('05/03/2026, 2:30 pm');
  await expect
    .poll(async () => (await changes()).at(-1))
    .toMatchObject({ key: 'row-4', after: '2026-03-05T03:30:00.000Z' });
  await cell(1, 'Follow up').click();
  await press('Control+d');
  await expect.poll(() => changes()).toHaveLength(2);
});

test('Ctrl+R fills to the right; values that a column cannot parse are refused', async () => {
  const { cell, note, press } = await openGrid();
  await cell(3, 'Sale').click();
  await press('Shift+ArrowRight', 'Control+r');
  await expect.poll(() => cell(3, 'Quantity').textContent()).toBe('158.38');
  await cell(4, 'Phone').click();
  await press('Shift+ArrowRight', 'Control+r');
  await note.getByText('1 cell needs correcting: Please enter a valid number.').waitFor();
});

test('a fill skips blocked cells and reports it', async () => {
  const { cell, note, press } = await openGrid();
  await cell(9, 'Deal no.').click();
  await press('Shift+ArrowDown', 'Shift+ArrowDown', 'Control+d');
  await expect.poll(() => cell(11, 'Deal no.').textContent()).toBe('D-9');
  await expect.poll(() => cell(10, 'Deal no.').textContent()).toBe('D-10');
  await expect.poll(() => note.textContent()).toMatch(/^1 cell was skipped: This data is owned by Sam/);
});

async function dragHandle({ page, cell }: GridPage, to: [number, string]) {
  const handle = await page.locator('.grid-fill-handle').boundingBox();
  const end = await cell(...to).boundingBox();
  if (!handle || !end) throw new Error('not visible');
  await page.mouse.move(handle.x + 3, handle.y + 3);
  await page.mouse.down();
  await page.mouse.move(end.x + 20, end.y + 10, { steps: 4 });
}

test('the fill handle fills down with the pattern of the selection', async () => {
  const opened = await openGrid();
  const { page, cell, press, selection } = opened;
  await cell(2, 'Status').click();
  await press('Shift+ArrowDown');
  await dragHandle(opened, [6, 'Status']);
  await page.mouse.up();
  await expect.poll(() => cell(6, 'Status').textContent()).toBe('Called');
  await expect.poll(() => cell(4, 'Status').textContent()).toBe('Called');
  await expect.poll(() => cell(5, 'Status').textContent()).toBe('Deal');
  await expect.poll(() => selection()).toEqual({ rows: 5, columns: 1, first: 'row-2' });
  await expect.poll(() => commands(opened)).toEqual(['fill']);
});

test('the fill handle fills up, continuing the pattern before the selection', async () => {
  const opened = await openGrid();
  const { page, cell, press, selection } = opened;
  await cell(4, 'Status').click();
  await press('Shift+ArrowDown');
  await dragHandle(opened, [2, 'Status']);
  await page.mouse.up();
  await expect.poll(() => cell(2, 'Status').textContent()).toBe('No deal');
  await expect.poll(() => cell(3, 'Status').textContent()).toBe('Deal Not Entered');
  await expect.poll(() => cell(4, 'Status').textContent()).toBe('No deal');
  await expect.poll(() => selection()).toEqual({ rows: 4, columns: 1, first: 'row-2' });
  await expect.poll(() => commands(opened)).toEqual(['fill']);
});

test('the fill handle fills to the right', async () => {
  const opened = await openGrid();
  await opened.cell(3, 'Sale').click();
  await dragHandle(opened, [3, 'Quantity']);
  await opened.page.mouse.up();
  await expect.poll(() => opened.cell(3, 'Quantity').textContent()).toBe('158.38');
});

test('Escape cancels a fill', async () => {
  const opened = await openGrid();
  await opened.cell(2, 'Status').click();
  await dragHandle(opened, [6, 'Status']);
  await expect.poll(() => opened.selectedCells()).toBe(5);
  await opened.press('Escape');
  await expect.poll(() => opened.selectedCells()).toBe(1);
  await opened.page.mouse.up();
  await expect.poll(() => commands(opened)).toEqual([]);
});
