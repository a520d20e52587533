import { constants, inflateRawSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import readXlsx from 'read-excel-file/node';
import { describe, expect, test } from 'vitest';
import { isFormula, printable, type CellValue, type ExportColumn } from './cells.ts';
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
    fc.constantFrom('@x', '\t-1', ' \n+2', '－3', '"quoted", and\r\nmore', "'=1", ''),
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

/** What the company's clock shows, by way of Intl alone. */
const shown = (at: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Australia/Sydney', dateStyle: 'short', timeStyle: 'short' })
    .format(new Date(at))
    .replace(/(\d+)-(\d+)-(\d+)/, '$3/$2/$1');

describe('CSV', () => {
  test('is read back as it was written, and no cell is a formula', async () => {
    await fc.assert(
      fc.asyncProperty(manyRows, async (rows) => {
        const file = await whole(csvFile(tableOf(rows), wallClock));
        const read: string[][] = parse(file, { bom: true, relaxColumnCount: false });
        expect(read.slice(1)).toEqual(
          rows.map(({ text, amount, date, at, flag }) => [
            (isFormula(text) ? "'" : '') + printable(text),
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
  test('is read back as it was written, by types', async () => {
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

  test('keeps the spaces and the leading zeros of a text, and has not one formula', async () => {
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

/** What a file in a zip file holds, by its local header alone. */
function plainText(zip: Buffer, name: string): string {
  const start = zip.indexOf(name) + name.length;
  return inflateRawSync(zip.subarray(start), { finishFlush: constants.Z_SYNC_FLUSH }).toString();
}

test('a zip file that is left off in the middle ends its source', async () => {
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
  'the clock of %s shows what it should, also when it is put forward or back',
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
