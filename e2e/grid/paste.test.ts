import { expect, test } from 'vitest';
import { openGrid, useGridBrowser, type GridPage } from './grid-page.ts';
import { copyElsewhere, EXCEL_HTML, SHEETS_HTML } from './spreadsheets.fixture.ts';

useGridBrowser();

/** Returns the texts of some rows and columns. */
async function texts({ cell }: GridPage, rows: readonly number[], headers: readonly string[]) {
  return Promise.all(
    rows.map((row) =>
      Promise.all(headers.map(async (header) => (await cell(row, header).textContent()) ?? '')),
    ),
  );
}

const commands = ({ page }: GridPage) => page.evaluate(() => window.page.commands);

test('rows copied in Excel are pasted from the active cell on, as one command', async () => {
  const opened = await openGrid();
  const { page, cell, press, selection } = opened;
  await cell(2, 'Customer').click();
  await copyElsewhere(page, { html: EXCEL_HTML, text: 'not this' });
  await press('ControlOrMeta+v');
  await expect.poll(() => cell(2, 'Deal no.').textContent()).toBe('0042');
  await expect
    .poll(() => texts(opened, [2, 3], ['Customer', 'Deal no.', 'Status', 'Phone', 'Sale']))
    .toEqual([
      ["Priya O'Brien & Sons", '0042', 'Called', '(0412) 345 678', '$1,234.50'],
      ['Tom Lee', '', 'Deal', '(0412) 345 679', '$99.00'],
    ]);
  await expect.poll(() => cell(4, 'Customer').textContent()).toBe('Liam Brown');
  await expect.poll(() => selection()).toEqual({ rows: 2, columns: 5, first: 'row-2' });
  await expect.poll(() => commands(opened)).toEqual(['paste']);
});

test('rows copied in Google Sheets are pasted: Australian dates are parsed, a line break stays in its cell', async () => {
  const opened = await openGrid();
  const { page, cell, press } = opened;
  await cell(4, 'Delivery').click();
  await copyElsewhere(page, { html: SHEETS_HTML });
  await press('ControlOrMeta+v');
  await expect.poll(() => cell(4, 'Delivery').textContent()).toBe('25/12/2026');
  await expect
    .poll(() => texts(opened, [4, 5], ['Delivery', 'Follow up', 'Notes']))
    .toEqual([
      ['25/12/2026', '05/03/2026, 2:30 pm', 'Wants a call\nafter five'],
      ['01/02/2027', '', 'see file'],
    ]);
});

test('plain text is pasted too, with quoted cells and line breaks in them', async () => {
  const opened = await openGrid();
  const { page, cell, press } = opened;
  await cell(1, 'Follow up').click();
  await copyElsewhere(page, { text: '5/3 2pm\t"He said ""yes""\nat once"\r\n\tsecond\r\n' });
  await press('ControlOrMeta+v');
  await expect.poll(() => cell(2, 'Notes').textContent()).toBe('second');
  await expect.poll(() => cell(1, 'Notes').textContent()).toBe('He said "yes"\nat once');
  await expect.poll(() => cell(2, 'Follow up').textContent()).toBe('');
});

test('cells copied in the grid are pasted unchanged', async () => {
  const opened = await openGrid();
  const { cell, press } = opened;
  const headers = [
    'Customer',
    'Deal no.',
    'Status',
    'Phone',
    'Sale',
    'Quantity',
    'Delivery',
    'Follow up',
    'Notes',
  ];
  const copied = await texts(opened, [1, 2, 3, 4], headers);
  await cell(1, 'Customer').click();
  await cell(4, 'Notes').click({ modifiers: ['Shift'] });
  await press('ControlOrMeta+c');
  await cell(21, 'Customer').click();
  await press('ControlOrMeta+v');
  await expect.poll(() => cell(24, 'Deal no.').textContent()).toBe('D-4');
  await expect.poll(() => texts(opened, [21, 22, 23, 24], headers)).toEqual(copied);
});

test('a single value fills the whole selection', async () => {
  const opened = await openGrid();
  const { page, cell, changes, press } = opened;
  await cell(2, 'Status').click();
  await copyElsewhere(page, { text: 'To Call' });
  await press('Shift+ArrowDown', 'Shift+ArrowDown', 'ControlOrMeta+v');
  await expect.poll(() => cell(4, 'Status').textContent()).toBe('To Call');
  await expect
    .poll(() => texts(opened, [2, 3, 4, 5], ['Status']))
    .toEqual([['To Call'], ['To Call'], ['To Call'], ['Deal Not Entered']]);
  await expect.poll(() => changes()).toHaveLength(3);
});

test('refused cells keep their text, marked with the reason; the others are saved', async () => {
  const opened = await openGrid();
  const { page, cell, changes, note, press } = opened;
  await cell(1, 'Sale').click();
  await copyElsewhere(page, { text: '12 apples\t4\n50\tmany\n60\t5' });
  await press('ControlOrMeta+v');
  await expect.poll(() => cell(3, 'Sale').textContent()).toBe('$60.00');
  await expect
    .poll(() => texts(opened, [1, 2, 3], ['Sale', 'Quantity']))
    .toEqual([
      ['12 apples', '4'],
      ['$50.00', 'many'],
      ['$60.00', '5'],
    ]);
  await expect.poll(() => note.textContent()).toBe('2 cells need correcting: Please enter a valid number.');
  await expect.poll(() => cell(1, 'Sale').getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => cell(2, 'Quantity').getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => changes()).toHaveLength(4);
  await cell(2, 'Quantity').click();
  await expect.poll(() => note.textContent()).toBe('Please enter a valid number');
});

test('after a paste the first cell to correct is active and visible', async () => {
  const { grid, page, cell, active, selection, press } = await openGrid('rows=200');
  await cell(1, 'Sale').click();
  const lines = Array.from({ length: 120 }, (_, at) => (at === 70 || at === 100 ? 'many' : `${at}`));
  await copyElsewhere(page, { text: lines.join('\n') });
  await press('ControlOrMeta+v');
  await expect.poll(active).toMatchObject({ row: 71, header: 'Sale', text: 'many' });
  const [table, wrong] = [await grid.boundingBox(), await cell(71, 'Sale').boundingBox()];
  expect(wrong!.y).toBeGreaterThan(table!.y);
  expect(wrong!.y + wrong!.height).toBeLessThan(table!.y + table!.height);
  await expect.poll(() => selection()).toMatchObject({ rows: 120, columns: 1 });
});

test('blocked and computed cells are skipped and reported', async () => {
  const opened = await openGrid();
  const { page, cell, note, press } = opened;
  await cell(9, 'Deal no.').click();
  await copyElsewhere(page, { text: 'A\tCalled\nB\tCalled\nC\tCalled' });
  await press('ControlOrMeta+v');
  await expect.poll(() => cell(11, 'Deal no.').textContent()).toBe('C');
  await expect.poll(() => cell(10, 'Deal no.').textContent()).toBe('D-10');
  await expect
    .poll(() => note.textContent())
    .toBe('2 cells were skipped: This data is owned by Sam. Please contact Sam for edit rights.');
  await cell(1, 'Owner').click();
  await copyElsewhere(page, { text: 'Robin' });
  await press('ControlOrMeta+v');
  await note.getByText('1 cell was skipped: Owner cannot be changed here.').waitFor();
});

test('values beyond the last column are cut off, with a message', async () => {
  const { page, cell, note, press } = await openGrid();
  await cell(1, 'Customer').click();
  await press('End');
  await copyElsewhere(page, { text: '1\t2\t3' });
  await press('ControlOrMeta+v');
  await note.getByText('2 columns did not fit beside the last one.').waitFor();
});

test('a paste in an editor inserts into its text', async () => {
  const { page, cell, editor, press, changes } = await openGrid();
  await cell(1, 'Customer').click();
  await copyElsewhere(page, { text: 'Lee' });
  await press('F2', 'ControlOrMeta+v');
  await expect.poll(() => editor.inputValue()).toBe('Ava NguyenLee');
  await expect.poll(() => changes()).toEqual([]);
});

test('ten thousand rows of ten cells are pasted at once', async () => {
  const { page, cell, press } = await openGrid('rows=100000');
  await cell(1, 'Customer').click();
  const text = Array.from(
    { length: 10_000 },
    (_, row) => `Buyer ${row}\tN-${row}\tCalled\t0412345678\t${row}\t1\t5/3/2026\t\thello`,
  ).join('\n');
  await copyElsewhere(page, { text });
  await press('ControlOrMeta+v');
  await expect.poll(() => cell(1, 'Customer').textContent()).toBe('Buyer 0');
  await expect
    .poll(() => page.evaluate(() => window.page.store.get('row-9999')?.['dealNumber']))
    .toBe('N-9998');
});
