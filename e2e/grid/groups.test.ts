import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openGrid, useGridBrowser, type GridPage } from './grid-page.ts';
import { copyElsewhere, pasteElsewhere } from './spreadsheets.fixture.ts';

useGridBrowser();

const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Twelve rows in six groups of two: Called (rows 2 and 8), Deal (3, 9), Deal Not Entered (5, 11), Entered (1, 7), No deal
 * (4, 10) and To Call (6, 12). With their heads: 1 Called, 2 and 3 its rows, 4 Deal, 5 and 6 its rows …
 */
async function openGroups(query = 'rows=12'): Promise<GridPage> {
  const opened = await openGrid(query);
  await opened.page.evaluate(() => window.page.groupBy('status'));
  await head(opened, 'Called').waitFor();
  return opened;
}

const head = ({ page }: GridPage, name: string) =>
  page.locator('.grid-group').filter({ hasText: new RegExp(`^Group ${name}(\\+|$)`) });
const isExpanded = (opened: GridPage, name: string) =>
  head(opened, name).locator('[aria-expanded]').getAttribute('aria-expanded');
const rowCount = ({ grid }: GridPage) => grid.getAttribute('aria-rowcount');

test('the arrow keys stop on heads, where left and right collapse and expand', async () => {
  const opened = await openGroups();
  const { cell, press, active } = opened;
  await cell(2, 'Status').click();
  await press('ArrowUp');
  await expect.poll(active).toMatchObject({ row: 1, text: 'Group Called+' });
  await press('ArrowLeft');
  await expect.poll(() => isExpanded(opened, 'Called')).toBe('false');
  await expect.poll(() => rowCount(opened)).toBe('18');
  await press('ArrowDown');
  await expect.poll(active).toMatchObject({ row: 2, text: 'Group Deal+' });
  await press('ArrowUp', 'ArrowRight');
  await expect.poll(() => rowCount(opened)).toBe('20');
  await press('Enter');
  await expect.poll(() => isExpanded(opened, 'Called')).toBe('false');
  await press('Space', 'ArrowDown');
  await expect.poll(active).toMatchObject({ row: 2, header: 'Status', text: 'Called' });
});

test('Ctrl with left and right on a head collapses and expands all groups', async () => {
  const opened = await openGroups();
  const { cell, press, active } = opened;
  await cell(5, 'Phone').click();
  await press('ArrowUp', 'Control+ArrowLeft');
  await expect.poll(() => rowCount(opened)).toBe('8');
  await expect.poll(active).toMatchObject({ row: 2, text: 'Group Deal+' });
  await press('Control+ArrowRight');
  await expect.poll(() => rowCount(opened)).toBe('20');
  await press('ArrowDown');
  await expect.poll(active).toMatchObject({ row: 5, header: 'Phone' });
});

test('the head of a cell that is hidden becomes active', async () => {
  const opened = await openGroups();
  const { page, cell, active, note } = opened;
  await cell(6, 'Phone').click();
  await page.evaluate(() => window.page.collapseAll());
  await expect.poll(() => rowCount(opened)).toBe('8');
  await expect.poll(active).toMatchObject({ row: 2, text: 'Group Deal+' });
  await expect.poll(() => note.count()).toBe(0);
});

test('Tab and Enter pass heads, and a head cannot be edited or cleared', async () => {
  const { cell, editor, press, type, active, changes } = await openGroups();
  await cell(3, 'Sale').click();
  await press('End', 'Tab');
  await expect.poll(active).toMatchObject({ row: 5, header: 'Customer' });
  await press('Shift+Tab');
  await expect.poll(active).toMatchObject({ row: 3, header: 'Extra 20' });
  await cell(3, 'Deal no.').click();
  await type('x');
  await press('Enter');
  await expect.poll(active).toMatchObject({ row: 5, header: 'Deal no.' });
  await press('ArrowUp');
  await type('y');
  await press('F2', 'Delete', 'ControlOrMeta+d');
  await expect.poll(active).toMatchObject({ row: 4 });
  await expect.poll(() => editor.count()).toBe(0);
  await expect.poll(changes).toMatchObject([{ key: 'row-8', after: 'x' }]);
});

test('a block across heads is copied, cleared and counted without them', async () => {
  const { page, cell, press, selection, changes } = await openGroups();
  await cell(3, 'Customer').click();
  await cell(5, 'Customer').click({ modifiers: ['Shift'] });
  await expect.poll(selection).toMatchObject({ rows: 2, first: 'row-8' });
  await page.getByText('2 by 1 cells selected').waitFor();
  await press('ControlOrMeta+c');
  await page.getByText('Copied').waitFor();
  expect((await pasteElsewhere(page)).text).toBe('Leo Walker\r\nMia Kaur');
  await press('Delete');
  await expect
    .poll(async () => (await changes()).map(({ key, after }) => [key, after]))
    .toEqual([
      ['row-8', null],
      ['row-3', null],
    ]);
  await press('ControlOrMeta+a');
  await expect.poll(selection).toMatchObject({ rows: 12, first: 'row-2' });
  // Its edge is drawn on the first record.
  await expect.poll(() => cell(2, 'Customer').getAttribute('class')).toContain('block-top');
});

test('a paste continues in the rows of the next group', async () => {
  const { page, cell, press, changes, selection } = await openGroups();
  await cell(3, 'Customer').click();
  await copyElsewhere(page, { text: 'Ann\nBob\nCid\nDee' });
  await press('ControlOrMeta+v');
  await expect
    .poll(async () => (await changes()).map(({ key, after }) => [key, after]))
    .toEqual([
      ['row-8', 'Ann'],
      ['row-3', 'Bob'],
      ['row-9', 'Cid'],
      ['row-5', 'Dee'],
    ]);
  await expect.poll(selection).toMatchObject({ rows: 4 });
  await cell(3, 'Customer').click();
  await cell(6, 'Customer').click({ modifiers: ['Shift'] });
  await copyElsewhere(page, { text: 'One' });
  await press('ControlOrMeta+v');
  await expect
    .poll(async () => (await changes()).slice(4).map(({ key }) => key))
    .toEqual(['row-8', 'row-3', 'row-9']);
});

test('a fill takes its pattern from rows, also from the last one of the group above', async () => {
  const { cell, press, changes } = await openGroups();
  await cell(2, 'Quantity').click();
  await cell(6, 'Quantity').click({ modifiers: ['Shift'] });
  await press('ControlOrMeta+d');
  const filled = async () => (await changes()).map(({ key, after }) => [key, after]);
  await expect.poll(filled).toEqual([
    ['row-8', 1],
    ['row-3', 1],
    ['row-9', 1],
  ]);
  await cell(8, 'Quantity').click();
  await press('ControlOrMeta+d');
  await expect.poll(async () => (await filled()).at(-1)).toEqual(['row-5', 1]);
});

test('the checkbox of a head selects its rows; select all includes collapsed groups', async () => {
  const opened = await openGroups();
  const { page, cell, press } = opened;
  const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
  const state = (name: string) => box(name).getAttribute('aria-checked');
  const selected = () => page.locator('.grid-row[aria-selected="true"]').count();
  await box('Select Deal').click();
  await expect.poll(selected).toBe(2);
  await expect.poll(() => state('Select Deal')).toBe('true');
  await page.locator('[aria-rowindex="6"]').getByRole('checkbox').click();
  await expect.poll(() => state('Select Deal')).toBe('mixed');
  await head(opened, 'Called').click();
  await box('Select all rows').click();
  await expect.poll(() => state('Select all rows')).toBe('true');
  await expect.poll(() => state('Select Called')).toBe('true');
  await cell(2, 'Customer').click();
  await press('Control+Shift+Space');
  await expect.poll(() => state('Select Deal')).toBe('false');
});

test('a click on a head collapses its group, and its button adds a row', async () => {
  const opened = await openGroups();
  const { page } = opened;
  await head(opened, 'Deal').click();
  await expect.poll(() => isExpanded(opened, 'Deal')).toBe('false');
  await expect.poll(() => rowCount(opened)).toBe('18');
  await page.getByRole('button', { name: 'Add to Deal', exact: true }).click();
  await expect.poll(() => page.evaluate(() => window.page.added)).toEqual(['group-Deal']);
  await expect.poll(() => isExpanded(opened, 'Deal')).toBe('false');
});

test('a search and a jump expand the group of their row', async () => {
  const opened = await openGroups();
  const { page, cell, active } = opened;
  await cell(2, 'Customer').click();
  await page.evaluate(() => window.page.collapseAll());
  await page.evaluate(() => window.page.setSearch('D-9'));
  await expect.poll(() => page.evaluate(() => window.page.findNext(false))).toBe(true);
  await expect.poll(active).toMatchObject({ header: 'Deal no.', text: 'D-9' });
  await expect.poll(() => isExpanded(opened, 'Deal')).toBe('true');
  await expect.poll(() => isExpanded(opened, 'Called')).toBe('false');
  await page.evaluate(() => window.page.scrollToRow('row-12'));
  await expect.poll(() => isExpanded(opened, 'To Call')).toBe('true');
});

test.each(['Shift', 'a drag'])(
  'a block made by %s ends when one of its corners moves to another group',
  async (by) => {
    const { page, cell, press, selection, changes } = await openGroups();
    await cell(3, 'Deal no.').click();
    if (by === 'Shift') await cell(5, 'Deal no.').click({ modifiers: ['Shift'] });
    else await cell(3, 'Deal no.').dragTo(cell(5, 'Deal no.'));
    await expect.poll(selection).toMatchObject({ rows: 2, first: 'row-8' });
    await page.evaluate(() => {
      const { store, groupBy } = window.page;
      const row = store.get('row-3');
      if (row) store.upsert([{ ...row, status: 'No deal' }]);
      groupBy('status');
    });
    await expect.poll(selection).toBeNull();
    await press('Delete');
    await expect.poll(async () => (await changes()).map(({ key }) => key)).toEqual(['row-8']);
  },
);

test('a row that joins a group above leaves the active cell at its place on the screen', async () => {
  const { page, grid, cell } = await openGroups('rows=200');
  await grid.evaluate((element) => element.scrollTo(0, 1700));
  await cell(60, 'Customer').click();
  const place = () =>
    page.locator('.grid-cell.active').evaluate((element) => element.getBoundingClientRect().top);
  const name = await page.locator('.grid-cell.active').textContent();
  const before = await place();
  await page.evaluate(() => {
    const { store, groupBy } = window.page;
    for (const key of ['row-6', 'row-12']) store.upsert([{ ...store.get(key), key, status: 'Called' }]);
    groupBy('status');
  });
  await page.locator('[aria-rowindex="63"] .grid-cell.active').waitFor();
  await expect.poll(() => page.locator('.grid-cell.active').textContent()).toBe(name);
  await expect.poll(place).toBe(before);
});

test.each(['light', 'dark'])('axe finds nothing in %s with groups', async (scheme) => {
  const opened = await openGroups(`rows=12&scheme=${scheme}`);
  await head(opened, 'Deal').click();
  await opened.page.evaluate(axe);
  const violations = await opened.page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run: (selector: string) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
      };
    };
    const result = await axe.run('.grid-root');
    return result.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
  expect(violations).toEqual([]);
});
