import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

test('keys move through the grid', async () => {
  const { cell, press, active } = await openGrid();
  await cell(2, 'Status').click();
  const steps: [string, number, string][] = [
    ['ArrowRight', 2, 'Phone'],
    ['ArrowDown', 3, 'Phone'],
    ['ArrowLeft', 3, 'Status'],
    ['Home', 3, 'Customer'],
    ['End', 3, 'Extra 20'],
    ['Control+ArrowDown', 201, 'Extra 20'],
    ['Control+Home', 1, 'Customer'],
    ['Control+End', 201, 'Extra 20'],
    ['Control+ArrowLeft', 201, 'Customer'],
    ['Control+ArrowUp', 1, 'Customer'],
    ['ArrowUp', 0, 'Customer'],
    ['ArrowDown', 1, 'Customer'],
  ];
  for (const [key, row, header] of steps) {
    await press(key);
    await expect.poll(async () => ({ key, ...(await active()) })).toMatchObject({ key, row, header });
  }
});

test('PageDown moves by the visible rows, and the active cell stays visible', async () => {
  const { grid, cell, press, active } = await openGrid();
  await cell(1, 'Customer').click();
  await press('PageDown', 'PageDown');
  const { row } = await active();
  expect(row).toBeGreaterThan(20);
  const [box, frame] = await Promise.all([cell(row, 'Customer').boundingBox(), grid.boundingBox()]);
  expect(box?.y).toBeGreaterThan(frame?.y ?? 0);
  expect((box?.y ?? 0) + 32).toBeLessThan((frame?.y ?? 0) + (frame?.height ?? 0));
  await press('PageUp', 'PageUp');
  await expect.poll(() => active()).toMatchObject({ row: 1 });
});

test('a cell far to the right is scrolled out from under the pinned columns', async () => {
  const { page, cell, press } = await openGrid();
  await cell(1, 'Status').click();
  await press('End', ...Array.from({ length: 25 }, () => 'ArrowLeft'));
  const [box, pinned] = await Promise.all([cell(1, 'Sale').boundingBox(), cell(1, 'Deal no.').boundingBox()]);
  expect(box?.x).toBeGreaterThanOrEqual((pinned?.x ?? 0) + (pinned?.width ?? 0));
  await expect.poll(() => page.evaluate(() => document.querySelectorAll('.grid-cell.active').length)).toBe(1);
});
