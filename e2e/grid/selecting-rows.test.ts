import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

test('a check box is labelled with its record', async () => {
  const { page, cell } = await openGrid();
  const name = await cell(3, 'Customer').textContent();
  const box = page.locator('[aria-rowindex="4"]').getByRole('checkbox', { name: `Select ${name}` });
  await box.click();
  await expect.poll(() => box.getAttribute('aria-checked')).toBe('true');
  // The label does not replace the name of the record's own cell.
  await expect
    .poll(() =>
      page
        .locator('[aria-rowindex="4"]')
        .getByRole('gridcell', { name: name ?? '' })
        .count(),
    )
    .toBe(1);
});

test('a click selects a row, Shift and a click all rows in between', async () => {
  const { page } = await openGrid();
  const selected = () => page.locator('.grid-row[aria-selected="true"]').count();
  const box = (row: number) => page.locator(`[aria-rowindex="${row + 1}"]`).getByRole('checkbox');
  await box(2).click();
  await expect.poll(() => selected()).toBe(1);
  await box(6).click({ modifiers: ['Shift'] });
  await expect.poll(() => selected()).toBe(5);
  await expect
    .poll(() => page.getByRole('checkbox', { name: 'Select all rows' }).getAttribute('aria-checked'))
    .toBe('mixed');
  await box(4).click();
  await expect.poll(() => selected()).toBe(4);
});

test('select all selects every deal and not the blank row', async () => {
  const { page, grid } = await openGrid();
  await page.getByRole('checkbox', { name: 'Select all rows' }).click();
  await expect
    .poll(() => page.getByRole('checkbox', { name: 'Select all rows' }).getAttribute('aria-checked'))
    .toBe('true');
  await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await page.locator('[aria-rowindex="201"]').waitFor();
  await expect.poll(() => page.locator('[aria-rowindex="201"]').getAttribute('aria-selected')).toBe('true');
  await expect.poll(() => page.locator('.grid-row.unsaved').getAttribute('aria-selected')).toBe('false');
});

test('Ctrl+Shift+Space toggles the rows of the selected cells', async () => {
  const { page, cell, editor, press } = await openGrid();
  const ticked = () => page.locator('.grid-row[aria-selected="true"]').count();
  await cell(3, 'Customer').click();
  await press('Shift+ArrowDown', 'Control+Shift+Space');
  await expect.poll(() => ticked()).toBe(2);
  await expect
    .poll(() => page.locator('.grid-row[aria-selected="true"]').first().getAttribute('aria-rowindex'))
    .toBe('4');
  await press('ArrowDown', 'ArrowDown', 'Shift+ArrowUp', 'Control+Shift+Space');
  await expect.poll(() => ticked()).toBe(3);
  await press('Control+Shift+Space');
  await expect.poll(() => ticked()).toBe(1);
  await expect.poll(() => editor.count()).toBe(0);
});
