import { expect, test } from 'vitest';
import { openGrid, useGridBrowser, type GridPage } from './grid-page.ts';

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

test('a column is dragged wider, its cells with it, and the width is there after a reload', async () => {
  const opened = await openGrid();
  await dragEdge(opened, 'Phone', 60);
  expect(await widthOf(opened, 'Phone')).toBe(200);
  expect((await opened.cell(2, 'Phone').boundingBox())?.width).toBe(200);
  await opened.page.reload();
  await opened.cell(2, 'Phone').waitFor();
  expect(await widthOf(opened, 'Phone')).toBe(200);
});

test('no column becomes narrower than 50 px', async () => {
  const opened = await openGrid();
  await dragEdge(opened, 'Phone', -300);
  expect(await widthOf(opened, 'Phone')).toBe(50);
});

test('a double click on the edge fits the column to its content and 10 px', async () => {
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

test('a double click on the edge of a column with a long text leaves its edge in sight', async () => {
  const opened = await openGrid();
  const { page, cell, header } = opened;
  await cell(2, 'Notes').click();
  await page.keyboard.press('F2');
  await page.keyboard.insertText('Prefers mornings. '.repeat(200));
  await page.keyboard.press('Control+Enter');
  await header('Notes').locator('.grid-resizer').dblclick();
  const grid = await page.getByRole('grid').boundingBox();
  await expect.poll(() => widthOf(opened, 'Notes')).toBeGreaterThan((grid?.width ?? 0) / 3);
  expect(await widthOf(opened, 'Notes')).toBeLessThan(grid?.width ?? 0);
  await dragEdge(opened, 'Notes', -200);
  expect(await widthOf(opened, 'Notes')).toBeLessThan((grid?.width ?? 0) - 200);
});

test('a column is dragged to another place, and the click of the drop sorts nothing', async () => {
  const { page, header } = await openGrid();
  const [from, to] = await Promise.all([header('Sale').boundingBox(), header('Status').boundingBox()]);
  if (!from || !to) throw new Error('no header');
  await page.mouse.move(from.x + 30, from.y + 15);
  await page.mouse.down();
  await page.mouse.move(to.x + 40, to.y + 15, { steps: 5 });
  await page.mouse.up();
  const headers = await page.getByRole('columnheader').allTextContents();
  expect(headers.slice(1, 6)).toEqual(['Customer', 'Deal no.', 'Sale', 'Status', 'Phone']);
  expect(await page.locator('[aria-sort]').count()).toBe(0);
});

test('a column is moved and widened by keys', async () => {
  const opened = await openGrid();
  const { cell, header, press } = opened;
  await cell(1, 'Phone').click();
  await press('ArrowUp', 'Control+Shift+ArrowLeft', 'Shift+ArrowRight', 'Shift+ArrowRight');
  expect(await header('Phone').getAttribute('aria-colindex')).toBe('4');
  expect(await header('Status').getAttribute('aria-colindex')).toBe('5');
  expect(await widthOf(opened, 'Phone')).toBe(160);
});

test('a click on a header sorts ascending, descending, then back to the default', async () => {
  const { page, header, press } = await openGrid();
  const first = () => page.locator('[aria-rowindex="2"] [aria-colindex="6"]').textContent();
  await header('Sale').click();
  expect(await header('Sale').getAttribute('aria-sort')).toBe('ascending');
  await expect.poll(first).toBe('$0.00');
  await header('Sale').click();
  await expect.poll(first).toBe('$4,988.97');
  await page.locator('[aria-rowindex="2"] [aria-colindex="6"]').click();
  await press('ArrowUp', 'Enter');
  await expect.poll(() => page.locator('[aria-rowindex="3"] [aria-colindex="3"]').textContent()).toBe('D-2');
  expect(await page.locator('[aria-sort]').count()).toBe(0);
});
