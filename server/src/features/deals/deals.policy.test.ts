import { describe, expect, test } from 'vitest';
import type { Viewer } from '../../platform/http/context.ts';
import {
  canAdd,
  canAddVisibleRow,
  canChangeMany,
  canDelete,
  canEdit,
  canEmail,
  canOpen,
  canOpenMonth,
  canSee,
  visibleColumnsOf,
  conflictingFields,
  mergeable,
  offersItems,
  restorable,
  scopeOf,
  searchesAllMonths,
  sharingAbilities,
  visible,
  visiblePresence,
  type DealScope,
} from './deals.policy.ts';

const NO_LIMIT: DealScope = {
  onlyMonth: null,
  exceptRows: [],
  exceptDealerships: [],
  exceptStatuses: [],
  from: null,
  to: null,
  onlyOf: null,
};
const deal = {
  id: 'd1',
  month: '2026-11',
  dealershipId: 'harbour',
  statusId: 'called',
  createdOn: '2026-11-20',
  owner_id: 'owner',
  created_by: 'creator',
  shares: [{ userId: 'reader', level: 'view' as const }],
};

describe('a row is in the scope of a viewer', () => {
  const limits: [string, Partial<DealScope>, boolean][] = [
    ['no limit', {}, true],
    ['its month alone', { onlyMonth: '2026-11' }, true],
    ['another month alone', { onlyMonth: '2026-10' }, false],
    ['no row but others', { exceptRows: ['d2'] }, true],
    ['not the row', { exceptRows: ['d2', 'd1'] }, false],
    ['another dealership excluded', { exceptDealerships: ['north'] }, true],
    ['its dealership excluded', { exceptDealerships: ['harbour'] }, false],
    ['another status excluded', { exceptStatuses: ['lost'] }, true],
    ['its status excluded', { exceptStatuses: ['called'] }, false],
    ['its day as the first', { from: '2026-11-20' }, true],
    ['its day as the last', { to: '2026-11-20' }, true],
    ['its day as the only one', { from: '2026-11-20', to: '2026-11-20' }, true],
    ['the day after it as the first', { from: '2026-11-21' }, false],
    ['the day before it as the last', { to: '2026-11-19' }, false],
    ['its owner alone', { onlyOf: { userId: 'owner' } }, true],
    ['its creator alone', { onlyOf: { userId: 'creator' } }, true],
    ['the reader of a share alone', { onlyOf: { userId: 'reader' } }, true],
    ['another person alone', { onlyOf: { userId: 'u1' } }, false],
  ];
  test.each(limits)('a row is in the scope of a viewer with %s', (_, limit, expected) => {
    expect(visible.matches({ ...NO_LIMIT, ...limit }, deal)).toBe(expected);
  });
});

const clerk = (rights: object = {}, columnVisibility: object = {}, more: object = {}) =>
  ({
    userId: 'u1',
    role: 'user',
    permissions: {
      pages: { dataEntry: true },
      features: { bulkEdit: false },
      ...more,
      dataEntry: {
        canAddRows: true,
        canAccessAllMonths: true,
        ...rights,
        columnVisibility: {
          viewAllColumns: true,
          visibleColumns: [],
          restrictedRows: [],
          restrictedDealerships: [],
          restrictedStatuses: [],
          dateRangeStart: null,
          dateRangeEnd: null,
          restrictedToOwn: false,
          ...columnVisibility,
        },
      },
    },
  }) as unknown as Viewer;

test('the scope has every limit of the permission record, and none for an administrator', () => {
  const restricted = clerk(
    { canAccessAllMonths: false },
    {
      restrictedRows: ['d1'],
      restrictedDealerships: ['harbour'],
      restrictedStatuses: ['called'],
      dateRangeStart: '2026-01-01',
      dateRangeEnd: '2026-12-31',
      restrictedToOwn: true,
    },
  );
  expect(scopeOf(restricted, '2026-11')).toEqual({
    onlyMonth: '2026-11',
    exceptRows: ['d1'],
    exceptDealerships: ['harbour'],
    exceptStatuses: ['called'],
    from: '2026-01-01',
    to: '2026-12-31',
    onlyOf: { userId: 'u1' },
  });
  expect(scopeOf({ ...restricted, role: 'admin' }, '2026-11')).toEqual(NO_LIMIT);
  expect(scopeOf(clerk(), '2026-11')).toEqual(NO_LIMIT);
});

test.each([
  ['without limits', {}, true],
  ['on the first day of the range', { from: '2026-11-20' }, true],
  ['on the last day of the range', { to: '2026-11-20' }, true],
  ['before the range', { from: '2026-11-21' }, 'ROW_OUT_OF_SIGHT'],
  ['after the range', { to: '2026-11-19' }, 'ROW_OUT_OF_SIGHT'],
] as const)('a row can be added %s: %j is %s', (_, limit, expected) => {
  const today = { day: '2026-11-20', seesDefaultStatus: true };
  expect(canAddVisibleRow(clerk(), { ...NO_LIMIT, ...limit }, today)).toBe(expected);
});

test.each([
  ['without the right to add', clerk({ canAddRows: false }), true, 'NO_ROW_ADD'],
  [
    'without a required column',
    clerk({}, { viewAllColumns: false, visibleColumns: ['customerName'] }),
    true,
    'COLUMN_HIDDEN',
  ],
  ['with a default status that is excluded, while another can be chosen', clerk(), false, true],
  [
    'with a default status that is excluded and no status column',
    clerk({}, { viewAllColumns: false, visibleColumns: ['customerName', 'dealershipId'] }),
    false,
    'ROW_OUT_OF_SIGHT',
  ],
] as const)('adding a row is decided by the permissions: %s', (_, viewer, seesDefaultStatus, expected) => {
  expect(canAddVisibleRow(viewer, NO_LIMIT, { day: '2026-11-20', seesDefaultStatus })).toBe(expected);
});

const admin: Viewer = { ...clerk({ canAddRows: false, canAccessAllMonths: false }), role: 'admin' };

/** A row of other users, with a share of this level for Kim. */
const rowOf = ({ createdBy = 'u2', owner = 'u3', level = '' } = {}) => ({
  created_by: createdBy,
  owner_id: owner,
  owner_name: 'Otto',
  shares: level === '' ? [] : [{ userId: 'u1', level, sharedAt: '', name: 'Kim', email: '' } as never],
});

describe('a saved row', () => {
  const rows: [string, ReturnType<typeof rowOf>, { edit: boolean; share: boolean }][] = [
    ['of others', rowOf(), { edit: false, share: false }],
    ['that one created', rowOf({ createdBy: 'u1' }), { edit: true, share: false }],
    ['that one owns', rowOf({ owner: 'u1' }), { edit: true, share: true }],
    ['with a share to view', rowOf({ level: 'view' }), { edit: false, share: false }],
    ['with a share to edit', rowOf({ level: 'edit' }), { edit: true, share: false }],
    ['with a full share', rowOf({ level: 'full' }), { edit: true, share: false }],
  ];
  test.each(rows)(
    '%s can be edited, deleted, shared and transferred as permitted',
    (_, row, { edit, share }) => {
      const able = (may: boolean) => (may ? true : 'NOT_ROW_OWNER');
      const all = clerk({ canDeleteRows: true, canChangeOwnership: true });
      expect(canEdit(all, row)).toBe(able(edit));
      expect(canDelete(all, row)).toBe(able(edit));
      expect(canDelete(clerk({ canDeleteRows: false }), row)).toBe('NO_ROW_DELETE');
      expect(sharingAbilities(all, row)).toEqual({ share: able(share), transfer: able(share) });
      expect(sharingAbilities(clerk({ canChangeOwnership: false }), row)).toEqual({
        share: able(share),
        transfer: 'NO_OWNER_CHANGE',
      });
      expect([canEdit(admin, row), canDelete(admin, row)]).toEqual([true, true]);
      expect(sharingAbilities(admin, row)).toEqual({ share: true, transfer: true });
    },
  );

  test('a saved row can be restored by the user who deleted it for an hour, by administrators for 30 days', () => {
    expect(restorable(clerk())).toEqual({ by: 'u1', hours: 1 });
    expect(restorable(admin)).toEqual({ by: null, hours: 720 });
  });
});

describe('the place of another user', () => {
  const place = { month: '2026-11', cell: { dealId: 'd1', column: 'notes' } } as const;
  const monthOnly = { month: '2026-11', cell: null };
  const limited = clerk({}, { viewAllColumns: false, visibleColumns: ['notes'] });
  const shown = (
    viewer: Viewer,
    given: typeof place | typeof monthOnly = place,
    row: typeof deal | undefined = deal,
  ) => visiblePresence(viewer, given, row, '2026-11');

  test('the place of another user has its cell for viewers of that row and column', () => {
    expect([shown(admin), shown(clerk()), shown(limited)]).toEqual([place, place, place]);
  });

  test.each([
    ['a hidden column', () => shown(clerk({}, { viewAllColumns: false, visibleColumns: ['vehicle'] }))],
    [
      'a hidden row',
      () => shown(clerk({}, { viewAllColumns: false, visibleColumns: ['notes'], restrictedRows: ['d1'] })),
    ],
    ['a deleted row', () => visiblePresence(admin, place, undefined, '2026-11')],
    ['no cell', () => shown(admin, monthOnly)],
  ])('the place of another user has only its month with %s', (_, seen) => {
    expect(seen()).toEqual(monthOnly);
  });

  test('the place of another user is hidden from viewers who may not open Data Entry or that month', () => {
    expect(shown(clerk({}, {}, { pages: { dataEntry: false } }))).toBeNull();
    const clerkOfThisMonth = clerk({ canAccessAllMonths: false });
    expect(visiblePresence(clerkOfThisMonth, place, deal, '2026-12')).toBeNull();
    expect(shown(clerkOfThisMonth)).toEqual(place);
  });
});

test('each ability follows its flag, and an administrator has all of them', () => {
  const none = clerk(
    { canAddRows: false, canAccessAllMonths: false, canSearchHistorical: true },
    { viewAllColumns: false, visibleColumns: [] },
    { pages: { dataEntry: false } },
  );
  const all = clerk({ canSearchHistorical: true }, {}, { features: { bulkEdit: true } });
  const rights = (viewer: Viewer) => ({
    add: canAdd(viewer),
    many: canChangeMany(viewer),
    open: canOpen(viewer),
    email: canEmail(viewer),
    items: offersItems(viewer),
    history: searchesAllMonths(viewer),
    past: canOpenMonth(viewer, '2026-10', '2026-11'),
    now: canOpenMonth(viewer, '2026-11', '2026-11'),
  });
  const every = {
    add: true,
    many: true,
    open: true,
    email: true,
    items: true,
    history: true,
    past: true,
    now: true,
  };
  expect(rights(admin)).toEqual(every);
  expect(rights(all)).toEqual(every);
  expect(rights(none)).toEqual({
    add: 'NO_ROW_ADD',
    many: false,
    open: false,
    email: 'NO_DATA_ENTRY',
    items: false,
    history: false,
    past: 'NO_OTHER_MONTHS',
    now: true,
  });
  expect(searchesAllMonths(clerk({ canSearchHistorical: false }))).toBe(false);
});

test('a column is visible to users with all columns or with this one', () => {
  const narrow = clerk({}, { viewAllColumns: false, visibleColumns: ['notes', 'items'] });
  expect(visibleColumnsOf(narrow).toSorted()).toEqual(['items', 'notes']);
  expect([canSee(narrow, 'notes'), canSee(narrow, 'vehicle')]).toEqual([true, false]);
  expect(canEmail(narrow)).toBe('COLUMN_HIDDEN');
  expect(offersItems(narrow)).toBe(true);
  expect(offersItems(clerk({}, { viewAllColumns: false, visibleColumns: ['notes'] }))).toBe(false);
  expect(visibleColumnsOf(admin)).toEqual(visibleColumnsOf(clerk()));
});

test('fields changed after the version that the editor saw are in conflict', () => {
  const versions = { notes: 3, vehicle: 2 };
  expect(conflictingFields(['notes', 'vehicle', 'customerName'], versions, 2)).toEqual(['notes']);
  expect(conflictingFields(['notes', 'customerName'], versions, 3)).toEqual([]);
  // A field without an entry has the version of the new row.
  expect(conflictingFields(['customerName'], versions, 1)).toEqual([]);
});

describe('a change of notes is saved in one statement', () => {
  const row = { version: 3, month: '2026-10', fieldVersions: { notes: 2, vehicle: 3 } };
  const changes: [string, { seen: number; movesTo: string | null }, boolean][] = [
    ['by somebody who saw the row as it is', { seen: 3, movesTo: null }, true],
    ['by somebody who saw it with these notes', { seen: 2, movesTo: null }, true],
    ['not by somebody who saw it with older notes', { seen: 1, movesTo: null }, false],
    ['not from a version that does not exist', { seen: 4, movesTo: null }, false],
    ['where the row is in the month already', { seen: 3, movesTo: '2026-10' }, true],
    ['not where the row moves to a later month', { seen: 3, movesTo: '2026-11' }, false],
  ];
  test.each(changes)('a change of notes is saved in one statement: %s', (_, change, expected) => {
    expect(mergeable(['notes']).matches(change, row)).toBe(expected);
  });
});
