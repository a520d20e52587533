import { defaultRecord } from '@forecourt/contract/permission-defaults';
import { withChanges } from '@forecourt/contract/permissions';
import { expect, test } from 'vitest';
import type { Viewer } from '../../platform/http/context.ts';
import {
  withoutHidden,
  canRead,
  dealershipsOf,
  difference,
  findIdleFlag,
  viewedStatuses,
} from './permissions.policy.ts';

const [ROW, D1, D2, D3, D4] = [0, 1, 2, 3, 4].map((n) => `01900000-0000-7000-8000-00000000000${n}`) as [
  string,
  string,
  string,
  string,
  string,
];
const kim = { userId: 'kim', role: 'user' } as Viewer;
const admin = { userId: 'ada', role: 'admin' } as Viewer;
/** Hidden from Kim: a row, a dealership and a status. */
const kept = {
  ...withChanges(defaultRecord, {
    statusConfiguration: { viewStatuses: true },
    dataEntry: {
      columnVisibility: {
        viewAllColumns: false,
        visibleColumns: ['notes'],
        restrictedRows: [ROW],
        restrictedDealerships: [D1],
        restrictedStatuses: ['s1'],
      },
    },
  }),
  editableStatuses: ['s1', 's2'],
};

test('a record may be read by its user and by administrators', () => {
  expect([canRead(kim, 'kim'), canRead(kim, 'bob'), canRead(admin, 'bob')]).toEqual([true, false, true]);
});

test('a flag that a change turns on without those it requires is found, with the missing ones', () => {
  const off = withChanges(defaultRecord, { pages: { itemConfiguration: false } });
  const idle = withChanges(off, { features: { manageItems: true } });
  const found = { flag: 'features.manageItems', missing: [['pages.itemConfiguration']] };
  expect(findIdleFlag(off, idle)).toEqual(found);
  expect(findIdleFlag(off, withChanges(idle, { pages: { itemConfiguration: true } }))).toBeUndefined();
  expect(findIdleFlag(idle, idle)).toBeUndefined();
});

test('a record does not contain restricted ids for its user', () => {
  expect(withoutHidden(admin, kept as never)).toBe(kept);
  const { dataEntry, editableStatuses } = withoutHidden(kim, kept as never);
  expect(editableStatuses).toEqual(['s2']);
  expect(dataEntry.columnVisibility).toMatchObject({
    visibleColumns: ['notes'],
    restrictedRows: [],
    restrictedDealerships: [],
    restrictedStatuses: [],
  });
  expect(viewedStatuses(kept as never, ['s1', 's2', 's3'])).toEqual(['s2', 's3']);
  expect(viewedStatuses(defaultRecord as never, ['s1'])).toEqual([]);
});

test('restricted dealerships are omitted from a user’s own, except for an administrator who reads owned ones', () => {
  const held = { owned: [D1, D2], canView: [D1, D3], canEdit: [D1, D4] };
  const seen = { owned: [D2], canView: [D3], canEdit: [D4] };
  expect(dealershipsOf(kim, 'user', kept as never, held)).toEqual(seen);
  expect(dealershipsOf(admin, 'user', kept as never, held)).toEqual({ ...seen, owned: held.owned });
  expect(dealershipsOf(admin, 'admin', kept as never, held)).toEqual(held);
});

test('a difference contains each changed flag before and after', () => {
  const after = withChanges(defaultRecord, {
    features: { bulkEdit: true },
    dataEntry: { columnVisibility: { visibleColumns: ['notes'], viewAllColumns: true } },
    maxSessions: 3,
  });
  expect(difference(defaultRecord, after)).toEqual({
    before: { 'features.bulkEdit': false, 'dataEntry.columnVisibility.visibleColumns': [], maxSessions: 1 },
    after: {
      'features.bulkEdit': true,
      'dataEntry.columnVisibility.visibleColumns': ['notes'],
      maxSessions: 3,
    },
  });
});

test('changes without flags leave the record unchanged', () => {
  expect(withChanges(defaultRecord, { features: {}, dataEntry: { columnVisibility: {} } })).toEqual(
    defaultRecord,
  );
});
