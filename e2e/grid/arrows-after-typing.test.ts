import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

test.each([
  ['ArrowDown', 3, 'Deal no.'],
  ['ArrowUp', 1, 'Deal no.'],
  ['ArrowLeft', 2, 'Customer'],
  ['ArrowRight', 2, 'Status'],
])('after typing over a cell, %s saves and moves', async (key, row, header) => {
  const { cell, editor, press, type, active, changes } = await openGrid();
  await cell(2, 'Deal no.').click();
  await type('D-99');
  await press(key);
  await expect.poll(active).toMatchObject({ row, header });
  await expect.poll(() => editor.count()).toBe(0);
  await expect.poll(() => changes()).toMatchObject([{ key: 'row-2', after: 'D-99' }]);
});

test('an arrow key leaves a cell with refused text, and the text stays', async () => {
  const { cell, press, type, active, changes } = await openGrid();
  await cell(2, 'Sale').click();
  await type('many');
  await press('ArrowDown');
  await expect.poll(active).toMatchObject({ row: 3, header: 'Sale' });
  await expect.poll(() => cell(2, 'Sale').textContent()).toBe('many');
  await expect.poll(() => cell(2, 'Sale').getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => changes()).toEqual([]);
});

test.each([
  ['F2', ['F2']],
  ['Enter', ['Enter']],
])('arrow keys move the caret in a cell opened with %s', async (_, keys) => {
  const { cell, editor, press, type } = await openGrid();
  await cell(2, 'Customer').click();
  await press(...keys, 'ArrowLeft', 'ArrowLeft');
  await type('!');
  await expect.poll(() => editor.inputValue()).toBe('Noah Smi!th');
});

test('F2, or a click into the typed text, gives the arrow keys to the caret', async () => {
  const { cell, editor, press, type } = await openGrid();
  await cell(2, 'Customer').click();
  await type('abc');
  await press('F2', 'ArrowLeft');
  await type('!');
  await expect.poll(() => editor.inputValue()).toBe('ab!c');
  await press('Escape');
  await type('xyz');
  await editor.click({ position: { x: 8, y: 8 } });
  await press('Home', 'ArrowRight');
  await type('!');
  await expect.poll(() => editor.inputValue()).toBe('x!yz');
});

test('lists, notes and cell selection use the arrow keys themselves', async () => {
  const { cell, editor, press, type, changes } = await openGrid();
  await cell(2, 'Status').click();
  await type('c');
  await press('ArrowDown', 'ArrowUp');
  await editor.click();
  await press('End');
  await type('a');
  await expect.poll(() => editor.inputValue()).toBe('ca');
  await press('Escape');
  await cell(2, 'Notes').click();
  await type('one two');
  await press('ArrowLeft', 'ArrowUp');
  await expect.poll(() => editor.count()).toBe(1);
  await press('Escape');
  await cell(2, 'Customer').click();
  await type('one two');
  await press('Shift+ArrowLeft', 'Control+ArrowLeft');
  await expect.poll(() => editor.inputValue()).toBe('one two');
  await press('Escape');
  await expect.poll(() => changes()).toEqual([]);
});
