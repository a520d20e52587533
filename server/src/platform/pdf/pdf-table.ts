import { setImmediate } from 'node:timers/promises';
import { lineHeight, STYLES, type PdfDocument, type TextStyle } from './pdf-document.ts';

export type PdfColumn<R> = {
  header: string;
  of: (row: R) => string;
  /** Wrapped below `of`, in a fainter style. */
  below?: (row: R) => readonly string[];
  /** The share of the width that is left by columns without a share, which are as wide as their widest text. */
  share?: number;
  align?: 'right';
};

type PdfTable<R> = {
  columns: readonly PdfColumn<R>[];
  rows: readonly R[];
  /** What is added up, in cents: the sum is carried over to the next page, and printed at the end. */
  sum: { of: (row: R) => number; format: (cents: number) => string; label: string };
};

/** Rows that are measured before other requests are served. */
const ROWS_BETWEEN_PAUSES = 25;
const GAP = 8;
const PADDING = 2.5;
const LINE = lineHeight(STYLES.plain);
/** A row with at most this many lines is not divided. */
const UNDIVIDED_LINES = 12;
/** Space for a sum below the last row of a page. */
const SUM_HEIGHT = LINE + 3 * PADDING;

type Line = { text: string; style: TextStyle };
type Place = { x: number; width: number };

/** Returns where each column is. */
async function placesOf<R>(pdf: PdfDocument, { columns, rows, sum }: PdfTable<R>): Promise<Place[]> {
  const total = sum.format(rows.reduce((cents, row) => cents + sum.of(row), 0));
  const widths = columns.map(({ header, share }, index) => {
    if (share !== undefined) return 0;
    // The sum is in the last column.
    const sums = index === columns.length - 1 ? pdf.measure(total, STYLES.strong) : 0;
    return Math.max(pdf.measure(header, STYLES.strong), sums);
  });
  for (const [number, row] of rows.entries()) {
    columns.forEach(({ of, share }, index) => {
      if (share === undefined) widths[index] = Math.max(widths[index]!, pdf.measure(of(row), STYLES.plain));
    });
    if (number % ROWS_BETWEEN_PAUSES === 0) await setImmediate();
  }
  const shares = columns.reduce((all, { share = 0 }) => all + share, 0);
  const free = pdf.width - GAP * (columns.length - 1) - widths.reduce((all, width) => all + width, 0);
  let x = pdf.left;
  return columns.map(({ share }, index) => {
    // Without such a column, the first one takes the rest, so that amounts are at the right margin.
    const rest = shares === 0 && index === 0 ? free : 0;
    const width = share === undefined ? widths[index]! + rest : (free * share) / shares;
    const place = { x, width };
    x += width + GAP;
    return place;
  });
}

/**
 * Draws a table with its header on each page. A page that does not end the table ends with the sum so far, with which the
 * next page begins.
 */
export async function drawTable<R>(pdf: PdfDocument, table: PdfTable<R>): Promise<void> {
  const { columns, rows, sum } = table;
  const places = await placesOf(pdf, table);
  const end = pdf.bottom - SUM_HEIGHT;
  let carried = 0;
  let isBegun = false;

  function drawLines(cells: readonly (readonly Line[])[], from: number, count: number): void {
    cells.forEach((lines, index) => {
      const { x, width } = places[index]!;
      const { align = 'left' } = columns[index]!;
      lines.slice(from, from + count).forEach(({ text, style }, number) => {
        const start = align === 'right' ? x + width : x;
        pdf.draw(text, start, pdf.y + PADDING + number * LINE, style, align);
      });
    });
    pdf.y += count * LINE + 2 * PADDING;
  }

  const wrapped = (text: string, index: number, style: TextStyle): Line[] =>
    pdf.wrap(text, places[index]!.width + 0.01, style).map((line) => ({ text: line, style }));

  function drawHeader(): void {
    const cells = columns.map(({ header }, index) => wrapped(header, index, STYLES.strong));
    drawLines(cells, 0, Math.max(...cells.map(({ length }) => length)));
    pdf.rule(pdf.left, 1);
  }

  function drawSum(label: string): void {
    const y = pdf.y + PADDING;
    const amount = sum.format(carried);
    pdf.draw(amount, pdf.right, y, STYLES.strong, 'right');
    const end = pdf.right - pdf.measure(amount, STYLES.strong) - GAP;
    pdf.draw(label, end, y, STYLES.strong, 'right');
    pdf.y += LINE + 2 * PADDING;
  }

  async function continueOnNextPage(): Promise<void> {
    if (isBegun) drawSum('Carried forward');
    await pdf.addPage();
    drawHeader();
    if (isBegun) {
      drawSum('Brought forward');
      pdf.rule();
    }
  }

  // A header without a row below it would be read as an empty table.
  await pdf.requireRoom(6 * LINE + SUM_HEIGHT);
  drawHeader();
  for (const row of rows) {
    const cells = columns.map(({ of, below }, index) => [
      ...wrapped(of(row), index, STYLES.plain),
      ...(below?.(row) ?? []).flatMap((text) => wrapped(text, index, STYLES.faint)),
    ]);
    const count = Math.max(...cells.map(({ length }) => length));
    for (let from = 0; from < count;) {
      const room = Math.floor((end - pdf.y - 2 * PADDING) / LINE);
      const isTooHigh = count - from > room;
      if (isTooHigh && (room < 2 || (from === 0 && count <= UNDIVIDED_LINES))) {
        await continueOnNextPage();
        continue;
      }
      const taken = Math.min(room, count - from);
      drawLines(cells, from, taken);
      if (from === 0) carried += sum.of(row);
      isBegun = true;
      from += taken;
    }
    pdf.rule();
  }
  drawSum(sum.label);
}
