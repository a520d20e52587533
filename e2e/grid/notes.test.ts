import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

test('Enter in notes inserts a line break and does not save', async () => {
  const { cell, editor, changes, press, type } = await openGrid();
  await cell(2, 'Notes').click();
  await type('first');
  await press('Enter');
  await type('second');
  await expect.poll(() => editor.inputValue()).toBe('first\nsecond');
  await expect.poll(() => changes()).toEqual([]);
});

test.each(['Control+Enter', 'Tab'])('%s saves notes with their lines', async (key) => {
  const { cell, editor, changes, press, type } = await openGrid();
  await cell(2, 'Notes').click();
  await type('first');
  await press('Enter');
  await type('second');
  await press(key);
  await expect.poll(() => editor.count()).toBe(0);
  await expect
    .poll(() => changes())
    .toMatchObject([{ columnId: 'notes', before: null, after: 'first\nsecond' }]);
});
