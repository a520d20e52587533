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

/** An item sold in a row. Without a price the server's is used: the row's own, or that of the item. */
export type DealLine = Omit<DealItem, 'unitPrice'> & { readonly unitPrice: number | null };

/** Items as the value of a cell: one text, so that drafts, undo and conflicts need no lists. */
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

/** Begins the value of a cell that is a tick or a list. No text contains it. */
const NO_TEXT = '\u0001';

/** A value of a custom field as the value of its cell: one text for a tick or a list, as for items. */
export const customCell = (value: CustomValue): string | number =>
  typeof value === 'object' || value === true ? NO_TEXT + JSON.stringify(value) : value;

/** The same in the other direction. */
export const customValueOf = (cell: CellValue): CustomValue | null =>
  typeof cell === 'string' && cell.startsWith(NO_TEXT) ? (JSON.parse(cell.slice(1)) as CustomValue) : cell;

/** Returns a text of several lines as a cell shows it. */
export const oneLine = (value: CellValue): string => String(value ?? '').replaceAll(/\s*\n\s*/g, ' · ');

/** Returns the saved value of a field, as the value of its cell. */
export function savedValue(deal: Deal | null, field: DealField): CellValue {
  if (field === 'items') return itemsValue(deal?.items ?? []);
  // Runs for every row of a sort: reading both takes less time than testing the name.
  const value = deal?.[field as 'status'] ?? deal?.custom?.[field as CustomKey] ?? null;
  return value === null ? null : customCell(value);
}

/** The options of cells, and the columns that exist for the user. */
export type DealOptions = ResponseBody<'GET /deals/options'>;

/** Returns the names of the records that can be chosen; none until they are loaded. */
export const activeNames = (records: readonly { name: string; active: boolean }[] = []): string[] =>
  records.filter(({ active }) => active).map(({ name }) => name);

/**
 * Whether a cell can be given a value: statuses, items, options and people that became inactive can only be kept.
 * @param current the value of the cell
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

/** Columns that identify a row exist for all users: they can be neither hidden by permissions nor edited. */
const everybodys: readonly string[] = identityColumns;

/** Returns the contract's name of a column or of the column of a group: the state of the email belongs to its time. */
export const contractColumn = (id: string): ViewColumnName | CustomKey =>
  (id === 'emailStatus' || id === 'emailState' ? 'lastEmailedAt' : id) as ViewColumnName;

/** Whether a column exists for the user (docs/product/people-and-permissions.md, Restrictions). */
export const existsFor = ({ columns, customFields }: DealOptions, id: string): boolean =>
  isCustomKey(id)
    ? customFields.some(({ key }) => key === id)
    : everybodys.includes(id) || (columns as readonly string[]).includes(contractColumn(id));

/** Returns the fields that a new row needs before it can be saved, as far as the options are loaded. */
export const requiredFields = (options: DealOptions | undefined): readonly DealField[] => [
  'customerName',
  'dealershipId',
  ...(options?.customFields ?? []).flatMap(({ key, isRequired, editable, defaultValue }) =>
    isRequired && editable && defaultValue === null ? key : [],
  ),
];
