import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';
import { pasteElsewhere } from './spreadsheets.fixture.ts';

useGridBrowser();

test('a block is copied as text for a spreadsheet: numbers as numbers, dates day first, choices by name', async () => {
  const { page, cell, press } = await openGrid();
  await cell(1, 'Status').click();
  await cell(2, 'Delivery').click({ modifiers: ['Shift'] });
  await press('ControlOrMeta+c');
  await page.getByText('Copied').waitFor();
  expect((await pasteElsewhere(page)).text).toBe(
    'Entered\t(0400) 000 123\t0.00\t0\t01/03/2026\r\nCalled\t(0401) 007 123\t79.19\t1\t02/03/2026',
  );
});

test('a cell with a line break is quoted in the text and one cell in the table', async () => {
  const { page, cell, press } = await openGrid();
  await cell(1, 'Notes').click();
  await press('Shift+ArrowRight', 'ControlOrMeta+c');
  const { text, html } = await pasteElsewhere(page);
  expect(text).toBe('"Called twice\nprefers mornings"\tKim');
  const cells = await page.evaluate((markup) => {
    const table = new DOMParser().parseFromString(markup, 'text/html').querySelector('table');
    return [...(table?.rows ?? [])].map((row) => [...row.cells].map((each) => each.innerHTML));
  }, html);
  expect(cells).toEqual([[expect.stringMatching(/^Called twice<br[^>]*>prefers mornings$/), 'Kim']]);
});

test('text that looks like a formula or a number is marked as text', async () => {
  const { page, cell, press, type } = await openGrid();
  await cell(1, 'Deal no.').click();
  await type('=1+1');
  await press('Enter', 'ArrowUp', 'ControlOrMeta+c');
  expect((await pasteElsewhere(page)).html).toContain(`<td style="mso-number-format:'\\@'">=1+1</td>`);
});

test('a single cell is copied in the format of its editor', async () => {
  const { page, cell, press } = await openGrid();
  await cell(2, 'Sale').click();
  await press('ControlOrMeta+c');
  expect((await pasteElsewhere(page)).text).toBe('79.19');
});

test('copy and cut in an editor apply to its text', async () => {
  const { page, cell, editor, changes, press, type } = await openGrid();
  await cell(1, 'Customer').click();
  await type('Kim Lee');
  await press('Control+Shift+ArrowLeft', 'ControlOrMeta+x');
  await expect.poll(() => editor.inputValue()).toBe('Kim ');
  await press('Escape');
  expect((await pasteElsewhere(page)).text).toBe('Lee');
  await expect.poll(() => changes()).toEqual([]);
});

test('cut clears the values as one command and skips blocked cells', async () => {
  const { page, cell, note, press } = await openGrid();
  await cell(9, 'Deal no.').click();
  await press('Shift+ArrowDown', 'ControlOrMeta+x');
  await expect.poll(() => cell(9, 'Deal no.').textContent()).toBe('');
  await expect.poll(() => cell(10, 'Deal no.').textContent()).toBe('D-10');
  await expect.poll(() => note.textContent()).toMatch(/^1 cell was skipped: This data is owned by Sam/);
  expect((await pasteElsewhere(page)).text).toBe('D-9\r\nD-10');
  await expect.poll(() => page.evaluate(() => window.page.commands)).toEqual(['cut']);
});

test('a hundred thousand rows are copied at once', async () => {
  const { page, cell, press } = await openGrid('rows=100000');
  await cell(1, 'Deal no.').click();
  await press('Control+Space', 'Shift+ArrowRight', 'ControlOrMeta+c');
  const lines = (await pasteElsewhere(page)).text.split('\r\n');
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([
    100_000,
    'D-1\tEntered',
    expect.stringMatching(/^D-100000\t/),
  ]);
});
