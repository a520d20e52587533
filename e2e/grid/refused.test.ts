import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

test.each([
  ['Sale', '12 apples', 'Please enter a valid number'],
  ['Quantity', '-1', 'Please enter a valid number'],
  ['Phone', '0412 345', 'Phone number must be in format (xxxx) xxx xxx'],
  ['Delivery', '31/2/2026', 'Please enter a valid date'],
  ['Status', 'Maybe', 'Please choose from the list'],
])('a bad %s keeps its text and says why', async (header, text, message) => {
  const { cell, editor, note, changes, press, type } = await openGrid();
  await cell(1, header).click();
  await type(text);
  await press('Enter');
  expect(await editor.inputValue()).toBe(text);
  expect(await editor.getAttribute('aria-invalid')).toBe('true');
  expect(await note.textContent()).toBe(message);
  expect(await note.isVisible()).toBe(true);
  expect(await changes()).toEqual([]);
});

test('moving on leaves the refused text in its cell, marked, and the next keys go to the next cell', async () => {
  const { cell, note, changes, press, type } = await openGrid();
  await cell(1, 'Sale').click();
  await type('12 apples');
  await press('Tab');
  await type('4');
  await press('Enter');
  expect(await cell(1, 'Sale').textContent()).toBe('12 apples');
  expect(await cell(1, 'Sale').getAttribute('aria-invalid')).toBe('true');
  expect(await changes()).toMatchObject([{ columnId: 'quantity', after: 4 }]);
  await cell(1, 'Sale').click();
  expect(await note.textContent()).toBe('Please enter a valid number');
});

test('refused text survives scrolling away, and putting it right saves it', async () => {
  const { page, cell, editor, changes, press, type } = await openGrid();
  await cell(1, 'Sale').click();
  await type('12x');
  await press('Tab', 'Control+End');
  await page.waitForFunction(() => !document.querySelector('[aria-rowindex="2"]'));
  await press('Control+Home');
  await cell(1, 'Sale').click();
  await press('F2');
  expect(await editor.inputValue()).toBe('12x');
  await press('Backspace', 'Enter');
  expect(await cell(1, 'Sale').textContent()).toBe('$12.00');
  expect(await cell(1, 'Sale').getAttribute('aria-invalid')).toBeNull();
  expect(await changes()).toMatchObject([{ columnId: 'saleAmount', after: 12 }]);
});

test('refused text is put right over what was seen when it was typed, not over what others made of the cell', async () => {
  const { page, cell, changes, press, type } = await openGrid();
  await cell(2, 'Sale').click();
  await type('12x');
  await press('Tab');
  await page.evaluate(() => {
    const { store } = window.page;
    store.upsert([{ ...store.get('row-2')!, saleAmount: 500 }]);
  });
  await cell(2, 'Sale').click();
  await press('F2', 'Backspace', 'Enter');
  expect(await changes()).toMatchObject([{ columnId: 'saleAmount', before: 79.19, after: 12 }]);
});

test('Escape gives refused text up', async () => {
  const { cell, note, press, type } = await openGrid();
  await cell(2, 'Sale').click();
  await type('abc');
  await press('Tab', 'Shift+Tab', 'F2', 'Escape');
  expect(await cell(2, 'Sale').textContent()).toBe('$79.19');
  expect(await note.isVisible()).toBe(false);
});

test('a refusal of the server is shown in the same way, and withdrawn', async () => {
  const { page, cell, editor, note, press } = await openGrid();
  const say = (message: string | null) =>
    page.evaluate((dealNumberRefused) => {
      const { store } = window.page;
      store.upsert([{ ...store.get('row-3')!, dealNumberRefused }]);
    }, message);
  await cell(3, 'Deal no.').click();
  await say('This deal number is taken');
  await page.getByText('This deal number is taken').waitFor();
  const marked = cell(3, 'Deal no.');
  expect(await marked.getAttribute('aria-invalid')).toBe('true');
  expect(await marked.getAttribute('aria-describedby')).toBe(await note.getAttribute('id'));
  await press('F2');
  expect(await editor.getAttribute('aria-invalid')).toBe('true');
  await press('Escape');
  await say(null);
  await note.waitFor({ state: 'hidden' });
  expect(await marked.getAttribute('aria-invalid')).toBeNull();
  expect(await marked.textContent()).toBe('D-3');
});

test.each([
  ['Phone', '+61 412 345 678', '(0412) 345 678'],
  ['Sale', '$1,234.5', '$1,234.50'],
  ['Delivery', '5 mar 26', '05/03/2026'],
  ['Follow up', '5/3/26 2.30pm', '05/03/2026, 2:30 pm'],
])('%s typed in a common form is put right and shown', async (header, typed, shown) => {
  const { cell, press, type } = await openGrid();
  await cell(2, header).click();
  await type(typed);
  await press('Enter');
  expect(await cell(2, header).textContent()).toBe(shown);
});
