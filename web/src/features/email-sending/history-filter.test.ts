import { expect, test } from 'vitest';
import { queryOf, readFilter } from './history-filter.ts';

test('the filter of Email History leaves out empty and unknown parameters and invalid statuses', () => {
  expect(readFilter({ search: '', status: 'lost', page: '2', templateId: 't', batch: 'b' })).toEqual({
    templateId: 't',
    batch: 'b',
  });
});

test('the filter of Email History sends both days in full', () => {
  expect(queryOf({ status: 'sent', batch: 'b', fromDay: '2026-11-20', toDay: '2026-11-20' })).toEqual({
    status: 'sent',
    batchId: 'b',
    from: new Date(2026, 10, 20).toISOString(),
    to: new Date(2026, 10, 21).toISOString(),
  });
});
