import { formatBusinessDate } from '../../platform/formats.ts';
import { texts } from '../../texts/table.ts';
import { sortRows } from '../sort-rows.ts';
import type { ColumnFilter, DataColumn } from './data-column.ts';

const LAST_DAY = '9999-12-31';

/** What is asked of a column: the text, the choices, or a range as `[from, to]`, an open end being ''. */
export type Filter = readonly string[];

/** The filters in force by column; a column without one is not in it. */
export type Filters = Readonly<Record<string, Filter>>;

/** The same filters with another one for a column. One that asks for nothing is taken out. */
export function withFilter(filters: Filters, columnId: string, filter: Filter): Filters {
  const { [columnId]: _, ...rest } = filters;
  return filter.every((part) => part.trim() === '') ? rest : { ...rest, [columnId]: filter };
}

/** The rows that every filter keeps, in the same order. */
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
    const wanted = folded(first);
    return (row) => folded(by.of(row) ?? '').includes(wanted);
  }
  if (by.kind === 'choice') return (row) => wordsOf(by.of(row)).some((words) => filter.includes(words));
  if (by.kind === 'number') {
    const from = first === '' ? -Infinity : Number(first);
    const to = second === '' ? Infinity : Number(second);
    return (row) => isBetween(by.of(row), from, to);
  }
  return (row) => isBetween(dayOf(by.of(row)), first, second || LAST_DAY);
}

/** Case and accents aside, as people search. */
const folded = (text: string): string => text.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

const isBetween = <V extends string | number>(value: V | null, from: V, to: V): boolean =>
  value !== null && value >= from && value <= to;

/** The day of a business date, or of an instant on the viewer's clock. */
function dayOf(value: string | null): string | null {
  if (value === null || value.length === 10) return value;
  const instant = new Date(value);
  const local = instant.getTime() - instant.getTimezoneOffset() * 60_000;
  return new Date(local).toISOString().slice(0, 10);
}

function wordsOf(value: string | null | readonly string[]): readonly string[] {
  const words = typeof value === 'string' ? [value] : (value ?? []);
  return words.length === 0 ? [texts.none] : words;
}

/** What there is to choose from: what the rows hold, and what is chosen already, sorted. */
export function choicesOf<R>(
  rows: readonly R[],
  of: (row: R) => string | null | readonly string[],
  chosen: Filter,
): readonly string[] {
  const found = new Set([...rows.flatMap((row) => wordsOf(of(row))), ...chosen]);
  return sortRows([...found], (words) => words, false);
}

/** A filter in words, without its column: `“pier”`, `Active or Inactive`, `2 to 5`. */
export function filterWords(kind: ColumnFilter<never>['kind'], filter: Filter): string {
  if (kind === 'text') return texts.containing((filter[0] ?? '').trim());
  if (kind === 'choice') return texts.anyOf(filter);
  const [from = '', to = ''] = kind === 'date' ? filter.map((day) => day && formatBusinessDate(day)) : filter;
  if (from !== '' && to !== '') return texts.between(from, to);
  return from === '' ? texts.atMost(to) : texts.atLeast(from);
}
