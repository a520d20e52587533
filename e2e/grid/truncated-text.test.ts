import { expect, test } from 'vitest';
import { openGrid, useGridBrowser, type GridPage } from './grid-page.ts';

useGridBrowser();

const LONG = 'Rings back on Thursday after five, wants the blue one with the tow bar and two sets of keys';

/** Opens a grid whose tenth row is owned by another user. */
async function openLong(): Promise<GridPage> {
  const opened = await openGrid();
  await opened.page.evaluate((notes) => {
    const { store } = window.page;
    store.upsert([{ ...store.get('row-10')!, notes }]);
  }, LONG);
  await expect.poll(() => opened.cell(10, 'Notes').textContent()).toBe(LONG);
  return opened;
}

test('hovering shows the full text of a cell only if it is truncated', async () => {
  const { cell } = await openLong();
  await cell(10, 'Notes').hover();
  await expect.poll(() => cell(10, 'Notes').getAttribute('title')).toBe(LONG);
  await cell(10, 'Customer').hover();
  await expect.poll(() => cell(10, 'Customer').getAttribute('title')).toBeNull();
});

test.each(['F2', 'Enter'])(
  '%s in another user’s row shows who can change it and the full text',
  async (key) => {
    const { cell, note, press } = await openLong();
    await cell(10, 'Notes').click();
    await press(key);
    await note.getByText(LONG).waitFor();
    await expect.poll(() => note.textContent()).toContain('Please contact Sam for edit rights.');
    await press('ArrowLeft');
    await note.waitFor({ state: 'hidden' });
  },
);
