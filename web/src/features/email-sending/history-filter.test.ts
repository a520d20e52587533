import { expect, test } from 'vitest';
import { askedOf, readFilter } from './history-filter.ts';

test('of an address what is empty, unknown or no status is left out', () => {
  expect(readFilter({ search: '', status: 'lost', page: '2', templateId: 't', batch: 'b' })).toEqual({
    templateId: 't',
    batch: 'b',
  });
});

test('the server is asked for both days in full', () => {
  expect(askedOf({ status: 'sent', batch: 'b', fromDay: '2026-11-20', toDay: '2026-11-20' })).toEqual({
    status: 'sent',
    batchId: 'b',
    from: new Date(2026, 10, 20).toISOString(),
    to: new Date(2026, 10, 21).toISOString(),
  });
});
