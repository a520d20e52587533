import { expect, test } from 'vitest';
import { loadGrid, openGrid, useGridBrowser, type GridPage } from './grid-page.ts';

useGridBrowser();

const pin = ({ page }: GridPage, side: 'left' | 'right', ...columnIds: string[]) =>
  page.evaluate(([where, ids]) => ids.forEach((id) => window.page.pin(id, where)), [
    side,
    columnIds,
  ] as const);
const scrollTo = ({ grid }: GridPage, left: number) =>
  grid.evaluate((element, x) => element.scrollTo(x, 0), left);
const leftOf = async ({ header }: GridPage, name: string) => (await header(name).boundingBox())?.x;

test('pinned columns on both sides stay visible while the others scroll', async () => {
  const opened = await openGrid();
  await pin(opened, 'left', 'saleAmount', 'quantity');
  await pin(opened, 'right', 'status', 'phone');
  const names = ['Customer', 'Deal no.', 'Sale', 'Quantity', 'Status', 'Phone'];
  const places = () => Promise.all(names.map((name) => leftOf(opened, name)));
  await opened.header('Phone').waitFor();
  const before = await places();
  expect(before).toEqual(
    before.toSorted((a, b) => (a ?? 0) - (b ?? 0)).toSpliced(4, 2, before[4], before[5]),
  );
  await scrollTo(opened, 900);
  await opened.header('Extra 5').waitFor();
  await expect.poll(() => places()).toEqual(before);
  const right = (await opened.grid.boundingBox())!;
  const status = (await opened.header('Status').boundingBox())!;
  expect(right.x + right.width - (status.x + status.width)).toBeLessThan(20);
});

test('if pins would fill the width, the innermost ones scroll, and every column can be reached', async () => {
  const opened = await openGrid();
  const { page, grid, header, cell, press, active } = opened;
  await pin(
    opened,
    'left',
    'status',
    'phone',
    'saleAmount',
    'quantity',
    'deliveryDate',
    'followUpAt',
    'notes',
  );
  await pin(opened, 'right', 'extra20');
  await header('Notes').waitFor();
  await cell(2, 'Customer').click();
  await press('Control+ArrowRight', 'ArrowLeft');
  await expect.poll(async () => (await active()).text).not.toBe('');
  const reached = await page.evaluate(() => {
    const element = document.getElementById(
      document.querySelector('.grid-root')?.getAttribute('aria-activedescendant') ?? '',
    );
    const { left, right } = element!.getBoundingClientRect();
    const y = element!.getBoundingClientRect().top + 10;
    return document.elementFromPoint((left + right) / 2, y) === element;
  });
  expect(reached).toBe(true);
  await expect.poll(() => grid.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
});

test('pins are restored after a reload and can be removed', async () => {
  const opened = await loadGrid();
  const pinned = opened.page.locator('[role=columnheader][aria-colindex="4"]', { hasText: 'Notes' });
  await pin(opened, 'left', 'notes');
  await pinned.waitFor();
  await opened.page.reload();
  await pinned.waitFor();
  await opened.page.evaluate(() => window.page.pin('notes', null));
  await pinned.waitFor({ state: 'detached' });
});
