const CONTENT_TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>';
const RELATIONS =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>';
const WORKBOOK =
  '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>';
/** Style 1 is a date. */
const STYLES =
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>';

type Cell = string | number | boolean | { day: number };

const cellXml = (cell: Cell, row: number, column: number): string => {
  const at = `r="${String.fromCharCode(65 + column)}${row + 1}"`;
  if (typeof cell === 'number') return `<c ${at}><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c ${at} t="b"><v>${Number(cell)}</v></c>`;
  if (typeof cell === 'object') return `<c ${at} s="1"><v>${cell.day}</v></c>`;
  return `<c ${at} t="inlineStr"><is><t>${cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is></c>`;
};

/** For tests: an Excel file with these cells in its first sheet, compressed as Excel does. */
export async function workbook(rows: Cell[][]): Promise<Uint8Array<ArrayBuffer>> {
  const sheetRows = rows.map(
    (cells, row) =>
      `<row r="${row + 1}">${cells.map((cell, column) => cellXml(cell, row, column)).join('')}</row>`,
  );
  const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${sheetRows.join('')}</sheetData></worksheet>`;
  return zip([
    ['[Content_Types].xml', CONTENT_TYPES],
    ['xl/workbook.xml', WORKBOOK],
    ['xl/_rels/workbook.xml.rels', RELATIONS],
    ['xl/styles.xml', STYLES],
    ['xl/worksheets/sheet1.xml', sheet],
    ['xl/media/image1.png', 'no picture'],
  ]);
}

/** For tests: a zip file of these texts. */
export async function zip(files: [name: string, text: string][]): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  for (const [path, text] of files) {
    const name = new TextEncoder().encode(path);
    const plain = new TextEncoder().encode(text);
    const stream = new Blob([plain]).stream().pipeThrough(new CompressionStream('deflate-raw'));
    const packed = new Uint8Array(await new Response(stream).arrayBuffer());
    const shared: [number, number][] = [
      [4, 20],
      [8, 8],
      [18, packed.length],
      [22, plain.length],
      [26, name.length],
    ];
    const local = numbers(30, [[0, 0x04034b50], ...shared]);
    // The same fields stand two bytes later here.
    const entry = shared.map(([offset, value]): [number, number] => [offset + 2, value]);
    directory.push(numbers(46, [[0, 0x02014b50], ...entry, [42, at]]), name);
    pieces.push(local, name, packed);
    at += local.length + name.length + packed.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const count = files.length + files.length * 0x1_0000;
  const end = numbers(22, [
    [0, 0x06054b50],
    [8, count],
    [12, size],
    [16, at],
  ]);
  return new Uint8Array(await new Blob([...pieces, ...directory, end]).arrayBuffer());
}

function numbers(length: number, fields: [number, number][]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(length));
  for (const [at, value] of fields) view.setUint32(at, value, true);
  return new Uint8Array(view.buffer);
}
