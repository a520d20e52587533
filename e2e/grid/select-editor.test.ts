import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

test('a letter narrows the list and Enter takes the marked choice', async () => {
  const { page, cell, press, type, changes } = await openGrid();
  await cell(1, 'Status').click();
  await type('t');
  expect(await page.getByRole('option').allTextContents()).toEqual([
    'To Call',
    'Entered',
    'Deal Not Entered',
  ]);
  await press('Enter');
  expect(await cell(1, 'Status').textContent()).toBe('To Call');
  expect(await changes()).toMatchObject([{ columnId: 'status', before: 'Entered', after: 'To Call' }]);
});

test('F2 opens the whole list at the present choice, arrows choose', async () => {
  const { page, cell, press } = await openGrid();
  await cell(2, 'Status').click();
  await press('F2');
  expect(await page.getByRole('option', { selected: true }).textContent()).toBe('Called');
  await press('ArrowDown', 'Tab');
  expect(await cell(2, 'Status').textContent()).toBe('Deal');
});

test('a list in which nothing matches says so', async () => {
  const { page, cell, type, press, changes } = await openGrid();
  await cell(1, 'Status').click();
  await type('zz');
  const said = page.getByRole('option', { name: 'Nothing matches' });
  await said.waitFor();
  expect(await said.getAttribute('aria-disabled')).toBe('true');
  await press('Backspace', 'Backspace');
  await type('t');
  await said.waitFor({ state: 'detached' });
  await press('Escape');
  expect(await changes()).toEqual([]);
});

test('a click chooses', async () => {
  const { page, cell, editor } = await openGrid();
  await cell(3, 'Status').dblclick();
  await page.getByRole('option', { name: 'No deal' }).click();
  expect(await cell(3, 'Status').textContent()).toBe('No deal');
  expect(await editor.count()).toBe(0);
});
