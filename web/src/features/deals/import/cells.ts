import { isCustomKey, type CustomKey } from '@forecourt/contract/custom-field-types';
import type { VisibleCustomField } from '@forecourt/contract/custom-fields';
import { editedFields, fieldOf, typeOf, type EditedField } from '@forecourt/contract/deal-fields';
import { EMAIL } from '@forecourt/contract/email-address';
import {
  editText,
  parseDate,
  parseText,
  type CellValue,
  type Clock,
  type GridColumn,
} from '../../../grid/grid.ts';
import { formatMonth } from '../../../platform/formats.ts';
import { texts } from '../../../texts/deal-import.ts';
import type { ImportField } from '../../../ui/import/matched-columns.ts';
import { activeNames, existsFor, requiredFields, type DealOptions } from '../deal-fields.ts';
import type { DealRow } from '../deal-row.ts';
import { dealColumns } from '../deals.columns.tsx';

type BuiltInImport = EditedField | 'month';
export type ImportedField = BuiltInImport | CustomKey;

const FIRST: readonly BuiltInImport[] = ['customerName', 'customerNumber', 'dealershipId', 'status'];
const LAST: readonly BuiltInImport[] = ['notes', 'month'];
/** The built-in fields that can be imported, in display order. */
const importedFields = [
  ...FIRST,
  ...[...editedFields, 'month' as const].filter(
    (name) => fieldOf(name).aliases !== undefined && ![...FIRST, ...LAST].includes(name),
  ),
  ...LAST,
];

/** Returns the fields that a user can import, without hidden columns. */
export function importFields(options: DealOptions | undefined): readonly ImportField<ImportedField>[] {
  const choices: { readonly [field in BuiltInImport]?: readonly string[] } = {
    dealershipId: activeNames(options?.dealerships),
    status: activeNames(options?.statuses),
  };
  const builtIn = importedFields
    .filter((field) => field === 'month' || options === undefined || existsFor(options, field))
    .map((field) => ({
      field,
      label: fieldOf(field).label,
      aliases: fieldOf(field).aliases?.split(', ') ?? [],
      ...(choices[field] && { options: choices[field] }),
    }));
  const required = requiredFields(options);
  const custom = (options?.customFields ?? [])
    .filter(({ editable }) => editable)
    .map((field) => {
      const names = namesFor(field, options!);
      const isRequired = required.includes(field.key);
      return { field: field.key, label: field.name, isRequired, ...(names && { options: names }) };
    });
  return [...builtIn, ...custom];
}

/** Returns the names that a custom field accepts; undefined if it accepts other values. */
function namesFor(
  { type, options }: VisibleCustomField,
  { people }: DealOptions,
): readonly string[] | undefined {
  if (type === 'person') return people.map(({ name }) => name);
  return type === 'select' ? activeNames(options) : undefined;
}

/** The result of parsing a cell: a value with its displayed text, or an error. */
export type ReadCell = {
  readonly value: CellValue;
  readonly text: string;
  /** Whether the text was corrected: a phone number, a date or a name. */
  readonly isRepaired: boolean;
  readonly error?: string;
};

type Column = GridColumn<DealRow>;

/** Types whose texts can be corrected. Others have only differences in notation. */
const REPAIRED: ReadonlySet<Column['type']> = new Set(['phone', 'date', 'datetime', 'select']);

const ISO_DATE = /^\d{4}-\d\d-\d\d/;

/**
 * Parses cells like a paste into the table (docs/product/data-entry.md, Editing cells), and returns ids for names.
 * @param onlyMonth the only permitted month; null for all
 */
export function cellReader(
  options: DealOptions,
  onlyMonth: string | null,
  clock: Clock,
): (field: ImportedField, text: string) => ReadCell {
  const columns = new Map(dealColumns(options, { canEditBlank: true }).map((column) => [column.id, column]));
  const cache = new Map<string, ReadCell>();
  return (field, text) => {
    const key = `${field}:${text}`;
    const read = cache.get(key) ?? readCell(field, text);
    cache.set(key, read);
    return read;
  };

  function readCell(field: ImportedField, text: string): ReadCell {
    const wrong = (error: string): ReadCell => ({ value: null, text, isRepaired: false, error });
    if (/\p{Cc}/u.test(text.replace(/[\t\r\n]/g, ''))) return wrong(texts.notPlain);
    if (field === 'month') return readMonth(text, wrong);
    const column = columns.get(field)!;
    const parsed = parseText(column, text, clock);
    if (!parsed.ok) return wrong(reasonFor(field, text) ?? parsed.message);
    const { value } = parsed;
    if (typeOf(field, []) === 'email' && value !== null && !EMAIL.test(String(value)))
      return wrong(texts.emailInvalid);
    const displayed = editText(column, value, clock.timeZone);
    const isSame = plainly(displayed) === plainly(text) || ISO_DATE.test(text);
    const isRead = REPAIRED.has(column.type) || field === 'items' || isCustomKey(field);
    return { value, text: displayed, isRepaired: isRead && !isSame };
  }

  function readMonth(text: string, wrong: (error: string) => ReadCell): ReadCell {
    if (text === '') return { value: null, text, isRepaired: false };
    const iso = /^(\d{4})-(\d\d)$/.exec(text);
    const days = iso ? [`${text}-01`] : [`1 ${text}`, text];
    const day = days.map((one) => parseDate(one, clock)).find(({ ok }) => ok);
    if (!day?.ok) return wrong(texts.noMonth);
    const value = String(day.value).slice(0, 7);
    if (onlyMonth !== null && value !== onlyMonth) return wrong(texts.onlyMonth);
    const displayed = formatMonth(value);
    return { value, text: displayed, isRepaired: !iso && displayed.toLowerCase() !== text.toLowerCase() };
  }
}

/** Normalises notation: case, and leading zeros of days and months. */
const plainly = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/(?<!\d)0(?=\d\/)/g, '');

/** Returns the error of an unknown name, for which the table shows a list of options instead. */
function reasonFor(field: ImportedField, text: string): string | undefined {
  if (field === 'dealershipId') return texts.noDealership(text);
  return field === 'status' ? texts.noStatus(text) : undefined;
}
