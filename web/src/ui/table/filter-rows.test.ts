import { expect, test } from 'vitest';
import type { DataColumn } from './data-column.ts';
import { choicesOf, filterRows, filterText, withFilter, type Filters } from './filter-rows.ts';

type Car = { name: string; colours: string[]; doors: number | null; sold: string | null };

const cars: Car[] = [
  { name: 'Citroën C3', colours: ['Red', 'Blue'], doors: 5, sold: '2026-11-19' },
  { name: 'Fiat Panda', colours: ['Blue'], doors: 3, sold: '2026-11-20' },
  { name: 'Kit car', colours: [], doors: null, sold: null },
];

const render = () => null;
const columns: DataColumn<Car>[] = [
  { id: 'name', header: 'Name', render, filterBy: { kind: 'text', of: ({ name }) => name } },
  { id: 'colours', header: 'Colours', render, filterBy: { kind: 'choice', of: ({ colours }) => colours } },
  { id: 'doors', header: 'Doors', render, filterBy: { kind: 'number', of: ({ doors }) => doors } },
  { id: 'sold', header: 'Sold', render, filterBy: { kind: 'date', of: ({ sold }) => sold } },
  { id: 'note', header: 'Note', render },
];
const kept = (filters: Filters) => filterRows(cars, columns, filters).map(({ name }) => name);

test('text matches anywhere, ignoring case, accents and outer spaces', () => {
  expect(kept({ name: [' CITROEN '] })).toEqual(['Citroën C3']);
  expect(kept({ name: ['car'] })).toEqual(['Kit car']);
});

test('a row with one of the chosen values matches, and None matches rows without a value', () => {
  expect(kept({ colours: ['Red'] })).toEqual(['Citroën C3']);
  expect(kept({ colours: ['Red', 'None'] })).toEqual(['Citroën C3', 'Kit car']);
});

test('ranges include both ends, may be open, and exclude rows without a value', () => {
  expect(kept({ doors: ['3', '4'] })).toEqual(['Fiat Panda']);
  expect(kept({ doors: ['', '5'] })).toEqual(['Citroën C3', 'Fiat Panda']);
  expect(kept({ sold: ['2026-11-20', ''] })).toEqual(['Fiat Panda']);
  expect(kept({ sold: ['2026-11-19', '2026-11-19'] })).toEqual(['Citroën C3']);
});

test('an instant is matched by its day in the browser’s zone', () => {
  const at = new Date(2026, 10, 20, 0, 30).toISOString();
  const column: DataColumn<string> = {
    id: 'at',
    header: 'At',
    render,
    filterBy: { kind: 'date', of: (at) => at },
  };
  expect(filterRows([at], [column], { at: ['2026-11-20', '2026-11-20'] })).toEqual([at]);
  expect(filterRows([at], [column], { at: ['', '2026-11-19'] })).toEqual([]);
});

test('filters of several columns are combined, and one of a column without filterBy is ignored', () => {
  expect(kept({ colours: ['Blue'], doors: ['5', ''] })).toEqual(['Citroën C3']);
  expect(kept({ note: ['x'], gone: ['x'] })).toHaveLength(3);
});

test('an empty filter is removed', () => {
  expect(withFilter({}, 'doors', ['3', ''])).toEqual({ doors: ['3', ''] });
  expect(withFilter({ doors: ['3', ''], name: ['x'] }, 'doors', ['', ''])).toEqual({ name: ['x'] });
  expect(withFilter({ colours: ['Red'] }, 'colours', [])).toEqual({});
});

test('the choices are the values of the rows, and chosen ones that no row has any more', () => {
  expect(choicesOf(cars, ({ colours }) => colours, ['Green'])).toEqual(['Blue', 'Green', 'None', 'Red']);
});

test('filters are formatted as text', () => {
  expect(filterText('text', ['pier '])).toBe('“pier”');
  expect(filterText('choice', ['Active', 'Inactive'])).toBe('Active or Inactive');
  expect(filterText('number', ['2', '5'])).toBe('2 to 5');
  expect(filterText('number', ['2', ''])).toBe('from 2');
  expect(filterText('date', ['', '2026-11-20'])).toBe('up to 20/11/2026');
});
