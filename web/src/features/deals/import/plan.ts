import { caselessKey } from '@forecourt/contract/characters';
import { isCustomKey } from '@forecourt/contract/custom-field-types';
import type { ExistingDeal } from '@forecourt/contract/deal-import';
import { MAX_BULK_RECORDS } from '@forecourt/contract/deal-limits';
import type { NewDeal } from '@forecourt/contract/deals';
import { formatMonth } from '../../../platform/formats.ts';
import { texts as customTexts } from '../../../texts/custom-values.ts';
import { texts } from '../../../texts/deal-import.ts';
import { texts as dealTexts } from '../../../texts/deals.ts';
import { texts as contactTexts } from '../../../texts/do-not-contact.ts';
import { cellKey, type CellTexts } from '../../../ui/import/cell-texts.ts';
import type { ColumnMatch, ImportField } from '../../../ui/import/matched-columns.ts';
import type { PreviewLine } from '../../../ui/import/preview-line.ts';
import type { TextTable } from '../../../ui/import/text-table.ts';
import type { FindContact } from '../../do-not-contact/do-not-contact.queries.ts';
import { customValueOf } from '../deal-fields.ts';
import { sentItems } from '../items/deal-items.ts';
import type { ReadCell, ImportedField } from './cells.ts';

/** Fields whose values are names of options. */
const NAMED = ['dealershipId', 'status'] as const satisfies readonly ImportedField[];
type NamedField = (typeof NAMED)[number];

/** An unknown name, and the number of its lines. */
export type UnknownName = { readonly field: NamedField; readonly name: string; readonly lines: number };

export const nameKey = (field: ImportedField, name: string): string => `${field}:${caselessKey(name)}`;

/** Returns unknown names, most frequent first. */
export function unknownNames(
  table: TextTable,
  match: ColumnMatch<ImportedField>,
  read: (field: ImportedField, text: string) => ReadCell,
): UnknownName[] {
  const unknownInLines = NAMED.flatMap((field): UnknownName[] => {
    const column = match[field] ?? -1;
    const groups = Map.groupBy(table.lines, ({ cells }) => caselessKey(cells[column] ?? ''));
    return [...groups.values()].flatMap((lines) => {
      const name = lines[0]?.cells[column] ?? '';
      return read(field, name).error === undefined ? [] : { field, name, lines: lines.length };
    });
  });
  return unknownInLines.sort((a, b) => b.lines - a.lines);
}

type Reading = {
  fields: readonly ImportField<ImportedField>[];
  match: ColumnMatch<ImportedField>;
  read: (field: ImportedField, text: string) => ReadCell;
  usualDealershipId: string;
  /** Month of lines without one; if empty, the server chooses it. */
  usualMonth: string;
  /** Options chosen for unknown names, by `nameKey`. */
  chosen: CellTexts;
  /** Whether each line is a new row. Otherwise empty cells of the file are null, and the server checks what is required. */
  isAdding: boolean;
};

export type ImportLine = PreviewLine<ImportedField> & {
  readonly input: Partial<NewDeal>;
  readonly numbers: Numbers;
  /** The existing rows that match the line. */
  readonly candidates?: readonly ExistingDeal[];
};

export type DealImportPlan = {
  readonly lines: readonly ImportLine[];
  /** The rows to send, and their lines. */
  readonly rows: readonly { readonly line: number; readonly input: NewDeal }[];
  readonly repaired: number;
  /** Number of duplicate lines, and of excluded ones. */
  readonly duplicates: number;
  readonly leftOut: number;
};

/** Parses all lines of a file, with edited texts. */
export function readLines(table: TextTable, reading: Reading, edits: CellTexts): ImportLine[] {
  return table.lines.map((line) => readLine(line, reading, edits));
}

/** Parses lines that were edited since all lines were parsed. */
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
  { fields, match, read, usualDealershipId, usualMonth, chosen, isAdding }: Reading,
  edits: CellTexts,
): ImportLine {
  const displayed: Partial<Record<ImportedField, string>> = {};
  const errors: Partial<Record<ImportedField, string>> = {};
  const repairs: Partial<Record<ImportedField, string>> = {};
  const values: Partial<NewDeal> = {};
  for (const { field } of fields) {
    const edited = edits[cellKey(number, field)];
    const inFile = cells[match[field] ?? -1] ?? '';
    const cellText = edited ?? chosen[nameKey(field, inFile)] ?? inFile;
    const { value, text, isRepaired, error } = read(field, cellText);
    displayed[field] = edited ?? text;
    if (error !== undefined) errors[field] = error;
    if (edited === undefined && (isRepaired || cellText !== inFile)) repairs[field] = inFile;
    const isInFile = (match[field] ?? null) !== null || edited !== undefined;
    if (value === null && (isAdding || !isInFile)) continue;
    if (isCustomKey(field))
      values.custom = { ...values.custom, [field]: value === null ? null : customValueOf(value) };
    else Object.assign(values, { [field]: field === 'items' && value !== null ? sentItems(value) : value });
  }
  if (isAdding) {
    if (usualMonth !== '') values.month ??= usualMonth;
    if (usualDealershipId !== '') values.dealershipId ??= usualDealershipId;
    if (values.customerName === undefined) errors.customerName ??= dealTexts.customerRequired;
    if (values.dealershipId === undefined) errors.dealershipId ??= dealTexts.dealershipRequired;
    for (const { field, label, isRequired } of fields)
      if (isRequired && isCustomKey(field) && values.custom?.[field] === undefined)
        errors[field] ??= customTexts.required(label);
  }
  return {
    number,
    cells: displayed as Record<ImportedField, string>,
    errors,
    repairs,
    leftOut: null,
    input: values,
    numbers: { phone: values.customerNumber ?? null, dealNumber: values.dealNumber ?? null },
  };
}

/** The numbers that identify duplicates; null without one. */
type Numbers = { readonly phone: string | null; readonly dealNumber: string | null };
export type NumberedLine = { readonly number: number; readonly numbers: Numbers };

export type NumbersQuery = { customerNumbers?: string[]; dealNumbers?: string[] };

/** Returns each number once, in as few requests as the server permits. Columns without numbers are omitted. */
export function numbersOf(lines: readonly NumberedLine[]): NumbersQuery[] {
  const customerNumbers = new Set<string>();
  const dealNumbers = new Set<string>();
  for (const { numbers } of lines) {
    if (numbers.phone !== null) customerNumbers.add(numbers.phone);
    if (numbers.dealNumber !== null) dealNumbers.add(caselessKey(numbers.dealNumber));
  }
  const most = Math.max(customerNumbers.size, dealNumbers.size);
  return Array.from({ length: Math.ceil(most / MAX_BULK_RECORDS) }, (_, part) => {
    const partOf = (numbers: ReadonlySet<string>) =>
      [...numbers].slice(part * MAX_BULK_RECORDS, (part + 1) * MAX_BULK_RECORDS);
    const [phones, deals] = [partOf(customerNumbers), partOf(dealNumbers)];
    return {
      ...(phones.length > 0 && { customerNumbers: phones }),
      ...(deals.length > 0 && { dealNumbers: deals }),
    };
  });
}

/** Formats `Ann Example, Harbour New Cars, November 2026`. */
export const describeExisting = ({ customerName, dealershipName, month }: ExistingDeal): string =>
  [customerName ?? texts.unnamedRow, dealershipName, formatMonth(month)].filter(Boolean).join(', ');

/** What a line equals: a row, or an earlier line, which has no `deal`. */
type Equal = { readonly text: string; readonly deal?: ExistingDeal };

/** Returns for each duplicate line a description of the existing rows or earlier lines, and these rows. */
function duplicatesOf(
  lines: readonly NumberedLine[],
  existing: readonly ExistingDeal[],
): ReadonlyMap<number, { sameAs: string; candidates: readonly ExistingDeal[] }> {
  const byPhone = new Map<string, Equal>();
  const byNumber = new Map<string, Equal>();
  for (const deal of existing) {
    const equal = { text: describeExisting(deal), deal };
    if (deal.customerNumber) byPhone.set(deal.customerNumber, equal);
    if (deal.dealNumber) byNumber.set(caselessKey(deal.dealNumber), equal);
  }
  const found = new Map<number, { sameAs: string; candidates: readonly ExistingDeal[] }>();
  for (const { number, numbers } of lines) {
    const phone = numbers.phone ?? '';
    const dealNumber = caselessKey(numbers.dealNumber ?? '');
    const [asPhone, asNumber] = [byPhone.get(phone), byNumber.get(dealNumber)];
    const deals = [asPhone, asNumber].flatMap((equal) => equal?.deal ?? []);
    const candidates = [...new Map(deals.map((deal) => [deal._id, deal])).values()];
    if (asPhone && asPhone.text === asNumber?.text && candidates.length < 2)
      found.set(number, { sameAs: texts.sameBoth(asPhone.text), candidates });
    else if (asPhone || asNumber) {
      const reasons = [asPhone && texts.samePhone(asPhone.text), asNumber && texts.sameNumber(asNumber.text)];
      found.set(number, { sameAs: reasons.filter(Boolean).join('. '), candidates });
    }
    const line = { text: texts.lineAs(number) };
    if (phone !== '' && !asPhone) byPhone.set(phone, line);
    if (dealNumber !== '' && !asNumber) byNumber.set(dealNumber, line);
  }
  return found;
}

/** Returns the lines, of which those that add a row name the existing rows or earlier lines with the same number. */
export function withDuplicatesOfAdded(
  lines: readonly ImportLine[],
  added: readonly ImportLine[],
  existing: readonly ExistingDeal[],
): readonly ImportLine[] {
  const same = duplicatesOf(added, existing);
  return lines.map((line) => {
    const duplicate = same.get(line.number);
    return duplicate ? { ...line, sameAs: duplicate.sameAs } : line;
  });
}

/**
 * Returns the rows to add. Duplicates are excluded, except lines in `includedLines`.
 * @param existing existing rows with numbers of these lines
 */
export function importPlan(
  read: readonly ImportLine[],
  existing: readonly ExistingDeal[],
  includedLines: ReadonlySet<number>,
): DealImportPlan {
  const same = duplicatesOf(read, existing);
  const lines = read.map((line): ImportLine => {
    const duplicate = same.get(line.number);
    if (!duplicate) return line;
    return { ...line, ...duplicate, leftOut: includedLines.has(line.number) ? null : texts.leftOut };
  });
  const taken = lines.filter(({ leftOut }) => leftOut === null);
  return {
    lines,
    rows: taken.map(({ number, input }) => ({ line: number, input: input as NewDeal })),
    repaired: countRepaired(taken),
    duplicates: same.size,
    leftOut: lines.length - taken.length,
  };
}

const count = (lines: readonly ImportLine[], of: (line: ImportLine) => object): number =>
  lines.reduce((sum, line) => sum + Object.keys(of(line)).length, 0);

/** Returns the number of cells that were corrected in these lines. */
export const countRepaired = (lines: readonly ImportLine[]): number =>
  count(lines, ({ repairs = {} }) => repairs);

export const countWrongCells = (lines: readonly ImportLine[]): number =>
  count(
    lines.filter(({ leftOut }) => leftOut === null),
    ({ errors }) => errors,
  );

/** Marks phone numbers and addresses on the Do not contact list. */
export const withContactNotes = (lines: readonly ImportLine[], find: FindContact): readonly ImportLine[] =>
  lines.map((line) => {
    const { customerNumber, customerEmail } = line.input;
    const notes = {
      ...(find(customerNumber) && { customerNumber: contactTexts.mark }),
      ...(find(customerEmail) && { customerEmail: contactTexts.mark }),
    };
    return Object.keys(notes).length === 0 ? line : { ...line, notes };
  });

/** Maps errors of the server, such as `rows.3.items.0.itemId`, to cells. */
export function refusedCells(
  errors: Readonly<Record<string, string>>,
  rows: readonly { readonly line: number }[],
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
