import { strToU8, zipSync } from 'fflate';

const CONTENT_TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>';
const RELATIONS =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>';
const WORKBOOK =
  '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>';
/** Style 1 is a date, 2 and 3 are percentages, 4 shows the sign of one after the number, and 5 has four digits. */
const STYLES =
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="3"><numFmt numFmtId="164" formatCode="0.0%"/><numFmt numFmtId="165" formatCode="0.0&quot;%&quot;"/><numFmt numFmtId="166" formatCode="0000"/></numFmts><cellStyleXfs count="1"><xf numFmtId="9"/></cellStyleXfs><cellXfs count="6"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>';

export type Cell =
  | string
  | number
  | boolean
  | { day: number }
  | { number: number; style: 2 | 3 | 4 | 5 }
  | { error: string };

const cellXml = (cell: Cell, row: number, column: number): string => {
  const at = `r="${String.fromCharCode(65 + column)}${row + 1}"`;
  if (typeof cell === 'number') return `<c ${at}><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c ${at} t="b"><v>${Number(cell)}</v></c>`;
  if (typeof cell === 'object') {
    if ('error' in cell) return `<c ${at} t="e"><f>A1/0</f><v>${cell.error}</v></c>`;
    if ('style' in cell) return `<c ${at} s="${cell.style}"><v>${cell.number}</v></c>`;
    return `<c ${at} s="1"><v>${cell.day}</v></c>`;
  }
  return `<c ${at} t="inlineStr"><is><t>${cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is></c>`;
};

/** For tests: an Excel file with these cells in its first sheet, compressed as by Excel. */
export function workbook(rows: Cell[][]): Uint8Array<ArrayBuffer> {
  const sheetRows = rows.map(
    (cells, row) =>
      `<row r="${row + 1}">${cells.map((cell, column) => cellXml(cell, row, column)).join('')}</row>`,
  );
  const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${sheetRows.join('')}</sheetData></worksheet>`;
  return zip({
    '[Content_Types].xml': CONTENT_TYPES,
    'xl/workbook.xml': WORKBOOK,
    'xl/_rels/workbook.xml.rels': RELATIONS,
    'xl/styles.xml': STYLES,
    'xl/worksheets/sheet1.xml': sheet,
    'xl/media/image1.png': 'no picture',
  });
}

/** For tests: a zip file of these texts, by name. */
export const zip = (files: Record<string, string>): Uint8Array<ArrayBuffer> =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
