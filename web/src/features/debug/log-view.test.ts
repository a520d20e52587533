import { expect, test } from 'vitest';
import { logLevels, type LogEntry, type LogLevel } from '../../platform/client-log.ts';
import { formatLogTime, isNearBottom, shownEntries, supportText } from './log-view.ts';

const at = Date.UTC(2026, 10, 20, 4, 4, 5, 78);
const entry = (id: number, level: LogLevel, text: string, requestId?: string): LogEntry => ({
  id,
  at,
  level,
  text,
  requestId,
});
const entries = [
  entry(1, 'debug', 'GET /deals 200 in 12 ms'),
  entry(2, 'warn', 'PATCH /deals 409 CONFLICT', 'req-7'),
  entry(3, 'error', 'GET /users 500 INTERNAL'),
];
const shown = (levels: readonly LogLevel[], search = '') =>
  shownEntries(entries, new Set(levels), search).map(({ id }) => id);

test('the debug log formats the time as en-AU, with milliseconds', () => {
  expect(formatLogTime(at)).toMatch(/^\d\d\/11\/2026, \d{1,2}:04:05\.078 (am|pm)$/i);
});

test('combines levels and search; finds request ids', () => {
  expect(shown(logLevels)).toEqual([1, 2, 3]);
  expect(shown(['warn', 'error'])).toEqual([2, 3]);
  expect(shown(logLevels, ' DEALS ')).toEqual([1, 2]);
  expect(shown(['error'], 'deals')).toEqual([]);
  expect(shown(logLevels, 'req-7')).toEqual([2]);
});

test('the support text has one line per entry, in UTC, with its request id', () => {
  expect(supportText(entries.slice(1))).toBe(
    '2026-11-20T04:04:05.078Z WARN PATCH /deals 409 CONFLICT [req-7]\n' +
      '2026-11-20T04:04:05.078Z ERROR GET /users 500 INTERNAL',
  );
});

test.each([
  [0, true],
  [50, true],
  [51, false],
])('%d px above the bottom the log scrolls to new entries: %s', (distance, follows) => {
  expect(isNearBottom({ scrollHeight: 1000, clientHeight: 200, scrollTop: 800 - distance })).toBe(follows);
});
