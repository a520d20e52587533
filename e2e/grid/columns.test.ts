import { expect, test } from 'vitest';
import { loadGrid, openGrid, useGridBrowser, type GridPage } from './grid-page.ts';

useGridBrowser();

const widthOf = async ({ header }: GridPage, name: string) => (await header(name).boundingBox())?.width;

async function dragEdge({ page, header }: GridPage, name: string, by: number) {
  const box = await header(name).locator('.grid-resizer').boundingBox();
  if (!box) throw new Error(`${name} has no edge`);
  await page.mouse.move(box.x + 4, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 4 + by / 2, box.y + 12, { steps: 3 });
  await page.mouse.move(box.x + 4 + by, box.y + 12);
  await page.mouse.up();
}

test('a column is widened by dragging, with its cells, and keeps its width after a reload', async () => {
  const opened = await loadGrid();
  await dragEdge(opened, 'Phone', 60);
  await expect.poll(() => widthOf(opened, 'Phone')).toBe(200);
  await expect.poll(async () => (await opened.cell(2, 'Phone').boundingBox())?.width).toBe(200);
  await opened.page.reload();
  await opened.cell(2, 'Phone').waitFor();
  await expect.poll(() => widthOf(opened, 'Phone')).toBe(200);
});

test('no column becomes narrower than 50 px', async () => {
  const opened = await openGrid();
  await dragEdge(opened, 'Phone', -300);
  await expect.poll(() => widthOf(opened, 'Phone')).toBe(50);
});

test('a double click on the edge fits the column to its content plus 10 px', async () => {
  const opened = await openGrid();
  await dragEdge(opened, 'Deal no.', 150);
  await opened.header('Deal no.').locator('.grid-resizer').dblclick();
  const width = (await widthOf(opened, 'Deal no.')) ?? 0;
  const content = await opened.header('Deal no.').evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element.firstChild ?? element);
    return range.getBoundingClientRect().width + 16;
  });
  expect(width).toBe(Math.ceil(content) + 10);
});

test('a double click on the edge of a column with a long text keeps the edge visible', async () => {
  const opened = await openGrid();
  const { page, cell, header } = opened;
  await cell(2, 'Notes').click();
  await page.keyboard.press('F2');
  await page.keyboard.insertText('Prefers mornings. '.repeat(200));
  await page.keyboard.press('Control+Enter');
  await header('Notes').locator('.grid-resizer').dblclick();
  const grid = await page.getByRole('grid').boundingBox();
  await expect.poll(() => widthOf(opened, 'Notes')).toBeGreaterThan((grid?.width ?? 0) / 3);
  await expect.poll(() => widthOf(opened, 'Notes')).toBeLessThan(grid?.width ?? 0);
  await dragEdge(opened, 'Notes', -200);
  await expect.poll(() => widthOf(opened, 'Notes')).toBeLessThan((grid?.width ?? 0) - 200);
});

test('dragging moves a column, and the click of the drop does not sort', async () => {
  const { page, header } = await openGrid();
  const [from, to] = await Promise.all([header('Sale').boundingBox(), header('Status').boundingBox()]);
  if (!from || !to) throw new Error('no header');
  await page.mouse.move(from.x + 30, from.y + 15);
  await page.mouse.down();
  await page.mouse.move(to.x + 40, to.y + 15, { steps: 5 });
  await page.mouse.up();
  const headers = await page.getByRole('columnheader').allTextContents();
  expect(headers.slice(1, 6)).toEqual(['Customer', 'Deal no.', 'Sale', 'Status', 'Phone']);
  await expect.poll(() => page.locator('[aria-sort]').count()).toBe(0);
});

test('the keyboard moves and resizes a column', async () => {
  const opened = await openGrid();
  const { cell, header, press } = opened;
  await cell(1, 'Phone').click();
  await press('ArrowUp', 'Control+Shift+ArrowLeft', 'Shift+ArrowRight', 'Shift+ArrowRight');
  await expect.poll(() => header('Phone').getAttribute('aria-colindex')).toBe('4');
  await expect.poll(() => header('Status').getAttribute('aria-colindex')).toBe('5');
  await expect.poll(() => widthOf(opened, 'Phone')).toBe(160);
});

test('PageUp stays in the header, and Tab moves through it and leaves the grid at its end', async () => {
  const { page, cell, press, active, grid } = await openGrid();
  await cell(1, 'Phone').click();
  await press('ArrowUp', 'PageUp');
  await expect.poll(() => active()).toMatchObject({ row: 0, header: 'Phone' });
  await press('Tab');
  await expect.poll(() => active()).toMatchObject({ row: 0, header: 'Sale' });
  await press('Shift+Tab');
  await expect.poll(() => active()).toMatchObject({ row: 0, header: 'Phone' });
  await press('End', 'Tab');
  await expect
    .poll(() => page.getByRole('button', { name: 'After' }).evaluate((it) => it === document.activeElement))
    .toBe(true);
  // Back in the grid the header keeps its position.
  await press('Shift+Tab', 'PageDown');
  await expect.poll(async () => (await active()).row).toBeGreaterThan(1);
  await expect.poll(() => grid.evaluate((it) => it === document.activeElement)).toBe(true);
});

test('a click on a header sorts ascending, descending, then by the default', async () => {
  const { page, header, press } = await openGrid();
  const first = () => page.locator('[aria-rowindex="2"] [aria-colindex="6"]').textContent();
  await header('Sale').click();
  await expect.poll(() => header('Sale').getAttribute('aria-sort')).toBe('ascending');
  await expect.poll(first).toBe('$0.00');
  await header('Sale').click();
  await expect.poll(first).toBe('$4,988.97');
  await page.locator('[aria-rowindex="2"] [aria-colindex="6"]').click();
  await press('ArrowUp', 'Enter');
  await expect.poll(() => page.locator('[aria-rowindex="3"] [aria-colindex="3"]').textContent()).toBe('D-2');
  await expect.poll(() => page.locator('[aria-sort]').count()).toBe(0);
});
