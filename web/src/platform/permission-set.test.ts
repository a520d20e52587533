import { expect, test } from 'vitest';
import { createPermissionSet } from './permission-set.ts';
import { permissions } from './person.fixture.ts';

const record = permissions({ features: { bulkEdit: true } });

test('a user has the permissions of their record', () => {
  const kim = createPermissionSet('user', record);
  expect(kim.isLoaded).toBe(true);
  expect(kim.page('dataEntry')).toBe(true);
  expect(kim.page('statusConfiguration')).toBe(false);
  expect(kim.feature('bulkEdit')).toBe(true);
  expect(kim.can('dataEntry', 'canAddRows')).toBe(false);
});

test('an administrator has every permission, with any record or none', () => {
  for (const ada of [
    createPermissionSet('admin', null),
    createPermissionSet('admin', permissions({ pages: { dataEntry: false } })),
  ]) {
    expect(ada).toMatchObject({ isAdmin: true, isLoaded: true });
    expect(ada.page('dataEntry')).toBe(true);
    expect(ada.can('dealershipConfiguration', 'deleteDealerships')).toBe(true);
  }
});

test('nothing is allowed until record and user are loaded', () => {
  const unknown = createPermissionSet('user', null);
  expect(unknown).toMatchObject({ isAdmin: false, isLoaded: false });
  expect(unknown.page('dataEntry')).toBe(false);
  expect(unknown.feature('export')).toBe(false);
  expect(createPermissionSet(undefined, record).page('dataEntry')).toBe(false);
});
