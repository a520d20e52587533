import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

const REASON = 'This data is owned by Sam. Please contact Sam for edit rights.';

test.each([['x'], ['F2'], ['Enter'], ['Delete']])('a blocked cell says whom to ask on %s', async (key) => {
  const { cell, editor, note, changes, press } = await openGrid();
  await cell(10, 'Customer').click();
  expect(await note.isVisible()).toBe(false);
  await press(key);
  expect(await note.textContent()).toBe(REASON);
  expect(await note.isVisible()).toBe(true);
  expect(await editor.count()).toBe(0);
  expect(await changes()).toEqual([]);
  await press('ArrowDown');
  expect(await note.isVisible()).toBe(false);
});

test('what is said of a blocked cell goes when it is true no more', async () => {
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

test('a double click on a blocked cell says whom to ask', async () => {
  const { cell, note } = await openGrid();
  await cell(10, 'Customer').dblclick();
  expect(await note.textContent()).toBe(REASON);
  expect(await cell(10, 'Customer').getAttribute('aria-readonly')).toBe('true');
});

test('a computed cell does not open and says nothing', async () => {
  const { cell, editor, note, press, type } = await openGrid();
  await cell(1, 'Owner').click();
  await press('F2');
  await type('x');
  expect(await editor.count()).toBe(0);
  expect(await note.isVisible()).toBe(false);
});
