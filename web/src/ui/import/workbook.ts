import { zipSync } from 'fflate';
import { readSheet } from 'read-excel-file/browser';

/** Maximum unpacked size of a file in bytes (docs/product/security.md, Unpacking is bounded). */
const UNPACKED_LIMIT = 200 * 1024 * 1024;

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;

export class UnpackedTooLarge extends Error {}

/** Returns the cells of the first sheet as texts. Throws `UnpackedTooLarge`, or another error if it cannot be read. */
export const readWorkbook = async (file: Blob): Promise<string[][]> =>
  (await readSheet(await repackedXlsx(file))).map((row) => row.map(cellText));

const MINUTE_MS = 60_000;

/** Formats dates as ISO dates, with a time if there is one, and numbers in JavaScript's notation. */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'number') return String(shownNumber(cell));
  if (!(cell instanceof Date)) return String(cell as string | boolean);
  // Excel stores a time as a fraction of a day, so 14:30 can be 14:29:59.999.
  const toTheMinute = new Date(Math.round(cell.getTime() / MINUTE_MS) * MINUTE_MS);
  return toTheMinute.toISOString().slice(0, 16).replace('T', ' ').replace(' 00:00', '');
}

/** Excel displays at most 15 digits: 19.9 × 3 is stored as 59.699999999999996. */
const shownNumber = (stored: number): number => Number(stored.toPrecision(15));

/**
 * Returns the same Excel file without compression, with some cells as texts (`keepShown`). Stored entries need no
 * worker; for compressed ones the parsing library creates workers from blobs, which our Content-Security-Policy
 * forbids, and would never finish. The browser unpacks in pieces, because fflate does not stop at a limit if an entry
 * states a wrong size. Throws `UnpackedTooLarge`, or another error if it is not a zip file.
 */
async function repackedXlsx(file: Blob): Promise<ArrayBuffer> {
  const parts: Record<string, Uint8Array> = {};
  let left = UNPACKED_LIMIT;
  for (const { name, method, packed } of entriesOf(new Uint8Array(await file.arrayBuffer()))) {
    // Other parts, such as pictures and printer settings, are not needed.
    if (!/\.(xml|rels)$/.test(name)) continue;
    const content = method === STORED ? packed : await inflated(packed, left);
    left -= content.length;
    if (left < 0) throw new UnpackedTooLarge();
    parts[name] = content;
  }
  keepShown(parts);
  return zipSync(parts, { level: 0 }).buffer;
}

const SHEET = /^xl\/worksheets\/[^/]+\.xml$/;

type Shown = (stored: number) => string;

const asPercent: Shown = (stored) => `${shownNumber(stored * 100)}%`;
/** Excel's built-in formats by number. */
const BUILT_IN: readonly [string, Shown][] = [
  ['9', asPercent],
  ['10', asPercent],
];

/**
 * Converts cells to texts if the parsing library would lose their displayed form: 0.125 with a percent format is 12.5%,
 * 42 with the format 0000 is 0042, and an error is its name.
 */
function keepShown(parts: Record<string, Uint8Array>): void {
  const styles = parts['xl/styles.xml'];
  const shownBy = styles ? shownStyles(new TextDecoder().decode(styles)) : new Map<string, Shown>();
  for (const [name, content] of Object.entries(parts)) {
    if (!SHEET.test(name)) continue;
    const xml = new TextDecoder().decode(content);
    if (shownBy.size === 0 && !xml.includes('t="e"')) continue;
    const newXml = xml.replace(
      /(<(?:\w+:)?c\b)([^>]*[^/])(>[\s\S]*?<\/(?:\w+:)?c>)/g,
      (cell, start: string, attributes: string, inside: string) => {
        const type = attributeOf(attributes, 't') ?? 'n';
        if (type === 'e') return `${start}${attributes.replace('t="e"', 't="str"')}${inside}`;
        const show = shownBy.get(attributeOf(attributes, 's') ?? '');
        if (type !== 'n' || !show) return cell;
        const asText = inside.replace(/(?<=<(?:\w+:)?v>)[^<]+/, (value) => show(Number(value)));
        return `${start}${attributes.replace('t="n"', '')} t="str"${asText}`;
      },
    );
    parts[name] = new TextEncoder().encode(newXml);
  }
}

const attributeOf = (attributes: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];

/** Returns the formatters of cells by the index of their style. */
function shownStyles(xml: string): Map<string, Shown> {
  const formats = new Map(BUILT_IN);
  for (const [, attributes = ''] of xml.matchAll(/<(?:\w+:)?numFmt\b([^>]*)>/g)) {
    // A sign in quotes or after a backslash is literal.
    const code = (attributeOf(attributes, 'formatCode') ?? '').replace(/&quot;.*?&quot;|\\./g, '');
    const id = attributeOf(attributes, 'numFmtId') ?? '';
    if (code.includes('%')) formats.set(id, asPercent);
    else if (/^0{2,}$/.test(code))
      formats.set(id, (stored) => String(Math.round(stored)).padStart(code.length, '0'));
  }
  const [, cellStyles = ''] = /<(?:\w+:)?cellXfs\b([\s\S]*?)<\/(?:\w+:)?cellXfs>/.exec(xml) ?? [];
  const all = [...cellStyles.matchAll(/<(?:\w+:)?xf\b([^>]*)>/g)];
  return new Map(
    all.flatMap(([, attributes = ''], index): [string, Shown][] => {
      const show = formats.get(attributeOf(attributes, 'numFmtId') ?? '');
      return show ? [[String(index), show]] : [];
    }),
  );
}

function* entriesOf(bytes: Uint8Array<ArrayBuffer>) {
  const view = new DataView(bytes.buffer);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== END) end -= 1;
  if (end < 0) throw new TypeError('no zip file');
  let at = view.getUint32(end + 16, true);
  for (let count = view.getUint16(end + 10, true); count > 0; count -= 1) {
    if (view.getUint32(at, true) !== ENTRY) throw new TypeError('no zip file');
    const method = view.getUint16(at + 10, true);
    if (method !== STORED && method !== DEFLATED) throw new TypeError('unknown compression');
    const nameLength = view.getUint16(at + 28, true);
    const local = view.getUint32(at + 42, true);
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    yield {
      name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
      method,
      packed: bytes.subarray(start, start + view.getUint32(at + 20, true)),
    };
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
}

async function inflated(packed: Uint8Array<ArrayBuffer>, limit: number): Promise<Uint8Array> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw new UnpackedTooLarge();
    }
    pieces.push(value);
  }
}
