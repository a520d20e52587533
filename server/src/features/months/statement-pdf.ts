import { centsOf } from '@forecourt/contract/deal-groups';
import {
  statementLabels as labels,
  statementParts,
  statementTitles,
} from '@forecourt/contract/statement-words';
import type { ClosedStatement } from '@forecourt/contract/statements';
import { formatInstant, formatMoney, formatMonth, formatPercent } from '../../platform/formats.ts';
import {
  createPdf,
  lineHeight,
  STYLES,
  type PdfDocument,
  type TextStyle,
} from '../../platform/pdf/pdf-document.ts';
import { drawTable, type PdfColumn } from '../../platform/pdf/pdf-table.ts';
import { formatDate } from '../../platform/table-files/wall-clock.ts';
import {
  changesInWords,
  reasonInWords,
  SUPERSEDED,
  totalsOf,
  visibleColumns,
  waiverInWords,
} from './statement-words.ts';

type Line = ClosedStatement['lines'][number];
type Adjustment = ClosedStatement['adjustments'][number];

const TITLE: TextStyle = { ...STYLES.strong, size: 17 };
const RECIPIENT: TextStyle = { ...STYLES.plain, size: 12 };
const HEADING: TextStyle = { ...STYLES.strong, size: 10.5 };
const WARNING: TextStyle = { ...STYLES.strong, size: 10.5, color: '#b3261e' };

/** Space between the labels of the totals and the right margin. */
const TOTALS_WIDTH = 260;

const formatCents = (cents: number): string => formatMoney(cents / 100);

type LineColumn = PdfColumn<Line> & { column?: keyof Line };

const textColumn = (
  column: 'customerName' | 'dealNumber' | 'dealershipName' | 'ownerName' | 'items',
  share: number,
): LineColumn => ({ header: labels[column], column, share, of: (line) => line[column] ?? '' });

const numberColumn = (
  column: 'saleAmount' | 'commissionRate',
  format: (value: number) => string,
): LineColumn => ({
  header: labels[column],
  column,
  align: 'right',
  of: ({ [column]: value }) => (value === undefined ? '' : format(value)),
});

const amountColumn = (header: string): LineColumn => ({
  header,
  align: 'right',
  of: ({ amount }) => formatMoney(amount),
});

const DATE: LineColumn = { header: 'Date', of: ({ date }) => formatDate(date) };
const CUSTOMER = textColumn('customerName', 1.3);
const DEAL_NUMBER = textColumn('dealNumber', 0.7);
const ITEMS = textColumn('items', 1);

const LINE_COLUMNS: Readonly<Record<ClosedStatement['kind'], readonly LineColumn[]>> = {
  commission: [
    DATE,
    CUSTOMER,
    DEAL_NUMBER,
    textColumn('dealershipName', 1),
    ITEMS,
    numberColumn('saleAmount', formatMoney),
    numberColumn('commissionRate', formatPercent),
    amountColumn(labels.commission),
  ],
  account: [DATE, CUSTOMER, DEAL_NUMBER, textColumn('ownerName', 1), ITEMS, amountColumn(labels.saleAmount)],
};

/** Returns a statement as PDF in A4, as the viewer may see it. */
export async function statementPdf(statement: ClosedStatement, timeZone: string): Promise<Buffer> {
  const { kind, companyName, number, month, recipientName, isSuperseded } = statement;
  const title = `${statementTitles[kind]} ${number}`;
  const mark = isSuperseded ? ' · Superseded' : '';
  const pdf = await createPdf({
    title: `${title} ${recipientName}`,
    author: companyName,
    createdAt: new Date(statement.closedAt),
    running: `${companyName} · ${title} · ${recipientName} · ${formatMonth(month)}${mark}`,
    footer: `${title}${mark}`,
  });
  await drawHead(pdf, statement, timeZone);
  const seen = visibleColumns(statement);
  await drawLines(pdf, statement, seen);
  await drawAdjustments(pdf, statement, seen, timeZone);
  await drawTotals(pdf, statement);
  await drawEnd(pdf, statement, timeZone);
  return pdf.finish();
}

async function drawHead(pdf: PdfDocument, statement: ClosedStatement, timeZone: string): Promise<void> {
  const { kind, companyName, number, month, recipientName, closedAt, totals, isSuperseded } = statement;
  const facts = [
    ['Number', number],
    ['Month', formatMonth(month)],
    ['Date', formatInstant(closedAt, timeZone).replace(/ at .*/, '')],
    [statementParts.total, formatMoney(totals.total)],
  ] as const;
  const values = Math.max(...facts.map(([, value]) => pdf.measure(value, STYLES.strong)));
  const labels = Math.max(...facts.map(([label]) => pdf.measure(label, STYLES.faint)));
  const top = pdf.y;
  facts.forEach(([label, value], index) => {
    const y = top + 4 + index * 14;
    pdf.draw(label, pdf.right - values - 12, y, STYLES.faint, 'right');
    pdf.draw(value, pdf.right, y, STYLES.strong, 'right');
  });
  const width = pdf.width - values - labels - 40;
  await pdf.write(companyName, HEADING, width);
  await pdf.write(statementTitles[kind], TITLE, width);
  await pdf.write(recipientName, RECIPIENT, width);
  pdf.y = Math.max(pdf.y, top + 4 + facts.length * 14) + 10;
  if (isSuperseded) {
    await pdf.write(SUPERSEDED, WARNING);
    pdf.y += 6;
  }
  pdf.rule(pdf.left, 1);
  pdf.y += 12;
}

async function drawHeading(pdf: PdfDocument, text: string): Promise<void> {
  // With the first lines below it.
  await pdf.requireRoom(110);
  await pdf.write(text, HEADING);
  pdf.y += 4;
}

async function drawLines(
  pdf: PdfDocument,
  { kind, month, lines }: ClosedStatement,
  seen: ReadonlySet<string>,
): Promise<void> {
  await drawHeading(pdf, `Deals of ${formatMonth(month)}`);
  if (lines.length === 0) await pdf.write('None', STYLES.faint);
  else
    await drawTable(pdf, {
      columns: LINE_COLUMNS[kind].filter(({ column }) => column === undefined || seen.has(column)),
      rows: lines,
      sum: { of: ({ amount }) => centsOf(amount), format: formatCents, label: statementParts.linesTotal },
    });
  pdf.y += 14;
}

async function drawAdjustments(
  pdf: PdfDocument,
  { adjustments }: ClosedStatement,
  seen: ReadonlySet<string>,
  timeZone: string,
): Promise<void> {
  if (adjustments.length === 0) return;
  const columns: (PdfColumn<Adjustment> & { column?: string })[] = [
    { header: labels.month, of: ({ month }) => formatMonth(month) },
    {
      header: labels.customerName,
      column: 'customerName',
      share: 1.2,
      of: ({ customerName }) => customerName ?? '',
    },
    { header: labels.dealNumber, column: 'dealNumber', share: 0.7, of: ({ dealNumber }) => dealNumber ?? '' },
    {
      header: 'Change',
      share: 2.5,
      of: (one) => changesInWords(one).join('\n'),
      below: (one) => [reasonInWords(one, timeZone)],
    },
    { header: 'Amount', align: 'right', of: ({ amount }) => formatMoney(amount) },
  ];
  await drawHeading(pdf, statementParts.adjustments);
  await drawTable(pdf, {
    columns: columns.filter(({ column }) => column === undefined || seen.has(column)),
    rows: adjustments,
    sum: { of: ({ amount }) => centsOf(amount), format: formatCents, label: 'Total of adjustments' },
  });
  pdf.y += 14;
}

async function drawTotals(pdf: PdfDocument, statement: ClosedStatement): Promise<void> {
  const totals = totalsOf(statement);
  const height = lineHeight(HEADING) + 4;
  await pdf.requireRoom((totals.length + 1) * height);
  const from = pdf.right - TOTALS_WIDTH;
  pdf.rule(from, 1);
  pdf.y += 5;
  for (const [label, amount] of totals) {
    const isTotal = label === statementParts.total;
    const style = isTotal ? HEADING : { ...STYLES.plain, size: 9 };
    pdf.draw(label, from, pdf.y, style);
    pdf.draw(formatMoney(amount), pdf.right, pdf.y, style, 'right');
    pdf.y += isTotal ? height : height - 2;
  }
  pdf.y += 2;
  pdf.rule(from, 1);
  pdf.y += 16;
}

async function drawEnd(
  pdf: PdfDocument,
  { waivers, closedAt, closedByName, month, digest }: ClosedStatement,
  timeZone: string,
): Promise<void> {
  if (waivers.length > 0) {
    await drawHeading(pdf, 'Waived when the month was closed');
    for (const waiver of waivers) await pdf.write(waiverInWords(waiver), STYLES.plain);
    pdf.y += 10;
  }
  await pdf.requireRoom(3 * lineHeight(STYLES.plain));
  await pdf.write(
    `${formatMonth(month)} was closed by ${closedByName} on ${formatInstant(closedAt, timeZone)}.`,
    STYLES.plain,
  );
  await pdf.write(`SHA-256 of the stored statement: ${digest}`, STYLES.faint);
}
