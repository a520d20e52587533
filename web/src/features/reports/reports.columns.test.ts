import type { ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import type { DealStatus } from '@forecourt/contract/deals';
import { expect, test } from 'vitest';
import { withCondition } from '../deals/deal-filter.shared.ts';
import { linkOf } from './reports.columns.tsx';
import { reportOf } from './use-report.ts';

const report = (search: Record<string, string>) => reportOf(search, '2026-11');
const row = { key: 'd1', name: 'Deal', deals: 1 };
const statuses = [{ _id: 'd1', name: 'Deal' }] as DealStatus[];
const november = { from: '2026-11', to: '2026-11' };
const is = (field: string, id: string) => ({ field, operator: 'isAnyOf', value: [id] });
const notes = { field: 'notes', operator: 'isEmpty' } as const;
const filterIn = (link: ReturnType<typeof linkOf>): unknown => JSON.parse(link?.search['filter'] ?? 'null');

test('a row of one month links to its deals, with the filters of the report', () => {
  const link = linkOf(report({ ...november, by: 'status', dealershipId: 'h' }), row);
  expect(link).toMatchObject({ to: '/data-entry', search: { month: '2026-11' } });
  expect(filterIn(link)).toEqual({ match: 'all', conditions: [is('status', 'd1'), is('dealershipId', 'h')] });
  expect(linkOf(report({ by: 'month' }), { ...row, key: '2026-10' })?.search).toEqual({
    month: '2026-10',
    filter: '',
  });
});

test('the filter on columns of the report is part of the link, and a status by its id', () => {
  const filter = { match: 'any', conditions: [notes, notes] };
  const link = linkOf(
    report({ by: 'month', status: 'Deal', filter: JSON.stringify(filter) }),
    { ...row, key: '2026-10' },
    statuses,
  );
  expect(filterIn(link)).toEqual({ match: 'all', conditions: [filter, is('status', 'd1')] });
});

test('a row of several months links to the report by month', () => {
  expect(linkOf(report({ by: 'dealership', from: '2026-01', to: '2026-11' }), row)).toEqual({
    to: '/reports',
    search: { by: 'month', dealershipId: 'd1', from: '2026-01', to: '2026-11' },
  });
});

test('an owner links to the statement, or to the filtered deals; an item to its deals', () => {
  expect(linkOf(report({ by: 'month', owner: 'kim' }), { ...row, key: '2026-10' })).toEqual({
    to: '/reports/commission-statement',
    search: { owner: 'kim', month: '2026-10' },
  });
  const filter = JSON.stringify({ match: 'all', conditions: [notes] });
  expect(filterIn(linkOf(report({ ...november, by: 'owner', filter }), row))).toEqual({
    match: 'all',
    conditions: [notes, is('owner', 'd1')],
  });
  expect(filterIn(linkOf(report({ ...november, by: 'item' }), row))).toEqual({
    match: 'all',
    conditions: [is('items', 'd1')],
  });
  expect(linkOf(report({ by: 'item' }), { ...row, key: null })).toBeUndefined();
});

test('a filter with groups of which one is enough, and a full one, take no further condition', () => {
  const of = (match: 'all' | 'any', ...conditions: ColumnFilter['conditions']): ColumnFilter => ({
    match,
    conditions,
  });
  const group = of('all', notes, notes) as ColumnFilter['conditions'][number];
  expect(withCondition(of('any', notes, group), notes)).toBeNull();
  expect(withCondition(of('any', group), notes)).toEqual(of('all', group, notes));
  expect(withCondition(of('all', ...Array.from({ length: 20 }, () => notes)), notes)).toBeNull();
});
