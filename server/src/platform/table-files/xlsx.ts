import { isFormula, printable } from '@forecourt/contract/csv';
import type { CellValue, ExportColumn, Table } from './cells.ts';
import { zipFile, type ZipEntry } from './zip.ts';

/** Maximum rows of a sheet, including the header. Further rows are in another sheet. */
const ROWS_OF_SHEET = 1_048_576;
/** Maximum characters of a cell. */
const MAX_CHARACTERS = 32_767;

const DAY_MS = 86_400_000;
/** Day 0 of a spreadsheet's calendar. */
const DAY_ZERO = Date.UTC(1899, 11, 30);

/** Indexes of the formats in `styles.xml`. A `quoted` cell stays text when it is edited. */
const STYLES = { plain: 0, head: 1, money: 2, percent: 3, date: 4, instant: 5, quoted: 6 } as const;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign]!);

/** Returns `A`, `B`, … `AA` for an index. */
const columnName = (index: number): string =>
  (index >= 26 ? columnName(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26));

const numberCell = (at: string, style: number, value: number): string =>
  `<c r="${at}" s="${style}"><v>${value}</v></c>`;

/** Writes an inline string, which a spreadsheet never evaluates. */
function textCell(at: string, value: string): string {
  const text = printable(value).replaceAll(/\r\n?/g, '\n').slice(0, MAX_CHARACTERS);
  const style = isFormula(text) ? STYLES.quoted : STYLES.plain;
  return `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

type WallClock = (instant: string) => number;

function cell({ type }: ExportColumn<never>, value: CellValue, at: string, wallClock: WallClock): string {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'boolean') return `<c r="${at}" t="b"><v>${value ? 1 : 0}</v></c>`;
  if (typeof value === 'number') {
    const style = type === 'money' || type === 'percent' ? STYLES[type] : STYLES.plain;
    return numberCell(at, style, value);
  }
  if (type === 'date') return numberCell(at, STYLES.date, (Date.parse(value) - DAY_ZERO) / DAY_MS);
  if (type === 'instant') return numberCell(at, STYLES.instant, (wallClock(value) - DAY_ZERO) / DAY_MS);
  return textCell(at, value);
}

const WIDTHS = { text: 24, number: 10, money: 14, percent: 10, date: 12, instant: 18, flag: 8 } as const;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const xml = (name: string, text: string): ZipEntry => ({ name, content: [Buffer.from(`${HEAD}${text}`)] });

/** Yields a table as a workbook with typed cells and a bold, frozen header. `name` is the name of its sheets. */
export async function* xlsxFile<R>(
  { columns, batches }: Table<R>,
  wallClock: WallClock,
  name: string,
): AsyncGenerator<Buffer> {
  const letters = columns.map((_, index) => columnName(index));
  const rowText = (row: R, number: number): string =>
    `<row r="${number}">${columns
      .map((column, index) => cell(column, column.of(row), `${letters[index]}${number}`, wallClock))
      .join('')}</row>`;
  const rows = batches[Symbol.asyncIterator]();
  let next = await rows.next();
  let sheets = 0;

  /** Yields the rows of one sheet. The first row of the next sheet is left in `next`. */
  async function* sheet(): AsyncGenerator<Buffer> {
    yield Buffer.from(sheetStart(columns));
    let number = 2;
    while (!next.done && number <= ROWS_OF_SHEET) {
      const fitting = next.value.slice(0, ROWS_OF_SHEET + 1 - number);
      const left = next.value.slice(fitting.length);
      const first = number;
      yield Buffer.from(fitting.map((row, index) => rowText(row, first + index)).join(''));
      number += fitting.length;
      next = left.length > 0 ? { value: left } : await rows.next();
    }
    yield Buffer.from('</sheetData></worksheet>');
  }

  function* entries(): Generator<ZipEntry> {
    yield xml('_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']]));
    yield xml('xl/styles.xml', STYLE_SHEET);
    do {
      sheets += 1;
      yield { name: `xl/worksheets/sheet${sheets}.xml`, content: sheet() };
    } while (!next.done);
    const numbers = Array.from({ length: sheets }, (_, index) => index + 1);
    yield xml('xl/workbook.xml', workbook(name, numbers));
    yield xml(
      'xl/_rels/workbook.xml.rels',
      relations([
        ...numbers.map((n): [string, string] => ['worksheet', `worksheets/sheet${n}.xml`]),
        ['styles', 'styles.xml'],
      ]),
    );
    yield xml('[Content_Types].xml', contentTypes(numbers));
  }
  yield* zipFile(entries());
}

const sheetStart = <R>(columns: readonly ExportColumn<R>[]): string => {
  const widths = columns.map(
    ({ type }, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${WIDTHS[type]}" customWidth="1"/>`,
  );
  const heads = columns.map(
    ({ header }, index) =>
      `<c r="${columnName(index)}1" s="${STYLES.head}" t="inlineStr"><is><t>${escaped(header)}</t></is></c>`,
  );
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData><row r="1">${heads.join('')}</row>`;
};

const relations = (all: [type: string, target: string][]): string =>
  `<Relationships xmlns="${PACKAGE}/relationships">${all
    .map(
      ([type, target], index) =>
        `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

const workbook = (name: string, numbers: number[]): string =>
  `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${numbers
    .map((n) => `<sheet name="${escaped(n === 1 ? name : `${name} ${n}`)}" sheetId="${n}" r:id="rId${n}"/>`)
    .join('')}</sheets></workbook>`;

const contentTypes = (numbers: number[]): string => {
  const parts = [
    ['xl/workbook.xml', 'sheet.main'],
    ['xl/styles.xml', 'styles'],
    ...numbers.map((n) => [`xl/worksheets/sheet${n}.xml`, 'worksheet']),
  ].map(([part, type]) => `<Override PartName="/${part}" ContentType="${TYPES}.${type}+xml"/>`);
  return `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${parts.join('')}</Types>`;
};

const STYLE_SHEET = `<styleSheet xmlns="${MAIN}"><numFmts count="4"><numFmt numFmtId="164" formatCode="&quot;$&quot;#,##0.00;[Red]\\-&quot;$&quot;#,##0.00"/><numFmt numFmtId="165" formatCode="0.00&quot;%&quot;"/><numFmt numFmtId="166" formatCode="dd/mm/yyyy"/><numFmt numFmtId="167" formatCode="dd/mm/yyyy\\ hh:mm"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="7"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="164" applyNumberFormat="1"/><xf xfId="0" numFmtId="165" applyNumberFormat="1"/><xf xfId="0" numFmtId="166" applyNumberFormat="1"/><xf xfId="0" numFmtId="167" applyNumberFormat="1"/><xf xfId="0" quotePrefix="1"/></cellXfs></styleSheet>`;
