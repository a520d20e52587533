import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { printable } from '@forecourt/contract/csv';

/** A4, in points. */
const PAGE = { width: 595.28, height: 841.89 };
const MARGIN = 40;
/** Where text ends on a page; the footer is below. */
const BOTTOM = PAGE.height - 60;
const FOOTER = PAGE.height - 46;

const FONTS = {
  regular: import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'),
  bold: import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'),
};

export type TextStyle = {
  font: keyof typeof FONTS;
  /** Points. A line takes 1.4 times as much. */
  size: number;
  color: string;
};

const INK = '#1a1a1a';
const FAINT = '#5f6368';
const RULE = '#c9ccd1';

export const STYLES = {
  plain: { font: 'regular', size: 8, color: INK },
  faint: { font: 'regular', size: 8, color: FAINT },
  strong: { font: 'bold', size: 8, color: INK },
} as const satisfies Record<string, TextStyle>;

export const lineHeight = ({ size }: TextStyle): number => size * 1.4;

type Head = {
  title: string;
  author: string;
  /** The same content and time result in the same bytes. */
  createdAt: Date;
  /** Printed at the top of each page but the first. */
  running: string;
  /** Printed at the bottom of each page, before `page x of y`. */
  footer: string;
};

/** Loaded at the first use: library and fonts take a tenth of a second. */
let parts: ReturnType<typeof loadParts> | undefined;

async function loadParts() {
  const [{ default: PDFDocument }, regular, bold] = await Promise.all([
    import('pdfkit'),
    readFile(fileURLToPath(FONTS.regular)),
    readFile(fileURLToPath(FONTS.bold)),
  ]);
  return { PDFDocument, fonts: { regular, bold } };
}

export type PdfDocument = Awaited<ReturnType<typeof createPdf>>;

const graphemes = new Intl.Segmenter('en');

/** Creates a PDF document that is written from top to bottom. `y` is the place of the next line. */
export async function createPdf({ title, author, createdAt, running, footer }: Head) {
  parts ??= loadParts();
  const { PDFDocument, fonts } = await parts;
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    // The number of pages is known at the end.
    bufferPages: true,
    lang: 'en-AU',
    displayTitle: true,
    info: { Title: title, Author: author, CreationDate: createdAt },
    // Without it, pdfkit embeds Helvetica.
    font: null as never,
  });
  for (const [name, content] of Object.entries(fonts)) doc.registerFont(name, content);
  const pieces: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('data', (piece: Buffer) => pieces.push(piece));
    doc.on('end', resolve);
    doc.on('error', reject);
  });
  const left = MARGIN;
  const right = PAGE.width - MARGIN;

  const measure = (text: string, { font, size }: TextStyle): number =>
    doc.font(font).fontSize(size).widthOfString(text);

  /** Yields a word in pieces that fit the width. */
  function* brokenWord(word: string, width: number, style: TextStyle): Generator<string> {
    let piece = '';
    let taken = 0;
    for (const { segment } of graphemes.segment(word)) {
      const size = measure(segment, style);
      if (piece !== '' && taken + size > width) {
        yield piece;
        piece = '';
        taken = 0;
      }
      piece += segment;
      taken += size;
    }
    yield piece;
  }

  /** Returns a text in lines that fit the width. A word that is wider is broken. */
  function wrap(text: string, width: number, style: TextStyle): string[] {
    const space = measure(' ', style);
    return printable(text)
      .split(/\r\n?|\n/)
      .flatMap((paragraph) => {
        const lines: string[] = [];
        let line = '';
        let taken = 0;
        for (const word of paragraph.split(/[ \t]+/)) {
          const size = measure(word, style);
          if (line !== '' && taken + space + size <= width) {
            line += ` ${word}`;
            taken += space + size;
            continue;
          }
          if (line !== '') lines.push(line);
          const broken = size <= width ? [word] : [...brokenWord(word, width, style)];
          lines.push(...broken.slice(0, -1));
          line = broken.at(-1)!;
          taken = broken.length === 1 ? size : measure(line, style);
        }
        return [...lines, line];
      });
  }

  /** Draws one line without moving `y`. With `align: 'right'` it ends at `x`. */
  function draw(
    text: string,
    x: number,
    y: number,
    style: TextStyle,
    align: 'left' | 'right' = 'left',
  ): void {
    const start = align === 'right' ? x - measure(text, style) : x;
    doc
      .font(style.font)
      .fontSize(style.size)
      .fillColor(style.color)
      .text(text, start, y, { lineBreak: false });
  }

  const pdf = {
    left,
    right,
    width: right - left,
    bottom: BOTTOM,
    y: MARGIN,
    measure,
    wrap,
    draw,

    /** Draws a text in as many lines as it needs, which may be on several pages. */
    async write(text: string, style: TextStyle, width = right - left, x = left): Promise<void> {
      for (const line of wrap(text, width, style)) {
        await pdf.requireRoom(lineHeight(style));
        draw(line, x, pdf.y, style);
        pdf.y += lineHeight(style);
      }
    },

    /** Draws a line from `from` to the right margin. */
    rule(from = left, weight = 0.5): void {
      doc.moveTo(from, pdf.y).lineTo(right, pdf.y).lineWidth(weight).strokeColor(RULE).stroke();
    },

    /** Begins a page. Other requests are served in between. */
    async addPage(): Promise<void> {
      await setImmediate();
      doc.addPage();
      pdf.y = MARGIN;
      for (const line of wrap(running, right - left, STYLES.faint)) {
        draw(line, left, pdf.y, STYLES.faint);
        pdf.y += lineHeight(STYLES.faint);
      }
      pdf.y += 4;
      pdf.rule();
      pdf.y += 10;
    },

    /** Begins a page if the rest of this one is lower than that. */
    async requireRoom(height: number): Promise<void> {
      if (pdf.y + height > BOTTOM) await pdf.addPage();
    },

    /** Returns the file. */
    async finish(): Promise<Buffer> {
      await setImmediate();
      const { start, count } = doc.bufferedPageRange();
      for (let page = 0; page < count; page += 1) {
        doc.switchToPage(start + page);
        const number = `Page ${page + 1} of ${count}`;
        const [line] = wrap(footer, right - left - measure(number, STYLES.faint) - 20, STYLES.faint);
        draw(line!, left, FOOTER, STYLES.faint);
        draw(number, right, FOOTER, STYLES.faint, 'right');
      }
      await setImmediate();
      doc.end();
      await ended;
      return Buffer.concat(pieces);
    },
  };
  return pdf;
}
