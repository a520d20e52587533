import { expect, test } from 'vitest';
import { openGrid, useGridBrowser, type GridPage } from './grid-page.ts';

useGridBrowser();

const LONG = 'Rings back on Thursday after five, wants the blue one with the tow bar and two sets of keys';

/** The tenth row belongs to somebody else. */
async function openLong(): Promise<GridPage> {
  const opened = await openGrid();
  await opened.page.evaluate((notes) => {
    const { store } = window.page;
    store.upsert([{ ...store.get('row-10')!, notes }]);
  }, LONG);
  await expect.poll(() => opened.cell(10, 'Notes').textContent()).toBe(LONG);
  return opened;
}

test('the pointer reads a text that is wider than its cell, and only that', async () => {
  const { cell } = await openLong();
  await cell(10, 'Notes').hover();
  await expect.poll(() => cell(10, 'Notes').getAttribute('title')).toBe(LONG);
  await cell(10, 'Customer').hover();
  expect(await cell(10, 'Customer').getAttribute('title')).toBeNull();
});

test.each(['F2', 'Enter'])(
  '%s in a row of somebody else says whom to ask, and the whole text',
  async (key) => {
    const { cell, note, press } = await openLong();
    await cell(10, 'Notes').click();
    await press(key);
    await note.getByText(LONG).waitFor();
    expect(await note.textContent()).toContain('Please contact Sam for edit rights.');
    await press('ArrowLeft');
    await note.waitFor({ state: 'hidden' });
  },
);
