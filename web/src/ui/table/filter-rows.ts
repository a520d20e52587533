import { formatBusinessDate } from '../../platform/formats.ts';
import { texts } from '../../texts/table.ts';
import { sortRows } from '../sort-rows.ts';
import type { ColumnFilter, DataColumn } from './data-column.ts';

const LAST_DAY = '9999-12-31';

/** The value of a filter: a text, the choices, or a range `[from, to]` with '' for an open end. */
export type Filter = readonly string[];

export type Filters = Readonly<Record<string, Filter>>;

/** Returns the filters with one column's replaced. An empty filter is removed. */
export function withFilter(filters: Filters, columnId: string, filter: Filter): Filters {
  const { [columnId]: _, ...rest } = filters;
  return filter.every((part) => part.trim() === '') ? rest : { ...rest, [columnId]: filter };
}

export function filterRows<R>(
  rows: readonly R[],
  columns: readonly DataColumn<R>[],
  filters: Filters,
): readonly R[] {
  const tests = columns.flatMap(({ id, filterBy }) => {
    const filter = filters[id];
    return filterBy && filter ? [testOf(filterBy, filter)] : [];
  });
  return tests.length === 0 ? rows : rows.filter((row) => tests.every((test) => test(row)));
}

function testOf<R>(by: ColumnFilter<R>, filter: Filter): (row: R) => boolean {
  const [first = '', second = ''] = filter;
  if (by.kind === 'text') {
    const searchText = folded(first);
    return (row) => folded(by.of(row) ?? '').includes(searchText);
  }
  if (by.kind === 'choice') return (row) => textsOf(by.of(row)).some((text) => filter.includes(text));
  if (by.kind === 'number') {
    const from = first === '' ? -Infinity : Number(first);
    const to = second === '' ? Infinity : Number(second);
    return (row) => isBetween(by.of(row), from, to);
  }
  return (row) => isBetween(dayOf(by.of(row)), first, second || LAST_DAY);
}

/** Normalises a text for a search without case and accents. */
const folded = (text: string): string => text.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

const isBetween = <V extends string | number>(value: V | null, from: V, to: V): boolean =>
  value !== null && value >= from && value <= to;

/** Returns the day of a business date, or of an instant in the browser's zone. */
function dayOf(value: string | null): string | null {
  if (value === null || value.length === 10) return value;
  const instant = new Date(value);
  const local = instant.getTime() - instant.getTimezoneOffset() * 60_000;
  return new Date(local).toISOString().slice(0, 10);
}

function textsOf(value: string | null | readonly string[]): readonly string[] {
  const text = typeof value === 'string' ? [value] : (value ?? []);
  return text.length === 0 ? [texts.none] : text;
}

/** Returns the choices of a filter: the values of the rows and the chosen ones, sorted. */
export function choicesOf<R>(
  rows: readonly R[],
  of: (row: R) => string | null | readonly string[],
  chosen: Filter,
): readonly string[] {
  const values = new Set([...rows.flatMap((row) => textsOf(of(row))), ...chosen]);
  return sortRows([...values], (text) => text, false);
}

/** Returns the value of a filter as text: `“pier”`, `Active or Inactive`, `2 to 5`. */
export function filterText(kind: ColumnFilter<never>['kind'], filter: Filter): string {
  if (kind === 'text') return texts.containing((filter[0] ?? '').trim());
  if (kind === 'choice') return texts.anyOf(filter);
  const [from = '', to = ''] = kind === 'date' ? filter.map((day) => day && formatBusinessDate(day)) : filter;
  if (from !== '' && to !== '') return texts.between(from, to);
  return from === '' ? texts.atMost(to) : texts.atLeast(from);
}
