import type { VisibleCustomField } from '@forecourt/contract/custom-fields';
import type { Deal } from '@forecourt/contract/deals';
import { beforeEach, expect, test } from 'vitest';
import { changesOf, createRowStore, displayText, type GridColumn } from '../../../grid/grid.ts';
import { customCell, type DealOptions } from '../deal-fields.ts';
import type { DealRow } from '../deal-row.ts';
import { dealColumns } from '../deals.columns.tsx';
import { orderOf, serverOrder, windowSort } from '../store/sort.ts';
import { applyEdit, emptyDraft } from '../sync/draft.ts';
import { formatValue } from '../sync/field-conflicts.ts';
import { customPart } from './custom-columns.lazy.ts';
import { customColumns, customInEdit } from './custom-columns.ts';

const field = (number: number, type: VisibleCustomField['type'], rest = {}): VisibleCustomField => ({
  key: `custom${number}`,
  name: `Field ${number}`,
  type,
  help: '',
  options: [],
  isRequired: false,
  defaultValue: null,
  editable: true,
  ...rest,
});
const choices = [
  { id: 'o1', name: 'Gold', active: true },
  { id: 'o2', name: 'Silver', active: false },
];
const options = {
  columns: ['customerName'],
  statuses: [],
  dealerships: [],
  items: [],
  owners: [{ _id: 'u2', name: 'Lee Left' }],
  people: [{ _id: 'u1', name: 'Kim Clerk' }],
  customFields: [
    field(1, 'text', { defaultValue: 'Usual' }),
    field(2, 'longText'),
    field(3, 'number'),
    field(4, 'currency'),
    field(5, 'percent'),
    field(6, 'date'),
    field(7, 'checkbox'),
    field(8, 'select', { options: choices }),
    field(9, 'multiSelect', { options: choices }),
    field(10, 'person'),
    field(11, 'link', { editable: false }),
  ],
} as unknown as DealOptions;

const abilities = { edit: true } as Deal['abilities'];
const row = (custom: Deal['custom'], key = 'd1'): DealRow => ({
  key,
  draft: undefined,
  deal: { _id: key, abilities, createdAt: '2026-11-20T00:00:00Z', custom } as Deal,
});
const full = row({
  custom1: 'Text',
  custom2: 'One\nTwo',
  custom3: -1234.5,
  custom4: 99.5,
  custom5: 12.25,
  custom6: '2026-11-20',
  custom7: true,
  custom8: 'o2',
  custom9: ['o1', 'o2'],
  custom10: 'u2',
  custom11: 'https://example.com',
});

let columns: readonly GridColumn<DealRow>[];
beforeEach(() => {
  customPart.set(customColumns);
  columns = dealColumns(options, { canEditBlank: true });
});
const columnOf = (id: string) => columns.find((column) => column.id === id)!;
const custom = () => columns.filter(({ id }) => id.startsWith('custom') && id !== 'customerName');

test('columns follow the built-in ones, before those that are hidden at first', () => {
  expect(columns.map(({ id }) => id)).toEqual([
    'customerName',
    ...options.customFields.map(({ key }) => key),
    'month',
    'createdAt',
  ]);
});

test('each type is shown as people read it, also inactive options and former users', () => {
  expect(custom().map((column) => displayText(column, full, ''))).toEqual([
    'Text',
    'One · Two',
    '-1,234.5',
    '$99.50',
    '12.25%',
    '20/11/2026',
    '✓ Yes',
    'Silver',
    'Gold, Silver',
    'Lee Left',
    'https://example.com',
  ]);
  expect(
    custom()
      .map((column) => displayText(column, row({}), ''))
      .join(''),
  ).toBe('');
  expect(
    custom()
      .map((column) => displayText(column, row(undefined), ''))
      .join(''),
  ).toBe('');
});

test('the copied text of each cell is read as the same value', () => {
  const store = createRowStore<DealRow>((announce) => announce());
  const empty = row({}, 'd2');
  store.setRows([full, empty]);
  const clock = { now: new Date(), timeZone: 'UTC' };
  for (const column of custom()) {
    const value = column.get(full)!;
    const text = column.toText?.(value) ?? (column.type === 'date' ? '20/11/2026' : String(value));
    const own = changesOf([{ key: 'd1', column, text }], store.get, clock);
    expect([own.changes, own.refused], column.header).toEqual([[], []]);
    const other = changesOf([{ key: 'd2', column, text }], store.get, clock);
    // An inactive option, a former user and a field of administrators are not set in another row.
    const isClosed = ['custom8', 'custom9', 'custom10', 'custom11'].includes(column.id);
    expect(
      other.changes.map(({ after }) => after),
      column.header,
    ).toEqual(isClosed ? [] : [value]);
  }
});

test('a cell that only administrators may change has this as its reason', () => {
  expect(columnOf('custom11').blockedReason?.(full)).toBe('Only administrators can change Field 11');
  expect(columnOf('custom1').blockedReason?.(full)).toBeNull();
});

test('a row being typed shows the default that it will get', () => {
  const draft = applyEdit(emptyDraft('k', null, '2026-11'), null, {
    field: 'custom3',
    before: null,
    after: 0,
  });
  const fresh: DealRow = { key: 'k', deal: null, draft };
  expect(displayText(columnOf('custom1'), fresh, '')).toBe('Usual');
  expect(displayText(columnOf('custom1'), { ...fresh, draft: undefined }, '')).toBe('');
  expect(displayText(columnOf('custom1'), { ...fresh, deal: row({}).deal }, '')).toBe('');
  const emptied = applyEdit(draft, null, { field: 'custom1', before: null, after: null });
  expect(displayText(columnOf('custom1'), { ...fresh, draft: emptied }, '')).toBe('');
});

test('numbers are sorted as numbers, one option by its place, several by their names, and empty cells are last', () => {
  const rows = createRowStore<DealRow>((announce) => announce());
  rows.setRows([
    row({ custom5: -1, custom8: 'o2', custom9: ['o2'] }, 'a'),
    row({ custom5: -200, custom8: 'o1', custom9: ['o1'] }, 'b'),
    row({}, 'c'),
  ]);
  const rank = (id: string) => columnOf('custom8').rank?.(id);
  expect([rank('o1'), rank('o2'), rank('unknown')]).toEqual([0, 1, choices.length]);
  // Neither the order of the ids nor that of the names.
  const moved = { ...options, customFields: [field(8, 'select', { options: choices.toReversed() })] };
  const by = (columnId: string, of = columns) => orderOf(rows, { columnId, direction: 'ascending' }, of, []);
  expect(by('custom8')).toEqual(['b', 'a', 'c']);
  expect(by('custom8', customColumns(moved))).toEqual(['a', 'b', 'c']);
  expect(by('custom5')).toEqual(['b', 'a', 'c']);
  expect(by('custom9')).toEqual(['b', 'a', 'c']);
});

test('the server sorts a window of a month by a custom field, as it does by other columns', () => {
  const sort = { columnId: 'custom5', direction: 'ascending' } as const;
  const shown = windowSort(sort, { month: '2026-11', search: '', filter: null });
  expect(serverOrder(shown, options)).toEqual({ sort: 'custom5', order: 'asc' });
});

test('a value in a message is formatted as in its cell', () => {
  expect(formatValue(columnOf('custom3'), 12.5, '')).toBe('12.5');
  expect(formatValue(columnOf('custom5'), 12.5, '')).toBe('12.5%');
  expect(formatValue(columnOf('custom9'), customCell(['o2']), '')).toBe('Silver');
  expect(formatValue(columnOf('custom7'), customCell(true), '')).toBe('Yes');
});

test('lists and ticks are amended outside of the cell', () => {
  columnOf('custom9').open?.(full);
  expect(customInEdit.get()).toEqual({ key: 'd1', field: 'custom9' });
  customInEdit.set(null);
});
