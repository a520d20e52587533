import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

test('typing opens the editor without losing the first character', async () => {
  const { cell, editor, type } = await openGrid();
  await cell(3, 'Customer').click();
  await type('Zoë 🚗 x');
  await expect.poll(() => editor.inputValue()).toBe('Zoë 🚗 x');
});

test('rows typed at maximum speed lose no key', async () => {
  const { page, cell, press, type } = await openGrid();
  await cell(11, 'Customer').click();
  const names = Array.from({ length: 9 }, (_, index) => `Buyer ${index + 1}: O’Brien-Łuć 🚙`);
  for (const name of names) {
    await type(name);
    await press('Tab');
    await type(`N${name.length}`);
    await press('Tab');
    await type('to call');
    await press('Tab');
    await type('0412345678');
    await press('Enter', 'Home');
  }
  const stored = await page.evaluate(() =>
    [...window.page.store.getOrder()].map((key) => window.page.store.get(key)),
  );
  for (const [index, customerName] of names.entries()) {
    const dealNumber = `N${customerName.length}`;
    expect(stored[index + 10]).toMatchObject({
      customerName,
      dealNumber,
      status: 'To Call',
      phone: '(0412) 345 678',
    });
  }
});

test('text of an input method is inserted, and the Enter that ends it does not save', async () => {
  const { page, cell, editor, changes, type, press } = await openGrid();
  await cell(1, 'Customer').click();
  await type('a');
  const session = await page.context().newCDPSession(page);
  await session.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
  await session.send('Input.insertText', { text: '日本' });
  await session.detach();
  await expect.poll(() => editor.inputValue()).toBe('a日本');
  await expect.poll(() => changes()).toEqual([]);
  await press('Enter');
  await expect.poll(() => changes()).toMatchObject([{ after: 'a日本' }]);
});

test('a space starts a text instead of scrolling', async () => {
  const { grid, cell, editor, press } = await openGrid();
  await cell(1, 'Customer').click();
  await press('Space');
  await expect.poll(() => editor.inputValue()).toBe(' ');
  await expect.poll(() => grid.evaluate((element) => element.scrollTop)).toBe(0);
});

test('a space on a cell opens its row where the caller opens rows; in an editor it is a text', async () => {
  const { page, cell, header, editor, press, type } = await openGrid('rows=200&opens');
  const opened = () => page.evaluate(() => window.page.opened);
  await cell(2, 'Customer').click();
  await press('Space');
  await expect.poll(opened).toEqual(['row-2']);
  await expect.poll(() => editor.count()).toBe(0);
  await type('a b');
  await expect.poll(() => editor.inputValue()).toBe('a b');
  await press('Escape', 'Shift+Space', 'Control+Space', 'Escape', 'Control+Home', 'ArrowUp', 'Space');
  await expect.poll(() => header('Customer').getAttribute('aria-sort')).toBe('ascending');
  await expect.poll(opened).toEqual(['row-2']);
});

test('typing after the active cell was scrolled out of view scrolls back and keeps every key', async () => {
  const { grid, page, cell, editor, type } = await openGrid();
  await cell(2, 'Customer').click();
  await grid.evaluate((element) => element.scrollTo(500, 4000));
  await page.waitForFunction(() => !document.querySelector('[aria-rowindex="6"]'));
  await type('back');
  await expect.poll(() => editor.inputValue()).toBe('back');
  await expect.poll(() => editor.isVisible()).toBe(true);
  await page.waitForFunction(() => document.querySelector('.grid-root')?.scrollTop !== 4000);
});
