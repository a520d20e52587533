import { expect, test } from 'vitest';
import { openGrid, useGridBrowser, type GridPage } from './grid-page.ts';

useGridBrowser();

const centreOf = async ({ cell }: GridPage, row: number, header: string) => {
  const box = await cell(row, header).boundingBox();
  if (!box) throw new Error(`${header} ${row} is not in sight`);
  return [box.x + box.width / 2, box.y + box.height / 2] as const;
};

async function drag(opened: GridPage, from: [number, string], to: [number, string]) {
  const { mouse } = opened.page;
  await mouse.move(...(await centreOf(opened, ...from)));
  await mouse.down();
  await mouse.move(...(await centreOf(opened, ...to)), { steps: 4 });
  await mouse.up();
}

test('Shift and arrows draw a block from the active cell, which is told by its size', async () => {
  const { page, cell, press, active, selection, selectedCells } = await openGrid();
  await cell(2, 'Deal no.').click();
  await press(
    'Shift+ArrowDown',
    'Shift+ArrowDown',
    'Shift+ArrowRight',
    'Shift+ArrowRight',
    'Shift+ArrowRight',
  );
  await page.getByText('3 by 4 cells selected').waitFor();
  expect(await selectedCells()).toBe(12);
  expect(await cell(4, 'Sale').getAttribute('aria-selected')).toBe('true');
  expect(await cell(5, 'Sale').getAttribute('aria-selected')).toBeNull();
  expect(await active()).toMatchObject({ row: 2, header: 'Deal no.' });
  expect(await selection()).toEqual({ rows: 3, columns: 4, first: 'row-2' });
});

test('back over the beginning, the block turns round', async () => {
  const { cell, press, selection } = await openGrid();
  await cell(5, 'Status').click();
  await press('Shift+ArrowDown', 'Shift+ArrowUp', 'Shift+ArrowUp', 'Shift+ArrowUp', 'Shift+ArrowLeft');
  expect(await selection()).toEqual({ rows: 3, columns: 2, first: 'row-3' });
});

test.each([['Escape'], ['ArrowDown'], ['Tab'], ['Home']])('%s ends the block', async (key) => {
  const { page, cell, press, selection, selectedCells } = await openGrid();
  await cell(2, 'Customer').click();
  await press('Shift+ArrowDown', 'Shift+ArrowRight', key);
  expect(await selectedCells()).toBe(1);
  await expect.poll(selection).toBeNull();
  expect(await page.locator('.grid-spoken').textContent()).toBe('');
});

test('a click ends the block, also on the cell where it began', async () => {
  const { cell, press, selectedCells } = await openGrid();
  await cell(2, 'Customer').click();
  await press('Shift+ArrowDown');
  expect(await selectedCells()).toBe(2);
  await cell(2, 'Customer').click();
  expect(await selectedCells()).toBe(1);
});

test('Shift and a click select everything between', async () => {
  const { cell, selection } = await openGrid();
  await cell(2, 'Customer').click();
  await cell(6, 'Phone').click({ modifiers: ['Shift'] });
  expect(await selection()).toEqual({ rows: 5, columns: 4, first: 'row-2' });
});

test('the mouse draws a block across pinned and scrolling columns', async () => {
  const opened = await openGrid();
  await drag(opened, [3, 'Sale'], [7, 'Customer']);
  expect(await opened.selection()).toEqual({ rows: 5, columns: 5, first: 'row-3' });
  expect(await opened.active()).toMatchObject({ row: 3, header: 'Sale' });
});

test('a drag held below the edge scrolls on, and stops when it is let go', async () => {
  const opened = await openGrid();
  const { page, grid, selection } = opened;
  await page.mouse.move(...(await centreOf(opened, 3, 'Status')));
  await page.mouse.down();
  const box = (await grid.boundingBox())!;
  await page.mouse.move(box.x + 400, box.y + box.height + 10, { steps: 3 });
  await expect.poll(async () => (await selection())?.rows ?? 0).toBeGreaterThan(30);
  await page.mouse.up();
  const rows = (await selection())?.rows;
  const frames = () =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await frames();
  expect((await selection())?.rows).toBe(rows);
});

test('a drag held at the right edge scrolls sideways', async () => {
  const opened = await openGrid();
  const { page, grid, selection } = opened;
  await page.mouse.move(...(await centreOf(opened, 3, 'Status')));
  await page.mouse.down();
  const box = (await grid.boundingBox())!;
  await page.mouse.move(box.x + box.width - 5, box.y + 200, { steps: 3 });
  await expect.poll(async () => (await selection())?.columns ?? 0).toBeGreaterThan(12);
  await page.mouse.up();
});

test('Ctrl+Shift and an arrow reach to the edge of the deals, and no blank row', async () => {
  const { cell, press, selection } = await openGrid();
  await cell(5, 'Status').click();
  await press('Control+Shift+ArrowDown');
  expect(await selection()).toEqual({ rows: 196, columns: 1, first: 'row-5' });
  await press('Control+Shift+ArrowUp', 'Shift+Home');
  expect(await selection()).toEqual({ rows: 5, columns: 3, first: 'row-1' });
});

test('Ctrl+A selects every cell of a hundred thousand rows, Escape none', async () => {
  const { page, cell, press, active, selection } = await openGrid('rows=100000');
  await cell(3, 'Status').click();
  await press('Control+a');
  expect(await selection()).toEqual({ rows: 100_000, columns: 30, first: 'row-1' });
  await page.getByText('100,000 by 30 cells selected').waitFor();
  expect(await active()).toMatchObject({ row: 3, header: 'Status' });
  await press('Control+Shift+End', 'Escape');
  await expect.poll(selection).toBeNull();
});

test('Shift+Space selects whole rows and Ctrl+Space whole columns, without leaving the cell', async () => {
  const { grid, cell, press, active, selection } = await openGrid();
  await cell(3, 'Status').click();
  await press('Shift+Space', 'Shift+ArrowDown');
  expect(await selection()).toEqual({ rows: 2, columns: 30, first: 'row-3' });
  expect(await grid.evaluate((element) => element.scrollLeft)).toBe(0);
  await press('Escape', 'Control+Space', 'Shift+ArrowRight');
  expect(await selection()).toEqual({ rows: 200, columns: 2, first: 'row-1' });
  expect(await grid.evaluate((element) => element.scrollTop)).toBe(0);
  expect(await active()).toMatchObject({ row: 3, header: 'Status' });
});

test('a block keeps its cells when rows come and go above it', async () => {
  const { page, cell, press, selection } = await openGrid();
  await cell(5, 'Status').click();
  await press('Shift+ArrowDown', 'Shift+ArrowDown');
  await page.evaluate(() => window.page.store.remove(['row-1', 'row-2']));
  await expect.poll(() => cell(3, 'Deal no.').textContent()).toBe('D-5');
  expect(await selection()).toEqual({ rows: 3, columns: 1, first: 'row-5' });
  expect(await cell(5, 'Status').getAttribute('aria-selected')).toBe('true');
});

test('Delete clears the block as one command and leaves what may not be changed', async () => {
  const { cell, note, changes, press, page } = await openGrid();
  await cell(8, 'Sale').click();
  await press('Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowRight', 'Delete');
  await expect.poll(() => cell(9, 'Sale').textContent()).toBe('');
  expect(await cell(10, 'Sale').textContent()).toBe('$712.71');
  expect(await note.textContent()).toBe(
    '2 cells were skipped: This data is owned by Sam. Please contact Sam for edit rights.',
  );
  expect(await page.evaluate(() => window.page.commands)).toEqual(['clear']);
  expect(await changes()).toHaveLength(4);
});
