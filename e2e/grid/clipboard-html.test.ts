import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

const SAMPLES = 300;
const word = fc.string({
  unit: fc.constantFrom('a', 'é', '1', '"', "'", '<', '>', '&', '=', ';', '車', '&amp;', '<td>'),
  minLength: 1,
  maxLength: 5,
});
/** Text with spaces and line breaks inside, as a cell contains it: none at its ends. */
const cell = fc
  .array(fc.tuple(word, fc.constantFrom(' ', '  ', '\n', '\n\n')), { maxLength: 4 })
  .map((parts) => parts.flat().slice(0, -1).join(''));
const table = fc
  .integer({ min: 1, max: 4 })
  .chain((width) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 4 }),
  );

test('any table written as markup is parsed unchanged in a real browser', async () => {
  const { page } = await openGrid();
  const tables = fc.sample(table, SAMPLES);
  const read = await page.evaluate((written) => written.map((rows) => window.page.throughHtml(rows)), tables);
  expect(read).toEqual(tables);
});
