import { beforeEach, describe, expect, test } from 'vitest';
import { clientLog, masked, MAX_ENTRIES, note } from './client-log.ts';

beforeEach(() => clientLog.set([]));

test('the client log keeps the newest thousand entries', () => {
  for (let count = 1; count <= MAX_ENTRIES + 5; count += 1) note('debug', `entry ${count}`);
  const kept = clientLog.get();
  expect(kept).toHaveLength(MAX_ENTRIES);
  expect([kept[0]?.text, kept.at(-1)?.text]).toEqual(['entry 6', `entry ${MAX_ENTRIES + 5}`]);
});

test('the client log stores the request id of the server’s log', () => {
  note('error', 'GET /deals failed', 'req-1');
  expect(clientLog.get()).toMatchObject([{ level: 'error', text: 'GET /deals failed', requestId: 'req-1' }]);
});

describe('secrets are masked before they are kept', () => {
  const TOKEN = 'k3Jx'.repeat(11);

  test.each([
    ['authorization: Bearer abc.def', 'authorization: Bearer •••'],
    ['{"smtpPassword":"hunter2 and more","smtpPort":25}', '{"smtpPassword":•••,"smtpPort":25}'],
    ['/reset-password#key=abc123', '/reset-password#key=•••'],
    ['token=abc&page=2', 'token=•••&page=2'],
    ["code: '123456'", 'code: •••'],
    [`answered ${TOKEN} at once`, 'answered ••• at once'],
  ])('a secret is masked before it is kept: %s', (text, shown) => {
    expect(masked(text)).toBe(shown);
    note('info', text);
    expect(clientLog.get()[0]?.text).toBe(shown);
  });

  test('ids of records and requests stay, and so do plain words', () => {
    const text = 'PATCH /deals/01930000-0000-7000-8000-000000000003 409 CONFLICT: Somebody changed this row';
    expect(masked(text)).toBe(text);
  });
});
