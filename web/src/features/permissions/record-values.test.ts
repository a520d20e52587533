import { defaultRecord } from '@forecourt/contract/permission-defaults';
import { PermissionRecord, withChanges } from '@forecourt/contract/permissions';
import { errorsByField, validate } from '@forecourt/contract/validate';
import { expect, test } from 'vitest';
import {
  changedFields,
  defaultValues,
  flagKeys,
  recordErrors,
  recordOf,
  valuesOf,
  type RecordValues,
} from './record-values.ts';

const ID = '01900000-0000-7000-8000-000000000001';

test('what is sent is what was loaded, and a whole record', () => {
  const record = withChanges(defaultRecord, {
    features: { bulkEdit: true },
    pages: { dataEntry: false },
    dataEntry: {
      columnVisibility: {
        viewAllColumns: false,
        visibleColumns: ['status', 'customerName', 'custom7'],
        restrictedRows: [ID],
        restrictedDealerships: [ID],
        restrictedStatuses: [ID],
        dateRangeStart: '2026-11-01',
        dateRangeEnd: null,
      },
    },
    maxSessions: 3,
  });
  expect(PermissionRecord.parse(recordOf(valuesOf(record)))).toEqual(record);
});

test('the form of permissions has every flag', () => {
  expect(flagKeys).toHaveLength(30);
});

test('only what differs counts as changed; the order of a list does not', () => {
  const before = { ...defaultValues, visibleColumns: ['status', 'owner'] as const };
  const after = {
    ...before,
    visibleColumns: ['owner', 'status'] as const,
    maxSessions: '1',
    'pages.dataEntry': false,
  };
  expect(changedFields(before, after)).toEqual(['pages.dataEntry']);
});

const errorsOf = (given: Partial<RecordValues>) => {
  const values = { ...defaultValues, ...given };
  const { issues = [] } = validate(PermissionRecord, recordOf(values));
  return { ...errorsByField(issues), ...recordErrors(values, defaultValues) };
};

test.each([
  [{ maxSessions: 0 }, 'maxSessions', 'Must be from 1 to 100'],
  [{ maxSessions: 101 }, 'maxSessions', 'Must be from 1 to 100'],
  [{ maxSessions: '' }, 'maxSessions', 'Must be from 1 to 100'],
  [{ sessionTimeout: 721 }, 'sessionTimeout', 'Must be from 1 to 720 minutes'],
  [{ sessionTimeout: 1.5 }, 'sessionTimeout', 'Must be from 1 to 720 minutes'],
  [
    { dateRangeStart: '2026-11-02', dateRangeEnd: '2026-11-01' },
    'dateRangeEnd',
    'Must not be before the first day',
  ],
  [{ viewAllColumns: false }, 'visibleColumns', 'Choose at least one column'],
])('a permission record with %o is refused at %s', (given, field, message) => {
  expect(errorsOf(given)).toEqual({ [field]: message });
});

test('the smallest and the largest limits are accepted', () => {
  expect(errorsOf({ maxSessions: 1, sessionTimeout: 1 })).toEqual({});
  expect(errorsOf({ maxSessions: 100, sessionTimeout: 720 })).toEqual({});
});

test('a flag that is turned on without what it needs is refused with the names of those', () => {
  const flags = {
    'pages.dataEntry': false,
    'features.export': false,
    'dataEntry.canExport': true,
    'pages.statusConfiguration': true,
  };
  const base = { ...defaultValues, 'dataEntry.canExport': false };
  expect(recordErrors({ ...defaultValues, ...flags }, base)).toEqual({
    'dataEntry.canExport': 'No effect without “Data Entry” and “Export”.',
    'pages.statusConfiguration': 'No effect without “Data Entry” or “View statuses”.',
  });
  expect(recordErrors({ ...defaultValues, ...flags }, { ...base, ...flags })).toEqual({});
});
