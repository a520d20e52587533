import { describe, expect, test } from 'vitest';
import { readTable } from './text-table.ts';
import { workbook, zip, type Cell } from './workbook.fixture.ts';

const rows = [
  ['Name', 'Address'],
  ['Harbour Cars', '1 Pier Street, Sydney'],
  ['Inland "Used" Cars', 'Line 1\nLine 2'],
];
const table = {
  header: rows[0],
  lines: [
    { number: 2, cells: rows[1] },
    { number: 3, cells: rows[2] },
  ],
};
const csv = (separator: string) =>
  rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator)).join('\r\n');
const file = (content: BlobPart, name = 'rows.csv') => new File([content], name);

describe('text', () => {
  test.each([',', ';', '\t', '|'])('a text is parsed with %j as the separator', async (separator) => {
    expect(await readTable(csv(separator))).toEqual(table);
    expect(await readTable(file(csv(separator)))).toEqual(table);
  });

  test('text pasted from Excel is separated by tabs, also where its cells contain commas', async () => {
    expect(await readTable('Name\tAddress, city\nHarbour, Pty\t1 Pier Street\n')).toEqual({
      header: ['Name', 'Address, city'],
      lines: [{ number: 2, cells: ['Harbour, Pty', '1 Pier Street'] }],
    });
  });

  test.each([
    ['UTF-8 with its mark', new TextEncoder().encode('\uFEFFName,Address\nCafé,1 Pier')],
    [
      'what Windows used before',
      Uint8Array.from('Name,Address\nCaf\u00e9,1 Pier', (letter) => letter.charCodeAt(0)),
    ],
    [
      'UTF-16 with the bytes in the other order',
      Uint8Array.from(
        Array.from('\uFEFFName,Address\nCafé,1 Pier').flatMap((letter) => {
          const code = letter.charCodeAt(0);
          return [code >> 8, code & 0xff];
        }),
      ),
    ],
    [
      'UTF-16',
      new Uint8Array(
        Uint16Array.from('\uFEFFName,Address\nCafé,1 Pier', (letter) => letter.charCodeAt(0)).buffer,
      ),
    ],
  ])('a text is decoded from %s', async (_name, bytes) => {
    expect(await readTable(file(bytes))).toEqual({
      header: ['Name', 'Address'],
      lines: [{ number: 2, cells: ['Café', '1 Pier'] }],
    });
  });

  test('a text may have different line ends, also within one file', async () => {
    const lines = [
      { number: 2, cells: ['A', '1 "x"'] },
      { number: 3, cells: ['B', '2\n3'] },
      { number: 4, cells: ['C', '4'] },
    ];
    for (const [first, later] of [
      ['\r\n', '\n'],
      ['\n', '\r\n'],
      ['\n', '\r'],
    ] as const) {
      const text = `Name,Address${first}A,"1 ""x"""${later}B,"2\n3"${later}C,4`;
      expect(await readTable(text)).toEqual({ header: ['Name', 'Address'], lines });
    }
  });

  test.each(['\n\r\n \nA;B,b\n1;2', 'sep=;\r\nA;B,b\r\n1;2', '\uFEFFsep=;\nA;B,b\n1;2'])(
    'a text finds the separator of %j',
    async (text) => {
      const { header, lines } = await readTable(text);
      expect([header, lines[0]?.cells]).toEqual([
        ['A', 'B,b'],
        ['1', '2'],
      ]);
    },
  );

  test('empty lines are left out, short and long ones are not, and line numbers remain', async () => {
    const { lines } = await readTable('Name,Address\n\n , \nA\nB,2,3,4\n');
    expect(lines).toEqual([
      { number: 4, cells: ['A'] },
      { number: 5, cells: ['B', '2', '3', '4'] },
    ]);
  });
});

describe('an Excel file', () => {
  test('an Excel file is detected by its content, with any name', async () => {
    expect(await readTable(file(workbook(rows), 'rows.csv'))).toEqual(table);
  });

  test('an Excel file returns numbers, dates, times and booleans as texts', async () => {
    const { lines } = await readTable(
      file(
        workbook([
          ['A', 'B', 'C', 'D', 'E'],
          [1234.5, { day: 46346 }, true, 'x', { day: 46346.4375 }],
        ]),
      ),
    );
    expect(lines[0]?.cells).toEqual(['1234.5', '2026-11-20', 'true', 'x', '2026-11-20 10:30']);
  });

  test('an Excel file returns what Excel shows: percentages, leading zeros, the minute of a time, 15 digits, and errors by name', async () => {
    const cells: [Cell, string][] = [
      [{ number: 0.125, style: 2 }, '12.5%'],
      [{ number: 0.07, style: 3 }, '7%'],
      [{ number: 12.5, style: 4 }, '12.5'],
      [{ number: 42, style: 5 }, '0042'],
      ['inline', 'inline'],
      [{ number: 1.1, style: 2 }, '110%'],
      [{ day: 46086.604166666664 }, '2026-03-05 14:30'],
      [{ day: 46086.04166666666 }, '2026-03-05 01:00'],
      [{ day: 46086.99999999999 }, '2026-03-06'],
      [19.9 * 3, '59.7'],
      [0.1 + 0.2, '0.3'],
      [-1234567.89, '-1234567.89'],
      [{ error: '#REF!' }, '#REF!'],
      [{ error: '#N/A' }, '#N/A'],
      [true, 'true'],
    ];
    const header = cells.map((_, index) => `Column ${index}`);
    const { lines } = await readTable(file(workbook([header, cells.map(([cell]) => cell)])));
    expect(lines[0]?.cells).toEqual(cells.map(([, shown]) => shown));
  });

  test('an Excel file is parsed at any size', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => [
      `Dealership ${index}`,
      `${index} Pier Street`,
    ]);
    const { lines } = await readTable(file(workbook([['Name', 'Address'], ...many])));
    expect(lines).toHaveLength(20_000);
    expect(lines.at(-1)).toEqual({ number: 20_001, cells: ['Dealership 19999', '19999 Pier Street'] });
  });
});

test.each([
  ['empty', ''],
  ['empty', 'Name,Address'],
  ['empty', ' , \n , '],
  ['unreadable', 'Name,Address\n"Harbour,1 Pier Street'],
  ['tooManyLines', `Name\n${'A\n'.repeat(50_001)}`],
])('the reader of files reports %s for %j', async (problem, text) => {
  await expect(readTable(text)).rejects.toMatchObject({ problem });
});

test('the reader of files reports files that are not current Excel files', async () => {
  const refused = async (bytes: BlobPart) =>
    readTable(file(bytes, 'rows.xlsx')).catch((thrown: { problem: string }) => thrown.problem);
  expect(await refused(Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0]))).toBe('oldExcel');
  expect(await refused('PK no zip file')).toBe('unreadable');
  expect(await refused('%PDF-1.7\nName,Address\nA,B')).toBe('unreadable');
  expect(await refused(Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]))).toBe(
    'unreadable',
  );
  expect(await refused(workbook(rows).slice(0, 400))).toBe('unreadable');
  expect(await refused(zip({ 'word/document.xml': '<w/>' }))).toBe('unreadable');
});

test('the reader of files stops unpacking a file that exceeds the limit, whatever size it states', async () => {
  const bomb = zip({ 'xl/worksheets/sheet1.xml': ' '.repeat(201 * 1024 * 1024) });
  expect(bomb.length).toBeLessThan(1024 * 1024);
  await expect(readTable(file(bomb))).rejects.toMatchObject({ problem: 'tooLarge' });
  const view = new DataView(bomb.buffer);
  const directory = view.getUint32(bomb.length - 6, true);
  for (const at of [22, directory + 24]) view.setUint32(at, 1024, true);
  await expect(readTable(file(bomb))).rejects.toMatchObject({ problem: 'tooLarge' });
});
