import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';
import { copyElsewhere } from './spreadsheets.fixture.ts';

useGridBrowser();

test('Ctrl+Z undoes an edit, and Ctrl+Y or Ctrl+Shift+Z redoes it', async () => {
  const { cell, press, type } = await openGrid();
  const text = () => cell(1, 'Customer').textContent();
  await cell(1, 'Customer').click();
  await type('Kim');
  await press('Enter', 'Control+z');
  await expect.poll(text).toBe('Ava Nguyen');
  await press('Control+y');
  await expect.poll(text).toBe('Kim');
  await press('Control+z', 'Control+Shift+z');
  await expect.poll(text).toBe('Kim');
});

test('a paste is one undo step, including its refused texts', async () => {
  const { page, cell, press } = await openGrid();
  await cell(1, 'Sale').click();
  await copyElsewhere(page, { text: '5\t6\nx\t7' });
  await press('ControlOrMeta+v');
  await expect.poll(() => cell(2, 'Sale').textContent()).toBe('x');
  await press('Control+z');
  await expect.poll(() => cell(2, 'Sale').textContent()).toBe('$79.19');
  await expect.poll(() => cell(1, 'Sale').textContent()).toBe('$0.00');
  await expect.poll(() => cell(2, 'Quantity').textContent()).toBe('1');
  await press('Control+y');
  await expect.poll(() => cell(2, 'Sale').textContent()).toBe('x');
  await expect.poll(() => cell(2, 'Quantity').textContent()).toBe('7');
});

test('a fill and a clear are one undo step each', async () => {
  const { cell, press } = await openGrid();
  await cell(2, 'Status').click();
  await press('Shift+ArrowDown', 'Shift+ArrowDown', 'Control+d', 'Delete');
  await expect.poll(() => cell(4, 'Status').textContent()).toBe('');
  await press('Control+z');
  await expect.poll(() => cell(4, 'Status').textContent()).toBe('Called');
  await press('Control+z');
  await expect.poll(() => cell(4, 'Status').textContent()).toBe('No deal');
  await expect.poll(() => cell(2, 'Status').textContent()).toBe('Called');
});

test('Ctrl+Z in an editor undoes its text', async () => {
  const { cell, editor, press, type } = await openGrid();
  await cell(1, 'Customer').click();
  await type('Kim');
  await press('Enter');
  await cell(2, 'Customer').click();
  await type('Lee');
  await press('Control+z');
  await expect.poll(() => editor.inputValue()).not.toBe('Lee');
  await press('Escape');
  await expect.poll(() => cell(1, 'Customer').textContent()).toBe('Kim');
});

test('a hundred steps of a table can be undone', async () => {
  const { cell, press, type } = await openGrid();
  await cell(1, 'Quantity').click();
  for (let step = 1; step <= 100; step++) {
    await type(String(step));
    await press('Enter', 'ArrowUp');
  }
  await expect.poll(() => cell(1, 'Quantity').textContent()).toBe('100');
  for (let step = 1; step <= 100; step++) await press('Control+z');
  await expect.poll(() => cell(1, 'Quantity').textContent()).toBe('0');
});
