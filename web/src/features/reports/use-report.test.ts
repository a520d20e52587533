import { expect, test } from 'vitest';
import { reportOf } from './use-report.ts';

test('a report begins with the last twelve months, by month', () => {
  expect(reportOf({}, '2026-03')).toEqual({ by: 'month', from: '2025-04', to: '2026-03' });
});

test('an address that says something else is followed, and put right', () => {
  const search = { by: 'owner', from: '2026-05', to: '2026-02', owner: 'kim', status: '', junk: '1' };
  expect(reportOf(search, '2026-03')).toEqual({ by: 'owner', from: '2026-02', to: '2026-02', owner: 'kim' });
  expect(reportOf({ by: 'colour', from: 'x' }, '2026-03').by).toBe('month');
});
