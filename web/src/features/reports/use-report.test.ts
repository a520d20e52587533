import { expect, test } from 'vitest';
import { reportOf } from './use-report.ts';

test('the default report is by month, for the last twelve months', () => {
  expect(reportOf({}, '2026-03')).toEqual({ by: 'month', from: '2025-04', to: '2026-03' });
});

test('the report of the address is read and corrected', () => {
  const search = { by: 'owner', from: '2026-05', to: '2026-02', owner: 'kim', status: '', junk: '1' };
  expect(reportOf(search, '2026-03')).toEqual({ by: 'owner', from: '2026-02', to: '2026-02', owner: 'kim' });
  expect(reportOf({ by: 'colour', from: 'x' }, '2026-03').by).toBe('month');
  expect(reportOf({ from: '9999-99', to: '0000-00' }, '2026-03')).toEqual(reportOf({}, '2026-03'));
});
