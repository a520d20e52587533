import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

test.each([
  ['Sale', '12 apples', 'Please enter a valid number'],
  ['Quantity', '-1', 'Please enter a valid number'],
  ['Phone', '0412 345', 'Phone number must be in format (xxxx) xxx xxx'],
  ['Delivery', '31/2/2026', 'Please enter a valid date'],
  ['Status', 'Maybe', 'Please choose from the list'],
])('a bad %s keeps its text and shows why', async (header, text, message) => {
  const { cell, editor, note, changes, press, type } = await openGrid();
  await cell(1, header).click();
  await type(text);
  await press('Enter');
  await expect.poll(() => editor.inputValue()).toBe(text);
  await expect.poll(() => editor.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => note.textContent()).toBe(message);
  await expect.poll(() => note.isVisible()).toBe(true);
  await expect.poll(() => changes()).toEqual([]);
});

test('refused text stays marked in its cell, and the next keys go to the next cell', async () => {
  const { cell, note, changes, press, type } = await openGrid();
  await cell(1, 'Sale').click();
  await type('12 apples');
  await press('Tab');
  await type('4');
  await press('Enter');
  await expect.poll(() => cell(1, 'Sale').textContent()).toBe('12 apples');
  await expect.poll(() => cell(1, 'Sale').getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => changes()).toMatchObject([{ columnId: 'quantity', after: 4 }]);
  await cell(1, 'Sale').click();
  await expect.poll(() => note.textContent()).toBe('Please enter a valid number');
});

test('refused text survives scrolling away, and correcting it saves it', async () => {
  const { page, cell, editor, changes, press, type } = await openGrid();
  await cell(1, 'Sale').click();
  await type('12x');
  await press('Tab', 'Control+End');
  await page.waitForFunction(() => !document.querySelector('[aria-rowindex="2"]'));
  await press('Control+Home');
  await cell(1, 'Sale').click();
  await press('F2');
  await expect.poll(() => editor.inputValue()).toBe('12x');
  await press('Backspace', 'Enter');
  await expect.poll(() => cell(1, 'Sale').textContent()).toBe('$12.00');
  await expect.poll(() => cell(1, 'Sale').getAttribute('aria-invalid')).toBeNull();
  await expect.poll(() => changes()).toMatchObject([{ columnId: 'saleAmount', after: 12 }]);
});

test('corrected text is saved over the value seen when it was typed, not over later changes', async () => {
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
  await expect.poll(() => changes()).toMatchObject([{ columnId: 'saleAmount', before: 79.19, after: 12 }]);
});

test('Escape discards refused text', async () => {
  const { cell, note, press, type } = await openGrid();
  await cell(2, 'Sale').click();
  await type('abc');
  await press('Tab', 'Shift+Tab', 'F2', 'Escape');
  await expect.poll(() => cell(2, 'Sale').textContent()).toBe('$79.19');
  await expect.poll(() => note.isVisible()).toBe(false);
});

test('a refusal of the server is shown in the same way, and removed', async () => {
  const { page, cell, editor, note, press } = await openGrid();
  const refuse = (message: string | null) =>
    page.evaluate((dealNumberRefused) => {
      const { store } = window.page;
      store.upsert([{ ...store.get('row-3')!, dealNumberRefused }]);
    }, message);
  await cell(3, 'Deal no.').click();
  await refuse('This deal number is taken');
  await page.getByText('This deal number is taken').waitFor();
  const marked = cell(3, 'Deal no.');
  await expect.poll(() => marked.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => marked.getAttribute('aria-describedby')).toBe(await note.getAttribute('id'));
  await press('F2');
  await expect.poll(() => editor.getAttribute('aria-invalid')).toBe('true');
  await press('Escape');
  await refuse(null);
  await note.waitFor({ state: 'hidden' });
  await expect.poll(() => marked.getAttribute('aria-invalid')).toBeNull();
  await expect.poll(() => marked.textContent()).toBe('D-3');
});

test.each([
  ['Phone', '+61 412 345 678', '(0412) 345 678'],
  ['Sale', '$1,234.5', '$1,234.50'],
  ['Delivery', '5 mar 26', '05/03/2026'],
  ['Follow up', '5/3/26 2.30pm', '05/03/2026, 2:30 pm'],
])('%s typed in a common form is normalised and shown', async (header, typed, shown) => {
  const { cell, press, type } = await openGrid();
  await cell(2, header).click();
  await type(typed);
  await press('Enter');
  await expect.poll(() => cell(2, header).textContent()).toBe(shown);
});
