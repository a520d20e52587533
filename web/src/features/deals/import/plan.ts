import { caselessKey } from '@forecourt/contract/characters';
import { isCustomKey } from '@forecourt/contract/custom-field-types';
import type { ExistingDeal } from '@forecourt/contract/deal-import';
import type { NewDeal } from '@forecourt/contract/deals';
import { texts as customTexts } from '../../../texts/custom-values.ts';
import { texts } from '../../../texts/deal-import.ts';
import { texts as dealTexts } from '../../../texts/deals.ts';
import { cellKey, type CellTexts } from '../../../ui/import/cell-texts.ts';
import type { ColumnMatch, ImportField } from '../../../ui/import/matched-columns.ts';
import type { PreviewLine } from '../../../ui/import/preview-line.ts';
import type { TextTable } from '../../../ui/import/text-table.ts';
import { customValueOf } from '../deal-fields.ts';
import { sentItems } from '../items/deal-items.ts';
import type { ReadCell, ImportedField } from './cells.ts';
import { duplicatesOf, type Numbers } from './duplicates.ts';

/** Fields whose values in a file are names of options. */
const NAMED = ['dealershipId', 'status'] as const satisfies readonly ImportedField[];
type NamedField = (typeof NAMED)[number];

/** An unknown name in a file, and the number of its lines. */
export type UnknownName = { readonly field: NamedField; readonly name: string; readonly lines: number };

export const nameKey = (field: ImportedField, name: string): string => `${field}:${caselessKey(name)}`;

/** Returns unknown names, most frequent first: each is mapped once for all its lines. */
export function unknownNames(
  table: TextTable,
  match: ColumnMatch<ImportedField>,
  read: (field: ImportedField, text: string) => ReadCell,
): UnknownName[] {
  const found = NAMED.flatMap((field): UnknownName[] => {
    const column = match[field] ?? -1;
    const groups = Map.groupBy(table.lines, ({ cells }) => caselessKey(cells[column] ?? ''));
    return [...groups.values()].flatMap((lines) => {
      const name = lines[0]?.cells[column] ?? '';
      return read(field, name).error === undefined ? [] : { field, name, lines: lines.length };
    });
  });
  return found.sort((a, b) => b.lines - a.lines);
}

type Reading = {
  fields: readonly ImportField<ImportedField>[];
  match: ColumnMatch<ImportedField>;
  read: (field: ImportedField, text: string) => ReadCell;
  usualDealershipId: string;
  /** Month of lines without one; empty: the server chooses it. */
  usualMonth: string;
  /** Options chosen for unknown names, by `nameKey`. */
  chosen: CellTexts;
};

/** A parsed line of the file. */
export type ImportLine = PreviewLine<ImportedField> & {
  readonly input: Partial<NewDeal>;
  readonly numbers: Numbers;
};

export type DealImportPlan = {
  readonly lines: readonly ImportLine[];
  /** The rows to send, and their lines. */
  readonly rows: readonly { readonly line: number; readonly input: NewDeal }[];
  /** Number of corrected cells. */
  readonly repaired: number;
  /** Duplicate lines, and those of them that are left out. */
  readonly duplicates: number;
  readonly leftOut: number;
};

/** Parses all lines of a file. Edited text is used instead of the file's. */
export function readLines(table: TextTable, reading: Reading, edits: CellTexts): ImportLine[] {
  return table.lines.map((line) => readLine(line, reading, edits));
}

/** Parses the lines that were edited since all were parsed. */
export function readAgain(
  lines: readonly ImportLine[],
  table: TextTable,
  reading: Reading,
  edits: CellTexts,
): readonly ImportLine[] {
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
): ImportLine {
  const shown: Partial<Record<ImportedField, string>> = {};
  const errors: Partial<Record<ImportedField, string>> = {};
  const repairs: Partial<Record<ImportedField, string>> = {};
  const values: Partial<NewDeal> = {};
  for (const { field } of fields) {
    const edited = edits[cellKey(number, field)];
    const inFile = cells[match[field] ?? -1] ?? '';
    const given = edited ?? chosen[nameKey(field, inFile)] ?? inFile;
    const { value, text, isRepaired, error } = read(field, given);
    shown[field] = edited ?? text;
    if (error !== undefined) errors[field] = error;
    if (edited === undefined && (isRepaired || given !== inFile)) repairs[field] = inFile;
    if (value === null) continue;
    if (isCustomKey(field)) values.custom = { ...values.custom, [field]: customValueOf(value) };
    else Object.assign(values, { [field]: field === 'items' ? sentItems(value) : value });
  }
  if (usualMonth !== '') values.month ??= usualMonth;
  if (usualDealershipId !== '') values.dealershipId ??= usualDealershipId;
  if (values.customerName === undefined) errors.customerName ??= dealTexts.customerRequired;
  if (values.dealershipId === undefined) errors.dealershipId ??= dealTexts.dealershipRequired;
  for (const { field, label, isRequired } of fields)
    if (isRequired && isCustomKey(field) && values.custom?.[field] === undefined)
      errors[field] ??= customTexts.required(label);
  return {
    number,
    cells: shown as Record<ImportedField, string>,
    errors,
    repairs,
    leftOut: null,
    input: values,
    numbers: { phone: values.customerNumber ?? null, dealNumber: values.dealNumber ?? null },
  };
}

/**
 * Returns what an import would add. Duplicates are left out, except the lines in `kept`.
 * @param existing existing rows with numbers of these lines
 */
export function importPlan(
  read: readonly ImportLine[],
  existing: readonly ExistingDeal[],
  kept: ReadonlySet<number>,
): DealImportPlan {
  const same = duplicatesOf(read, existing);
  const lines = read.map((line): ImportLine => {
    const sameAs = same.get(line.number);
    if (sameAs === undefined) return line;
    return { ...line, sameAs, leftOut: kept.has(line.number) ? null : texts.leftOut };
  });
  const taken = lines.filter(({ leftOut }) => leftOut === null);
  return {
    lines,
    rows: taken.map(({ number, input }) => ({ line: number, input: input as NewDeal })),
    repaired: count(taken, ({ repairs = {} }) => repairs),
    duplicates: same.size,
    leftOut: lines.length - taken.length,
  };
}

const count = (lines: readonly ImportLine[], of: (line: ImportLine) => object): number =>
  lines.reduce((sum, line) => sum + Object.keys(of(line)).length, 0);

/** Returns the number of cells to correct in included lines. */
export const countWrongCells = (lines: readonly ImportLine[]): number =>
  count(
    lines.filter(({ leftOut }) => leftOut === null),
    ({ errors }) => errors,
  );

/** Maps the server's errors, `rows.3.items.0.itemId`, to cells. */
export function refusedCells(
  errors: Readonly<Record<string, string>>,
  rows: DealImportPlan['rows'],
  fields: readonly ImportField<ImportedField>[],
): Record<string, string> {
  const cells: Record<string, string> = {};
  for (const [path, message] of Object.entries(errors)) {
    const [of, index = '', name = ''] = path.replace('.custom.', '.').split('.');
    const row = of === 'rows' ? rows[Number(index)] : undefined;
    const field = fields.find((one) => one.field === name)?.field ?? 'customerName';
    if (row) cells[cellKey(row.line, field)] = message;
  }
  return cells;
}
