import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

const REASON = 'This data is owned by Sam. Please contact Sam for edit rights.';

test.each([['x'], ['F2'], ['Enter'], ['Delete']])(
  'a blocked cell shows who can change it on %s',
  async (key) => {
    const { cell, editor, note, changes, press } = await openGrid();
    await cell(10, 'Customer').click();
    await expect.poll(() => note.isVisible()).toBe(false);
    await press(key);
    await expect.poll(() => note.textContent()).toBe(REASON);
    await expect.poll(() => note.isVisible()).toBe(true);
    await expect.poll(() => editor.count()).toBe(0);
    await expect.poll(() => changes()).toEqual([]);
    await press('ArrowDown');
    await expect.poll(() => note.isVisible()).toBe(false);
  },
);

test('the note of a blocked cell disappears when it no longer applies', async () => {
  const { page, cell, note, press } = await openGrid();
  await cell(10, 'Customer').click();
  await press('F2');
  await note.getByText(REASON).waitFor();
  await page.evaluate(() => {
    const { store } = window.page;
    store.upsert([{ ...store.get('row-10')!, owner: 'Kim' }]);
  });
  await note.waitFor({ state: 'hidden' });
});

test('a double click on a blocked cell shows who can change it', async () => {
  const { cell, note } = await openGrid();
  await cell(10, 'Customer').dblclick();
  await expect.poll(() => note.textContent()).toBe(REASON);
  await expect.poll(() => cell(10, 'Customer').getAttribute('aria-readonly')).toBe('true');
});

test('a computed cell does not open and shows no note', async () => {
  const { cell, editor, note, press, type } = await openGrid();
  await cell(1, 'Owner').click();
  await press('F2');
  await type('x');
  await expect.poll(() => editor.count()).toBe(0);
  await expect.poll(() => note.isVisible()).toBe(false);
});
