import { expect, test } from 'vitest';
import { differenceOf, flagTexts, namesFrom } from './record-difference.ts';
import { defaultValues, flagKeys, type RecordValues } from './record-values.ts';

const names = namesFrom(
  [{ _id: 'd1', name: 'Northside Toyota' }],
  [{ _id: 's1', name: 'Called' }],
  [{ key: 'custom7', name: 'Fuel' }],
);
const difference = (after: Partial<RecordValues>, before: Partial<RecordValues> = {}) =>
  differenceOf({ ...defaultValues, ...before }, { ...defaultValues, ...before, ...after }, names);

test('equal permission records have no difference', () => {
  expect(difference({})).toEqual({ gains: [], losses: [], others: [] });
});

test('flags are described as what the user will and will no longer be able to do', () => {
  expect(difference({ 'dataEntry.canAddRows': true, 'pages.dataEntry': false })).toEqual({
    gains: ['add rows'],
    losses: ['open Data Entry'],
    others: [],
  });
});

test('a flag without effect is described as such', () => {
  expect(difference({ 'pages.backups': true })).toEqual({
    gains: [],
    losses: [],
    others: ['Backups page: on (opens nothing by itself)'],
  });
});

test('only these flags have no effect for the role user', () => {
  expect(flagKeys.filter((key) => flagTexts[key].can === undefined)).toEqual([
    'features.manageDealerships',
    'pages.dealerships',
    'pages.userManagement',
    'pages.backups',
  ]);
});

test.each<[Partial<RecordValues>, Partial<RecordValues>, string[]]>([
  [
    { viewAllColumns: false, visibleColumns: ['status', 'customerName'] },
    {},
    ['Will see only these columns: Status, Customer'],
  ],
  [
    { visibleColumns: ['status', 'custom7', 'custom8'] },
    { viewAllColumns: false, visibleColumns: ['status'] },
    ['Will see only these columns: Status, Fuel, No longer there'],
  ],
  [{ restrictedToOwn: true }, {}, ['Will see only their own rows and those shared with them']],
  [{ restrictedToOwn: false }, { restrictedToOwn: true }, ['Will no longer be limited to their own rows']],
  [{ viewAllColumns: true }, { viewAllColumns: false, visibleColumns: ['status'] }, ['Will see all columns']],
  [
    { restrictedDealerships: ['d1', 'gone'] },
    {},
    ['Dealerships now hidden: Northside Toyota, No longer there'],
  ],
  [{ restrictedStatuses: [] }, { restrictedStatuses: ['s1'] }, ['Statuses no longer hidden: Called']],
  [
    { restrictedRows: ['r2', 'r3'] },
    { restrictedRows: ['r1'] },
    ['Rows now hidden: 2 rows', 'Rows no longer hidden: 1 row'],
  ],
  [{ dateRangeStart: '2026-11-01' }, {}, ['Rows made from 01/11/2026']],
  [{ dateRangeEnd: '' }, { dateRangeEnd: '2026-11-30' }, ['Rows made on any day']],
  [
    { maxSessions: 3, sessionTimeout: '30' },
    {},
    ['Sign-ins at once: 3 (now 1)', 'Idle minutes before sign-out: 30 (now 60)'],
  ],
])('a change of permissions from %o to %o is described as text', (after, before, others) => {
  expect(difference(after, before).others).toEqual(others);
});
