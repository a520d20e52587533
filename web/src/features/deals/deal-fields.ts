import type { ResponseBody } from '@forecourt/contract/api';
import { isCustomKey, type CustomKey, type CustomValue } from '@forecourt/contract/custom-field-types';
import {
  editedFields,
  identityColumns,
  type EditedField,
  type ViewColumnName,
} from '@forecourt/contract/deal-fields';
import type { Deal, DealItem } from '@forecourt/contract/deals';
import type { CellValue } from '../../grid/grid.ts';

export type DealField = EditedField | CustomKey;

export const isDealField = (name: string): name is DealField =>
  (editedFields as readonly string[]).includes(name) || isCustomKey(name);

/** An item of a row. Without a price the server uses the row's stored price, or that of the item. */
export type DealLine = Omit<DealItem, 'unitPrice'> & { readonly unitPrice: number | null };

/** Converts items to a cell value, which is one text, so that drafts, undo and conflicts need no lists. */
export const itemsValue = (lines: readonly DealLine[]): string | null =>
  lines.length === 0
    ? null
    : JSON.stringify(
        lines.map(({ itemId, name, quantity, unitPrice }) => [itemId, name, quantity, unitPrice]),
      );

export function linesOf(value: CellValue): DealLine[] {
  if (typeof value !== 'string' || value === '') return [];
  const stored = JSON.parse(value) as [string, string, number, number | null][];
  return stored.map(([itemId, name, quantity, unitPrice]) => ({ itemId, name, quantity, unitPrice }));
}

/** Prefix of cell values that are checkboxes or lists. Texts cannot contain it. */
const NO_TEXT = '\u0001';

/** Converts a value of a custom field to a cell value: one text for a checkbox or a list. */
export const customCell = (value: CustomValue): string | number =>
  typeof value === 'object' || value === true ? NO_TEXT + JSON.stringify(value) : value;

/** Converts a cell value to a value of a custom field. */
export const customValueOf = (cell: CellValue): CustomValue | null =>
  typeof cell === 'string' && cell.startsWith(NO_TEXT) ? (JSON.parse(cell.slice(1)) as CustomValue) : cell;

/** Joins the lines of a text for display in a cell. */
export const oneLine = (value: CellValue): string => String(value ?? '').replaceAll(/\s*\n\s*/g, ' · ');

/** Returns the saved value of a field as a cell value. */
export function savedValue(deal: Deal | null, field: DealField): CellValue {
  if (field === 'items') return itemsValue(deal?.items ?? []);
  // Runs for every row of a sort: reading both properties is faster than testing the name.
  const value = deal?.[field as 'status'] ?? deal?.custom?.[field as CustomKey] ?? null;
  return value === null ? null : customCell(value);
}

/** The options of cells, and the columns that the user may see. */
export type DealOptions = ResponseBody<'GET /deals/options'>;

/** Returns the names of active records; none until they are loaded. */
export const activeNames = (records: readonly { name: string; active: boolean }[] = []): string[] =>
  records.filter(({ active }) => active).map(({ name }) => name);

/**
 * Whether a cell can get a value: an inactive status, item, option or user can only stay.
 * @param current current value of the cell
 */
export function isOffered(
  options: DealOptions,
  field: DealField,
  value: CellValue,
  current: CellValue,
): boolean {
  const { statuses, items, people, customFields } = options;
  const { type, options: choices } = customFields.find(({ key }) => key === field) ?? {};
  const offered = (): readonly unknown[] | undefined => {
    if (field === 'status') return activeNames(statuses);
    if (field === 'items') return items.map(({ _id }) => _id);
    if (type === 'person') return people.map(({ _id }) => _id);
    return choices?.length ? choices.filter(({ active }) => active).map(({ id }) => id) : undefined;
  };
  const choosable = offered();
  if (!choosable || value === null) return true;
  const partsOf = (cell: CellValue): readonly unknown[] =>
    field === 'items' ? linesOf(cell).map(({ itemId }) => itemId) : [customValueOf(cell)].flat();
  const accepted = new Set([...choosable, ...partsOf(current)]);
  return partsOf(value).every((part) => accepted.has(part));
}

/** Columns that all users see: permissions cannot hide them. */
const everybodys: readonly string[] = identityColumns;

/** Returns the contract's name of a column. The email state has that of its time. */
export const contractColumn = (id: string): ViewColumnName | CustomKey =>
  (id === 'emailStatus' || id === 'emailState' ? 'lastEmailedAt' : id) as ViewColumnName;

/** Whether the user may see a column (docs/product/people-and-permissions.md, Restrictions). */
export const existsFor = ({ columns, customFields }: DealOptions, id: string): boolean =>
  isCustomKey(id)
    ? customFields.some(({ key }) => key === id)
    : everybodys.includes(id) || (columns as readonly string[]).includes(contractColumn(id));

/** Returns the required fields of a new row, as far as the options are loaded. */
export const requiredFields = (options: DealOptions | undefined): readonly DealField[] => [
  'customerName',
  'dealershipId',
  ...(options?.customFields ?? []).flatMap(({ key, isRequired, editable, defaultValue }) =>
    isRequired && editable && defaultValue === null ? key : [],
  ),
];
