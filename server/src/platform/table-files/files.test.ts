import { constants, inflateRawSync } from 'node:zlib';
import { csvLines, isFormula, printable } from '@forecourt/contract/csv';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import readXlsx from 'read-excel-file/node';
import { describe, expect, test } from 'vitest';
import type { CellValue, ExportColumn } from './cells.ts';
import { csvFile } from './csv.ts';
import { createWallClock } from './wall-clock.ts';
import { xlsxFile } from './xlsx.ts';
import { zipFile } from './zip.ts';

type Row = { text: string; amount: number; date: string; at: string; flag: boolean };
const columns: ExportColumn<Row>[] = [
  { header: 'Text', type: 'text', of: ({ text }) => text },
  { header: 'Amount', type: 'money', of: ({ amount }) => amount },
  { header: 'Date', type: 'date', of: ({ date }) => date },
  { header: 'At', type: 'instant', of: ({ at }) => at },
  { header: 'Flag', type: 'flag', of: ({ flag }) => flag },
];
const wallClock = createWallClock('Australia/Sydney');

const tableOf = (rows: Row[], size = 2) => ({
  columns,
  batches: (async function* () {
    for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
  })(),
});
async function whole(file: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of file) pieces.push(piece);
  return Buffer.concat(pieces);
}

const anyRow = fc.record({
  text: fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string().map((text) => `=${text}`),
    fc.constantFrom('@x', '\t-1', ' \n+2', '－3', '"quoted", and\r\nmore', 'two\n=1', '\ufffe=1', "'=1", ''),
  ),
  amount: fc.integer({ min: -99_999_999, max: 99_999_999 }).map((cents) => cents / 100),
  date: fc
    .date({ min: new Date('1901-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  at: fc
    .date({ min: new Date('1990-01-01'), max: new Date('2090-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  flag: fc.boolean(),
});
const manyRows = fc.array(anyRow, { minLength: 1, maxLength: 8 });

/** Returns the company's local time, computed by Intl only. */
const shown = (at: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Australia/Sydney', dateStyle: 'short', timeStyle: 'short' })
    .format(new Date(at))
    .replace(/(\d+)-(\d+)-(\d+)/, '$3/$2/$1');

describe('csvLines', () => {
  test('csvLines leaves plain texts and numbers unquoted and ends each row with CRLF', () => {
    expect(csvLines([['Name', 'Sales'], ['Zoë', -12.5], [{ money: -3 }]])).toBe(
      'Name,Sales\r\nZoë,-12.5\r\n-3.00\r\n',
    );
  });

  test.each([
    ['a comma', 'Cars, new', '"Cars, new"'],
    ['a quote', 'The "best"', '"The ""best"""'],
    ['a line feed', 'Called.\n=1+1', '"Called.\n=1+1"'],
    ['a carriage return', 'Called.\r=1+1', '"Called.\r=1+1"'],
    ['CRLF', 'two\r\nlines', '"two\r\nlines"'],
  ])('csvLines quotes a cell with %s', (_what, cell, written) => {
    expect(csvLines([[cell, 'next']])).toBe(`${written},next\r\n`);
  });

  test.each(
    [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      ' =1',
      '\u200b=1',
      '\u3164=1',
      '\ufffe=1',
      '\ud800=1',
      '＝1',
    ].map((text) => [text]),
  )('csvLines adds an apostrophe to %j', (text) => {
    expect(csvLines([[text]])).toBe(`'${text.replace(/[\ufffe\ud800]/g, '')}\r\n`);
  });

  test('csvLines quotes and escapes a formula of two lines', () => {
    expect(csvLines([['\n=1+1']])).toBe(`"'\n=1+1"\r\n`);
  });
});

describe('CSV', () => {
  test('a CSV file is read back unchanged, and no cell is a formula', async () => {
    await fc.assert(
      fc.asyncProperty(manyRows, async (rows) => {
        const file = await whole(csvFile(tableOf(rows), wallClock));
        const read: string[][] = parse(file, { bom: true, relaxColumnCount: false });
        expect(read.slice(1)).toEqual(
          rows.map(({ text, amount, date, at, flag }) => [
            (isFormula(printable(text)) ? "'" : '') + printable(text),
            amount.toFixed(2),
            date.split('-').toReversed().join('/'),
            shown(at),
            flag ? 'Yes' : 'No',
          ]),
        );
        for (const [text] of read.slice(1)) expect(isFormula(text!)).toBe(false);
      }),
    );
  });
});

describe('XLSX', () => {
  test('an XLSX file is read back unchanged, with types', async () => {
    await fc.assert(
      fc.asyncProperty(manyRows, async (rows) => {
        const file = await whole(xlsxFile(tableOf(rows), wallClock, 'Rows'));
        const [sheet] = (await readXlsx(file)) as unknown as [{ sheet: string; data: CellValue[][] }];
        expect(sheet.sheet).toBe('Rows');
        const read = sheet.data.slice(1);
        // The reader trims texts.
        expect(read.map((row) => row[0])).toEqual(
          rows.map(({ text }) => printable(text).replaceAll(/\r\n?/g, '\n').trim() || null),
        );
        expect(read.map((row) => row[1])).toEqual(rows.map(({ amount }) => amount));
        expect(read.map((row) => row[2])).toEqual(rows.map(({ date }) => new Date(`${date}T00:00:00Z`)));
        expect(read.map((row) => row[4])).toEqual(rows.map(({ flag }) => flag));
      }),
    );
  });

  test('an XLSX file preserves spaces and leading zeros of a text, and has no formula', async () => {
    const row = { amount: 0, date: '2026-11-20', at: '2026-11-20T00:00:00Z', flag: true };
    const rows = ['=1+1', '007', '  kept  '].map((text): Row => ({ text, ...row }));
    const file = await whole(xlsxFile(tableOf(rows), wallClock, 'Rows'));
    const sheet = plainText(file, 'xl/worksheets/sheet1.xml');
    expect(sheet).toContain('s="6" t="inlineStr"><is><t xml:space="preserve">=1+1</t>');
    expect(sheet).toContain('s="0" t="inlineStr"><is><t xml:space="preserve">007</t>');
    expect(sheet).toContain('>  kept  </t>');
    expect(sheet).not.toContain('<f');
  });
});

/** Returns the contents of a file in a zip file, by its local header only. */
function plainText(zip: Buffer, name: string): string {
  const start = zip.indexOf(name) + name.length;
  return inflateRawSync(zip.subarray(start), { finishFlush: constants.Z_SYNC_FLUSH }).toString();
}

test('a zip file cancelled midway ends its source', async () => {
  let isEnded = false;
  async function* endless() {
    try {
      for (;;) yield Buffer.alloc(100_000, Math.random().toString());
    } finally {
      isEnded = true;
    }
  }
  let pieces = 0;
  for await (const _piece of zipFile([{ name: 'a', content: endless() }])) if ((pieces += 1) > 3) break;
  await expect.poll(() => isEnded).toBe(true);
});

test.each(['Australia/Sydney', 'Australia/Adelaide', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'])(
  'converts to local time of %s, also around time changes',
  (timeZone) => {
    const clock = createWallClock(timeZone);
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    const start = Date.UTC(2026, 9, 3, 12);
    for (let minute = 0; minute < 24 * 60; minute += 7) {
      const at = new Date(start + minute * 60_000);
      expect(new Date(clock(at.toISOString())).toISOString().slice(0, 19).replace('T', ' ')).toBe(
        format.format(at),
      );
    }
  },
);
