import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

test('Enter in notes makes a new line and does not save', async () => {
  const { cell, editor, changes, press, type } = await openGrid();
  await cell(2, 'Notes').click();
  await type('first');
  await press('Enter');
  await type('second');
  expect(await editor.inputValue()).toBe('first\nsecond');
  expect(await changes()).toEqual([]);
});

test.each(['Control+Enter', 'Tab'])('%s saves notes with their lines', async (key) => {
  const { cell, editor, changes, press, type } = await openGrid();
  await cell(2, 'Notes').click();
  await type('first');
  await press('Enter');
  await type('second');
  await press(key);
  expect(await editor.count()).toBe(0);
  expect(await changes()).toMatchObject([{ columnId: 'notes', before: null, after: 'first\nsecond' }]);
});
