import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

test('typing filters the list, and Enter chooses the highlighted option', async () => {
  const { page, cell, press, type, changes } = await openGrid();
  await cell(1, 'Status').click();
  await type('t');
  await expect
    .poll(() => page.getByRole('option').allTextContents())
    .toEqual(['To Call', 'Entered', 'Deal Not Entered']);
  await press('Enter');
  await expect.poll(() => cell(1, 'Status').textContent()).toBe('To Call');
  await expect
    .poll(() => changes())
    .toMatchObject([{ columnId: 'status', before: 'Entered', after: 'To Call' }]);
});

test('an option of the typed name comes first, then those that start with it, and with a word that does', async () => {
  const { page, cell, type } = await openGrid();
  const labels = () => page.getByRole('option').allTextContents();
  await cell(1, 'Status').click();
  await type('call');
  await expect.poll(labels).toEqual(['Called', 'To Call']);
  await type('ed');
  await expect.poll(labels).toEqual(['Called']);
  await page.keyboard.press('Escape');
  await type('e');
  await expect.poll(labels).toEqual(['Entered', 'Deal Not Entered', 'Called', 'Deal', 'No deal']);
  await page.keyboard.press('Escape');
  await type('deal');
  await expect.poll(labels).toEqual(['Deal', 'Deal Not Entered', 'No deal']);
});

test('F2 opens the complete list at the current option, arrow keys move', async () => {
  const { page, cell, press } = await openGrid();
  await cell(2, 'Status').click();
  await press('F2');
  await expect.poll(() => page.getByRole('option', { selected: true }).textContent()).toBe('Called');
  await press('ArrowDown', 'Tab');
  await expect.poll(() => cell(2, 'Status').textContent()).toBe('Deal');
});

test('a list without matches shows a message', async () => {
  const { page, cell, type, press, changes } = await openGrid();
  await cell(1, 'Status').click();
  await type('zz');
  const message = page.getByRole('option', { name: 'Nothing matches' });
  await message.waitFor();
  await expect.poll(() => message.getAttribute('aria-disabled')).toBe('true');
  await press('Backspace', 'Backspace');
  await type('t');
  await message.waitFor({ state: 'detached' });
  await press('Escape');
  await expect.poll(() => changes()).toEqual([]);
});

test('a click on an option chooses it', async () => {
  const { page, cell, editor } = await openGrid();
  await cell(3, 'Status').dblclick();
  await page.getByRole('option', { name: 'No deal' }).click();
  await expect.poll(() => cell(3, 'Status').textContent()).toBe('No deal');
  await expect.poll(() => editor.count()).toBe(0);
});
