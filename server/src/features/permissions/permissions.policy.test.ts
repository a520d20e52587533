import { defaultRecord, withChanges } from '@forecourt/contract/permissions';
import { expect, test } from 'vitest';
import { difference } from './permissions.policy.ts';

test('a difference names each flag that changed, as it was and as it is', () => {
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

test('changes that name no flag leave the record as it is', () => {
  expect(withChanges(defaultRecord, { features: {}, dataEntry: { columnVisibility: {} } })).toEqual(
    defaultRecord,
  );
});
