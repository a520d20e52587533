import { defaultRecord, PermissionRecord, withChanges } from '@forecourt/contract/permissions';
import { expect, test } from 'vitest';
import { changedFields, defaultValues, flagKeys, recordErrors, recordOf, valuesOf } from './record-values.ts';

const ID = '01900000-0000-7000-8000-000000000001';

test('what is sent is what was loaded, and a whole record', () => {
  const record = withChanges(defaultRecord, {
    features: { bulkEdit: true },
    pages: { dataEntry: false },
    dataEntry: {
      columnVisibility: {
        viewAllColumns: false,
        visibleColumns: ['status', 'customerName'],
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

test('the defaults of the form are those of the specification', () => {
  expect(defaultValues).toEqual(valuesOf(defaultRecord));
  expect(flagKeys).toHaveLength(29);
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
])('%o is refused at %s', (given, field, message) => {
  expect(recordErrors({ ...defaultValues, ...given })).toEqual({ [field]: message });
});

test('the smallest and the largest limits are accepted', () => {
  expect(recordErrors({ ...defaultValues, maxSessions: 1, sessionTimeout: 1 })).toEqual({});
  expect(recordErrors({ ...defaultValues, maxSessions: 100, sessionTimeout: 720 })).toEqual({});
});
