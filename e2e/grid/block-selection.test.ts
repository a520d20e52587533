import { expect, test } from 'vitest';
import { openGrid, useGridBrowser, type GridPage } from './grid-page.ts';

useGridBrowser();

const centreOf = async ({ cell }: GridPage, row: number, header: string) => {
  const box = await cell(row, header).boundingBox();
  if (!box) throw new Error(`${header} ${row} is not visible`);
  return [box.x + box.width / 2, box.y + box.height / 2] as const;
};

async function drag(opened: GridPage, from: [number, string], to: [number, string]) {
  const { mouse } = opened.page;
  await mouse.move(...(await centreOf(opened, ...from)));
  await mouse.down();
  await mouse.move(...(await centreOf(opened, ...to)), { steps: 4 });
  await mouse.up();
}

test('Shift and arrow keys select a block from the active cell and announce its size', async () => {
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
  await expect.poll(() => selectedCells()).toBe(12);
  await expect.poll(() => cell(4, 'Sale').getAttribute('aria-selected')).toBe('true');
  await expect.poll(() => cell(5, 'Sale').getAttribute('aria-selected')).toBeNull();
  await expect.poll(() => active()).toMatchObject({ row: 2, header: 'Deal no.' });
  await expect.poll(() => selection()).toEqual({ rows: 3, columns: 4, first: 'row-2' });
});

test('the block inverts when it is extended back beyond its start', async () => {
  const { cell, press, selection } = await openGrid();
  await cell(5, 'Status').click();
  await press('Shift+ArrowDown', 'Shift+ArrowUp', 'Shift+ArrowUp', 'Shift+ArrowUp', 'Shift+ArrowLeft');
  await expect.poll(() => selection()).toEqual({ rows: 3, columns: 2, first: 'row-3' });
});

test.each([['Escape'], ['ArrowDown'], ['Tab'], ['Home']])('a block of cells ends after %s', async (key) => {
  const { page, cell, press, selection, selectedCells } = await openGrid();
  await cell(2, 'Customer').click();
  await press('Shift+ArrowDown', 'Shift+ArrowRight', key);
  await expect.poll(() => selectedCells()).toBe(1);
  await expect.poll(selection).toBeNull();
  await expect.poll(() => page.locator('.grid-spoken').textContent()).toBe('');
});

test('a click ends the block, also on the cell where it began', async () => {
  const { cell, press, selectedCells } = await openGrid();
  await cell(2, 'Customer').click();
  await press('Shift+ArrowDown');
  await expect.poll(() => selectedCells()).toBe(2);
  await cell(2, 'Customer').click();
  await expect.poll(() => selectedCells()).toBe(1);
});

test('Shift and a click select all cells in between', async () => {
  const { cell, selection } = await openGrid();
  await cell(2, 'Customer').click();
  await cell(6, 'Phone').click({ modifiers: ['Shift'] });
  await expect.poll(() => selection()).toEqual({ rows: 5, columns: 4, first: 'row-2' });
});

test('dragging selects a block across pinned and scrolling columns', async () => {
  const opened = await openGrid();
  await drag(opened, [3, 'Sale'], [7, 'Customer']);
  await expect.poll(() => opened.selection()).toEqual({ rows: 5, columns: 5, first: 'row-3' });
  await expect.poll(() => opened.active()).toMatchObject({ row: 3, header: 'Sale' });
});

test('a drag below the edge scrolls, and stops when the button is released', async () => {
  const opened = await openGrid();
  const { page, grid, selection } = opened;
  await page.mouse.move(...(await centreOf(opened, 3, 'Status')));
  await page.mouse.down();
  const box = (await grid.boundingBox())!;
  await page.mouse.move(box.x + 400, box.y + box.height + 10, { steps: 3 });
  await expect.poll(async () => (await selection())?.rows ?? 0).toBeGreaterThan(30);
  await page.mouse.up();
  const frames = () =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  // The selection is reported after it is drawn.
  await frames();
  const rows = (await selection())?.rows;
  await frames();
  await expect.poll(async () => (await selection())?.rows).toBe(rows);
});

test('a drag at the right edge scrolls sideways', async () => {
  const opened = await openGrid();
  const { page, grid, selection } = opened;
  await page.mouse.move(...(await centreOf(opened, 3, 'Status')));
  await page.mouse.down();
  const box = (await grid.boundingBox())!;
  await page.mouse.move(box.x + box.width - 5, box.y + 200, { steps: 3 });
  await expect.poll(async () => (await selection())?.columns ?? 0).toBeGreaterThan(12);
  await page.mouse.up();
});

test('Ctrl+Shift and an arrow key extend to the edge of the deals, without the blank row', async () => {
  const { cell, press, selection } = await openGrid();
  await cell(5, 'Status').click();
  await press('Control+Shift+ArrowDown');
  await expect.poll(() => selection()).toEqual({ rows: 196, columns: 1, first: 'row-5' });
  await press('Control+Shift+ArrowUp', 'Shift+Home');
  await expect.poll(() => selection()).toEqual({ rows: 5, columns: 3, first: 'row-1' });
});

test('Ctrl+A selects every cell of a hundred thousand rows, Escape clears the selection', async () => {
  const { page, cell, press, active, selection } = await openGrid('rows=100000');
  await cell(3, 'Status').click();
  await press('Control+a');
  await expect.poll(() => selection()).toEqual({ rows: 100_000, columns: 30, first: 'row-1' });
  await page.getByText('100,000 by 30 cells selected').waitFor();
  await expect.poll(() => active()).toMatchObject({ row: 3, header: 'Status' });
  await press('Control+Shift+End', 'Escape');
  await expect.poll(selection).toBeNull();
});

test('Shift+Space selects whole rows and Ctrl+Space whole columns, and the active cell stays', async () => {
  const { grid, cell, press, active, selection } = await openGrid();
  await cell(3, 'Status').click();
  await press('Shift+Space', 'Shift+ArrowDown');
  await expect.poll(() => selection()).toEqual({ rows: 2, columns: 30, first: 'row-3' });
  await expect.poll(() => grid.evaluate((element) => element.scrollLeft)).toBe(0);
  await press('Escape', 'Control+Space', 'Shift+ArrowRight');
  await expect.poll(() => selection()).toEqual({ rows: 200, columns: 2, first: 'row-1' });
  await expect.poll(() => grid.evaluate((element) => element.scrollTop)).toBe(0);
  await expect.poll(() => active()).toMatchObject({ row: 3, header: 'Status' });
});

test('a block keeps its cells when rows are added or removed above it', async () => {
  const { page, cell, press, selection } = await openGrid();
  await cell(5, 'Status').click();
  await press('Shift+ArrowDown', 'Shift+ArrowDown');
  await page.evaluate(() => window.page.store.remove(['row-1', 'row-2']));
  await expect.poll(() => cell(3, 'Deal no.').textContent()).toBe('D-5');
  await expect.poll(() => selection()).toEqual({ rows: 3, columns: 1, first: 'row-5' });
  await expect.poll(() => cell(5, 'Status').getAttribute('aria-selected')).toBe('true');
});

test('a block ends when another row comes between its corners, and stays when one leaves', async () => {
  const { page, cell, press, selection, changes } = await openGrid('rows=12');
  const select = async (): Promise<void> => {
    await cell(5, 'Deal no.').click();
    await press('Shift+ArrowDown', 'Shift+ArrowDown');
    await expect.poll(() => selection()).toMatchObject({ rows: 3 });
  };
  const setOrder = (keys: string[]) => page.evaluate((order) => window.page.store.setOrder(order), keys);
  const order = await page.evaluate(() => window.page.store.getOrder());
  await select();
  await setOrder(order.filter((key) => key !== 'row-6'));
  await expect.poll(() => selection()).toMatchObject({ rows: 2, first: 'row-5' });
  await setOrder([...order]);
  await expect.poll(() => selection()).toMatchObject({ rows: 3, first: 'row-5' });
  const [first = '', ...others] = order;
  await setOrder([...others.slice(0, 5), first, ...others.slice(5)]);
  await expect.poll(() => selection()).toBeNull();
  await press('Delete');
  await expect.poll(async () => (await changes()).map(({ key }) => key)).toEqual(['row-5']);
});

test('Delete clears the block as one command and skips blocked cells', async () => {
  const { cell, note, changes, press, page } = await openGrid();
  await cell(8, 'Sale').click();
  await press('Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowRight', 'Delete');
  await expect.poll(() => cell(9, 'Sale').textContent()).toBe('');
  await expect.poll(() => cell(10, 'Sale').textContent()).toBe('$712.71');
  await expect
    .poll(() => note.textContent())
    .toBe('2 cells were skipped: This data is owned by Sam. Please contact Sam for edit rights.');
  await expect.poll(() => page.evaluate(() => window.page.commands)).toEqual(['clear']);
  await expect.poll(() => changes()).toHaveLength(4);
});
