import { expect, test } from 'vitest';
import { csvOf } from './report-csv.ts';

test('is UTF-8 with its mark, lines end as spreadsheets want them, numbers stay numbers', () => {
  expect(
    csvOf([
      ['Name', 'Sales'],
      ['Zoë', -12.5],
    ]),
  ).toBe('\uFEFFName,Sales\r\nZoë,-12.5\r\n');
});

test('quotes what would be cut apart', () => {
  expect(csvOf([['Cars, new', 'The "best"', 'two\nlines']])).toBe(
    '\uFEFF"Cars, new","The ""best""","two\nlines"\r\n',
  );
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('%j is text and no formula', (text) => {
  expect(csvOf([[text]])).toBe(`\uFEFF'${text}\r\n`);
});
