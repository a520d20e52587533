import { expect, test } from 'vitest';
import { may } from './may.ts';
import { permissions } from './person.fixture.ts';

const record = permissions({ features: { bulkEdit: true } });

test('a user may what their record says', () => {
  const kim = may('user', record);
  expect(kim.known).toBe(true);
  expect(kim.page('dataEntry')).toBe(true);
  expect(kim.page('statusConfiguration')).toBe(false);
  expect(kim.feature('bulkEdit')).toBe(true);
  expect(kim.do('dataEntry', 'canAddRows')).toBe(false);
});

test('an administrator may everything, without a record and against it', () => {
  for (const ada of [may('admin', null), may('admin', permissions({ pages: { dataEntry: false } }))]) {
    expect(ada).toMatchObject({ admin: true, known: true });
    expect(ada.page('dataEntry')).toBe(true);
    expect(ada.do('dealershipConfiguration', 'deleteDealerships')).toBe(true);
  }
});

test('nothing is allowed while record or person are not known', () => {
  const unknown = may('user', null);
  expect(unknown).toMatchObject({ admin: false, known: false });
  expect(unknown.page('dataEntry')).toBe(false);
  expect(unknown.feature('export')).toBe(false);
  expect(may(undefined, record).page('dataEntry')).toBe(false);
});
