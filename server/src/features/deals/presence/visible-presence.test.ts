import { permissionDefaults } from '@forecourt/contract/permission-defaults';
import { expect, test } from 'vitest';
import type { Viewer } from '../../../platform/http/context.ts';
import { visiblePresence } from '../deals.policy.ts';

const [NOW, THEN] = ['2026-11', '2024-01'];
const deal = { id: 'd-1', month: NOW, dealershipId: 'x', statusId: 's', createdOn: '2026-11-20' };
const place = (month: string) => ({ month, cell: { dealId: 'd-1', column: 'notes' as const } });
const visibility = {
  viewAllColumns: true,
  visibleColumns: [],
  restrictedRows: [],
  restrictedDealerships: [],
  restrictedStatuses: [],
  dateRangeStart: null,
  dateRangeEnd: null,
};
const viewer = ({ pages = {}, dataEntry = {}, columnVisibility = {} }) =>
  ({
    role: 'user',
    permissions: {
      pages: { ...permissionDefaults.pages, ...pages },
      dataEntry: {
        ...permissionDefaults.dataEntry,
        ...dataEntry,
        columnVisibility: { ...visibility, ...columnVisibility },
      },
    },
  }) as unknown as Viewer;

test.each([
  ['with the page', {}, NOW, place(NOW)],
  ['without the page', { pages: { dataEntry: false } }, NOW, null],
  ['with the current month only', { dataEntry: { canAccessAllMonths: false } }, NOW, place(NOW)],
  ['with the current month only, of another one', { dataEntry: { canAccessAllMonths: false } }, THEN, null],
  [
    'without the column',
    { columnVisibility: { viewAllColumns: false, visibleColumns: ['vehicle'] } },
    NOW,
    { month: NOW, cell: null },
  ],
  ['without the row', { columnVisibility: { restrictedRows: ['d-1'] } }, NOW, { month: NOW, cell: null }],
])('a viewer %s', (_who, rights, month, expected) => {
  expect(visiblePresence(viewer(rights), place(month), deal, NOW)).toEqual(expected);
});

test('a deleted row is visible to nobody', () => {
  expect(visiblePresence(viewer({}), place(NOW), undefined, NOW)).toEqual({ month: NOW, cell: null });
});
