import { describe, expect, test } from 'vitest';
import { openGrid, useGridBrowser, type GridPage } from './grid-page.ts';

useGridBrowser();

const mark = ({ page }: GridPage, row: number, columnId: string) =>
  page.evaluate((cell) => window.page.mark(cell), { key: `row-${row}`, columnId, label: 'KN' });

test('a marked cell has an outline and initials, with a tooltip, hidden from screen readers', async () => {
  const opened = await openGrid();
  const { page, cell } = opened;
  const outline = () => cell(2, 'Phone').evaluate((element) => getComputedStyle(element).boxShadow);
  await expect.poll(() => outline()).toBe('none');
  await mark(opened, 2, 'phone');
  await cell(2, 'Phone').getByTitle('KN is here').waitFor();
  await expect.poll(() => outline()).toContain('inset');
  await page.getByRole('gridcell', { name: '(0401) 007 123', exact: true }).waitFor();
  await mark(opened, 3, 'phone');
  await cell(3, 'Phone').getByTitle('KN is here').waitFor();
  await expect.poll(() => page.locator('.grid-mark').count()).toBe(1);
});

test('a mark leaves its place free of the text of its cell', async () => {
  const opened = await openGrid();
  const { cell } = opened;
  for (const [columnId, header, side] of [
    ['phone', 'Phone', 'paddingRight'],
    ['saleAmount', 'Sale', 'paddingLeft'],
  ] as const) {
    await mark(opened, 2, columnId);
    const label = cell(2, header).getByTitle('KN is here');
    const { width } = (await label.boundingBox())!;
    const free = await cell(2, header).evaluate((element, of) => getComputedStyle(element)[of], side);
    expect(Number.parseFloat(free)).toBeGreaterThanOrEqual(width);
  }
});

test('a mark scrolls with its row, out of view and back', async () => {
  const opened = await openGrid('rows=2000');
  const { page } = opened;
  await mark(opened, 2, 'phone');
  await page.locator('.grid-mark').waitFor();
  await page.evaluate(() => window.page.scrollToRow('row-1500'));
  await page.locator('.grid-mark').waitFor({ state: 'detached' });
  await page.evaluate(() => window.page.scrollToRow('row-2'));
  await page.locator('.grid-mark').waitFor();
});

test('marks appear and disappear without affecting an editor, also in its own cell', async () => {
  const opened = await openGrid();
  const { page, cell, editor, type } = opened;
  await cell(4, 'Notes').click();
  await type('Half a sen');
  const box = await editor.boundingBox();
  await mark(opened, 4, 'notes');
  await mark(opened, 4, 'status');
  await page.locator('.grid-mark').waitFor();
  await type('tence');
  await expect.poll(() => editor.inputValue()).toBe('Half a sentence');
  await expect.poll(() => editor.boundingBox()).toEqual(box);
});

test('rows without a mark are not rendered again', async () => {
  const opened = await openGrid();
  const { page } = opened;
  await mark(opened, 2, 'phone');
  await page.locator('.grid-mark').waitFor();
  const touched = await page.evaluate(async () => {
    const rows = new Set<Element>();
    const observer = new MutationObserver((records) => {
      for (const { target } of records) {
        const row = (target instanceof Element ? target : target.parentElement)?.closest('.grid-row');
        if (row) rows.add(row);
      }
    });
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    window.page.mark({ key: 'row-3', columnId: 'phone', label: 'KN' });
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    observer.disconnect();
    return rows.size;
  });
  expect(touched).toBe(2);
});

describe('a mark of a row', () => {
  const markRow = ({ page }: GridPage, row: number) =>
    page.evaluate((key) => window.page.markRow({ key, label: '2 unread comments' }), `row-${row}`);

  test('a mark of a row has a name and scrolls with its row, out of view and back', async () => {
    const opened = await openGrid('rows=2000');
    const { page } = opened;
    const mark = page.getByRole('button', { name: '2 unread comments' });
    await markRow(opened, 2);
    await mark.waitFor();
    await expect.poll(() => page.locator('[aria-rowindex="3"] .grid-row-mark').count()).toBe(2);
    await page.evaluate(() => window.page.scrollToRow('row-1500'));
    await mark.waitFor({ state: 'detached' });
    await page.evaluate(() => window.page.scrollToRow('row-2'));
    await mark.waitFor();
  });

  test('a mark of a row has a place of its own beside the checkbox', async () => {
    const opened = await openGrid();
    await markRow(opened, 2);
    const row = opened.page.locator('[aria-rowindex="3"]');
    const parts = [row.getByRole('checkbox'), row.locator('.icon'), row.getByRole('button').nth(1)];
    await parts[2]!.waitFor();
    const boxes = await Promise.all([...parts, opened.cell(2, 'Customer')].map((part) => part.boundingBox()));
    const ends = boxes.map((box) => box!.x + box!.width);
    for (const [at, box] of boxes.slice(1).entries()) expect(box!.x).toBeGreaterThanOrEqual(ends[at]! - 1);
  });

  test('a mark of a row reports a click on its dot and on its icon, which does not select the row', async () => {
    const opened = await openGrid();
    const { page } = opened;
    await markRow(opened, 3);
    await page.getByRole('button', { name: '2 unread comments' }).click();
    await page.getByRole('button', { name: '1 file' }).click();
    await expect
      .poll(() => page.evaluate(() => window.page.clickedMarks))
      .toEqual(['2 unread comments', '1 file']);
    await expect.poll(() => page.locator('.grid-row[aria-selected="true"]').count()).toBe(0);
    await page.locator('[aria-rowindex="4"]').getByRole('checkbox').click();
    await expect.poll(() => page.locator('.grid-row[aria-selected="true"]').count()).toBe(1);
  });
});
