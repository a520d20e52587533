import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

test('ten thousand rows are scrolled without blank rows', async () => {
  const { page } = await openGrid('rows=10000');
  // Checks in every frame the rendered rows at the top, middle and bottom edge.
  const blanks = await page.evaluate(async () => {
    const grid = document.querySelector('.grid-root');
    const header = document.querySelector('.grid-header');
    if (!grid || !header) return ['no grid'];
    const { left, bottom } = grid.getBoundingClientRect();
    const top = header.getBoundingClientRect().bottom;
    const found: string[] = [];
    for (let step = 0; step < 60; step++) {
      grid.scrollTop += 5000;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      for (const y of [top + 5, (top + bottom) / 2, bottom - 50]) {
        const cell = document.elementFromPoint(left + 400, y)?.closest('[role="gridcell"]');
        if (!cell?.textContent) found.push(`${grid.scrollTop} at ${y}`);
      }
    }
    return found;
  });
  expect(blanks).toEqual([]);
});

test('few rows are in the document, regardless of the number of deals', async () => {
  const { page, grid } = await openGrid('rows=100000');
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('100002');
  await page.evaluate(() => window.page.scrollToRow('row-54321'));
  await page.getByRole('gridcell', { name: 'D-54321', exact: true }).waitFor();
  await expect.poll(() => page.locator('.grid-row').count()).toBeLessThan(40);
});

test('an open editor keeps its text and the focus while scrolled out of view and back', async () => {
  const { page, grid, cell, editor, press, type, changes } = await openGrid('rows=10000');
  await cell(3, 'Sale').click();
  await type('12');
  await grid.evaluate((element) => element.scrollTo(1500, 100_000));
  await page.waitForFunction(() => !document.querySelector('[aria-rowindex="6"]'));
  await grid.evaluate((element) => element.scrollTo(0, 0));
  await page.locator('[aria-rowindex="6"]').waitFor();
  await type('34');
  await expect.poll(() => editor.inputValue()).toBe('1234');
  await press('Enter');
  await expect.poll(() => changes()).toMatchObject([{ key: 'row-3', after: 1234 }]);
});

test('the active cell keeps the keyboard while it is out of view', async () => {
  const { page, grid, cell, press, active } = await openGrid('rows=10000');
  await cell(3, 'Sale').click();
  await grid.evaluate((element) => element.scrollTo(0, 100_000));
  await page.waitForFunction(() => !document.querySelector('[aria-rowindex="6"]'));
  await expect.poll(() => active()).toMatchObject({ row: 3, header: 'Sale' });
  await press('ArrowDown');
  await expect.poll(() => active()).toMatchObject({ row: 4, header: 'Sale' });
  await page.waitForFunction(() => (document.querySelector('.grid-root')?.scrollTop ?? 0) < 200);
});

test('pinned columns stay while the others scroll', async () => {
  const { page, grid, cell } = await openGrid();
  const before = await cell(1, 'Deal no.').boundingBox();
  await grid.evaluate((element) => element.scrollTo(1200, 0));
  await page.getByRole('columnheader', { name: 'Extra 10' }).waitFor();
  await expect.poll(() => cell(1, 'Deal no.').boundingBox()).toEqual(before);
  await expect.poll(() => cell(1, 'Phone').count()).toBe(0);
});
