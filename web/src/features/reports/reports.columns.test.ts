import { expect, test } from 'vitest';
import { linkOf } from './reports.columns.tsx';
import { reportOf } from './use-report.ts';

const report = (search: Record<string, string>) => reportOf(search, '2026-11');
const row = { key: 'd1', name: 'Deal', deals: 1 };

test('a row of one month links to its deals, with the filters of the report', () => {
  const november = { from: '2026-11', to: '2026-11' };
  expect(linkOf(report({ ...november, by: 'status', dealershipId: 'h' }), row)).toEqual({
    to: '/data-entry',
    search: { month: '2026-11', status: 'Deal', dealershipId: 'h' },
  });
  expect(linkOf(report({ by: 'month' }), { ...row, key: '2026-10' })?.search).toEqual({
    month: '2026-10',
    status: '',
    dealershipId: '',
  });
});

test('a row of several months links to the report by month', () => {
  expect(linkOf(report({ by: 'dealership', from: '2026-01', to: '2026-11' }), row)).toEqual({
    to: '/reports',
    search: { by: 'month', dealershipId: 'd1', from: '2026-01', to: '2026-11' },
  });
});

test('an owner links to the statement; an item has no link', () => {
  expect(linkOf(report({ by: 'month', owner: 'kim' }), { ...row, key: '2026-10' })).toEqual({
    to: '/reports/commission-statement',
    search: { owner: 'kim', month: '2026-10' },
  });
  expect(linkOf(report({ by: 'item' }), row)).toBeUndefined();
});
