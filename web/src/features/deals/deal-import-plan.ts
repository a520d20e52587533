import type { ExistingDeal } from '@forecourt/contract/deal-import';
import type { NewDeal } from '@forecourt/contract/deals';
import { texts } from '../../texts/deal-import.ts';
import { texts as dealTexts } from '../../texts/deals.ts';
import { cellKey, type CellTexts } from '../../ui/import/cell-texts.ts';
import type { ColumnMatch, ImportField } from '../../ui/import/matched-columns.ts';
import type { PreviewLine } from '../../ui/import/preview-line.ts';
import type { TextTable } from '../../ui/import/text-table.ts';
import type { ReadCell } from './deal-import-cells.ts';
import { duplicatesOf, type Numbers } from './deal-import-duplicates.ts';
import type { ImportedField } from './deal-import-fields.ts';
import { nameKey } from './deal-import-names.ts';
import { sentItems } from './deal-items.ts';

/** As the server has it. */
export const MAX_DEALS = 10_000;

type Reading = {
  fields: readonly ImportField<ImportedField>[];
  match: ColumnMatch<ImportedField>;
  read: (field: ImportedField, text: string) => ReadCell;
  /** For lines that name none; empty: none, and the month is the server's to choose. */
  usualDealershipId: string;
  usualMonth: string;
  /** What somebody chose for names that are not known, by `nameKey`. */
  chosen: CellTexts;
};

/** One line of the file, read. */
export type DealLine = PreviewLine<ImportedField> & {
  readonly input: Partial<NewDeal>;
  readonly numbers: Numbers;
};

export type DealImportPlan = {
  readonly lines: readonly DealLine[];
  /** What would be sent, and the lines that it is from. */
  readonly rows: readonly { readonly line: number; readonly input: NewDeal }[];
  /** Cells of these that are wrong, and that were put right. */
  readonly wrong: number;
  readonly repaired: number;
  /** Lines that are duplicates, and those of them that are left out. */
  readonly duplicates: number;
  readonly leftOut: number;
};

/** Reads every line of a file. What was typed over counts instead of what the file says. */
export function readLines(table: TextTable, reading: Reading, edits: CellTexts): DealLine[] {
  return table.lines.map((line) => readLine(line, reading, edits));
}

/** Reads anew what was typed over since all lines were read. */
export function readAgain(
  lines: readonly DealLine[],
  table: TextTable,
  reading: Reading,
  edits: CellTexts,
): readonly DealLine[] {
  const edited = new Set(Object.keys(edits).map((key) => Number.parseInt(key, 10)));
  if (edited.size === 0) return lines;
  return lines.map((line, index) =>
    edited.has(line.number) ? readLine(table.lines[index]!, reading, edits) : line,
  );
}

function readLine(
  { number, cells }: TextTable['lines'][number],
  { fields, match, read, usualDealershipId, usualMonth, chosen }: Reading,
  edits: CellTexts,
): DealLine {
  const shown: Partial<Record<ImportedField, string>> = {};
  const errors: Partial<Record<ImportedField, string>> = {};
  const repairs: Partial<Record<ImportedField, string>> = {};
  const values: Record<string, unknown> = {};
  for (const { field } of fields) {
    const edited = edits[cellKey(number, field)];
    const inFile = cells[match[field] ?? -1] ?? '';
    const given = edited ?? chosen[nameKey(field, inFile)] ?? inFile;
    const { value, text, isRepaired, error } = read(field, given);
    shown[field] = edited ?? text;
    if (error !== undefined) errors[field] = error;
    if (edited === undefined && (isRepaired || given !== inFile)) repairs[field] = inFile;
    if (value !== null) values[field] = field === 'items' ? sentItems(value) : value;
  }
  if (usualMonth !== '') values.month ??= usualMonth;
  if (usualDealershipId !== '') values.dealershipId ??= usualDealershipId;
  if (values.customerName === undefined) errors.customerName ??= dealTexts.customerRequired;
  if (values.dealershipId === undefined) errors.dealershipId ??= dealTexts.dealershipRequired;
  const input = values as Partial<NewDeal>;
  return {
    number,
    cells: shown as Record<ImportedField, string>,
    errors,
    repairs,
    leftOut: null,
    input,
    numbers: { phone: input.customerNumber ?? null, dealNumber: input.dealNumber ?? null },
  };
}

/**
 * What an import would add. Duplicates are left out but for the lines in `kept`.
 * @param existing rows that are there already, with numbers of these lines
 */
export function importPlan(
  read: readonly DealLine[],
  existing: readonly ExistingDeal[],
  kept: ReadonlySet<number>,
): DealImportPlan {
  const same = duplicatesOf(read, existing);
  const lines = read.map((line): DealLine => {
    const sameAs = same.get(line.number);
    if (sameAs === undefined) return line;
    return { ...line, sameAs, leftOut: kept.has(line.number) ? null : texts.leftOut };
  });
  const taken = lines.filter(({ leftOut }) => leftOut === null);
  return {
    lines,
    rows: taken.map(({ number, input }) => ({ line: number, input: input as NewDeal })),
    wrong: wrongIn(lines),
    repaired: count(taken, ({ repairs = {} }) => repairs),
    duplicates: same.size,
    leftOut: lines.length - taken.length,
  };
}

const count = (lines: readonly DealLine[], of: (line: DealLine) => object): number =>
  lines.reduce((sum, line) => sum + Object.keys(of(line)).length, 0);

/** How many cells of what is not left out are to be corrected. */
export const wrongIn = (lines: readonly DealLine[]): number =>
  count(
    lines.filter(({ leftOut }) => leftOut === null),
    ({ errors }) => errors,
  );

/** What the server refused, `rows.3.items.0.itemId`, at its cells. */
export function refusedCells(
  errors: Readonly<Record<string, string>>,
  rows: DealImportPlan['rows'],
  fields: readonly ImportField<ImportedField>[],
): Record<string, string> {
  const cells: Record<string, string> = {};
  for (const [path, message] of Object.entries(errors)) {
    const [of, index = '', name = ''] = path.split('.');
    const row = of === 'rows' ? rows[Number(index)] : undefined;
    const field = fields.find((one) => one.field === name)?.field ?? 'customerName';
    if (row) cells[cellKey(row.line, field)] = message;
  }
  return cells;
}
