import type { Presence } from '@forecourt/contract/presence';
import { expect, test, beforeEach, describe, vi } from 'vitest';
import type { DealRow } from '../deal-row.ts';
import { marksOf, placeOf, presenceClass, createPresenceSender } from './presence.ts';

const [kim, lee] = [
  { _id: '01930000-0000-7000-8000-000000000001', name: 'Kim Clerk' },
  { _id: '01930000-0000-7000-8000-000000000002', name: 'Lee Long' },
] as const;
const saved = { key: 'k', deal: { _id: 'd-1', month: '2025-05' } } as DealRow;
const columnIds = ['customerName', 'emailStatus'];

test('a position is in the cell of a saved row, in that row’s month, and otherwise in the month alone', () => {
  const cell = { key: 'k', columnId: 'emailStatus' };
  expect(placeOf('2026-11', cell, saved)).toEqual({
    month: '2025-05',
    dealId: 'd-1',
    column: 'lastEmailedAt',
  });
  const custom = { key: 'k', columnId: 'custom7' };
  expect(placeOf('2026-11', custom, saved)).toMatchObject({ dealId: 'd-1', column: 'custom7' });
  expect(placeOf('2026-11', cell, { ...saved, deal: null })).toEqual({ month: '2026-11' });
  expect(placeOf('2026-11', null, undefined)).toEqual({ month: '2026-11' });
  for (const columnId of ['month', 'createdAt'])
    expect(placeOf('2026-11', { key: 'k', columnId }, saved)).toEqual({ month: '2026-11' });
});

test('a user has one of six colours, by the end of the id', () => {
  expect([kim, lee].map(presenceClass)).toEqual(['presence-1', 'presence-2']);
  expect(presenceClass({ _id: '01930000-0000-7000-8000-000000000008' })).toBe('presence-2');
});

test('marks use the rows’ keys and the grid’s columns; two users in one cell share a mark', () => {
  const inCell = (dealId: string, column: 'customerName' | 'lastEmailedAt' | 'notes') => ({
    cell: { dealId, column },
  });
  const marks = marksOf(
    [
      { ...kim, ...inCell('d-1', 'lastEmailedAt') },
      { ...lee, ...inCell('d-1', 'lastEmailedAt') },
      { ...lee, ...inCell('d-2', 'notes') },
      { ...lee, cell: null },
    ],
    (id) => (id === 'd-1' ? 'typed-here' : id),
    columnIds,
  );
  expect([...marks.keys()]).toEqual(['typed-here']);
  expect(marks.get('typed-here')!.get('emailStatus')).toEqual({
    label: 'KC LL',
    title: 'Kim Clerk is here, Lee Long is here',
    className: presenceClass(kim),
  });
});

const [first, second, third] = ['d-1', 'd-2', 'd-3'].map((dealId): Presence => ({
  month: '2026-11',
  dealId,
  column: 'notes',
})) as [Presence, Presence, Presence];

let sent: Presence[];
let failed: number;
let respond: () => Promise<unknown>;
let sender: ReturnType<typeof createPresenceSender>;
beforeEach(() => {
  vi.useFakeTimers();
  [sent, failed, respond] = [[], 0, async () => {}];
  sender = createPresenceSender({
    send: (presence) => {
      sent.push(presence);
      return respond();
    },
    now: () => performance.now(),
    later: (run, ms) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    onFailure: () => (failed += 1),
  });
  return () => vi.useRealTimers();
});

describe('moving', () => {
  test('moving in the table is sent at once, then at most once a second, with the newest position only', async () => {
    sender.move(first);
    await vi.advanceTimersByTimeAsync(0);
    sender.move(second);
    sender.move(third);
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent).toEqual([first]);
    await vi.advanceTimersByTimeAsync(200);
    expect(sent).toEqual([first, third]);
    expect(sender.month()).toBe('2026-11');
  });

  test('moving in the table to the current position sends nothing', async () => {
    sender.move(first);
    await vi.advanceTimersByTimeAsync(2000);
    sender.move({ ...first });
    await vi.advanceTimersByTimeAsync(2000);
    expect(sent).toHaveLength(1);
  });
});

test('the same position is sent again before the server removes it', async () => {
  sender.move(first);
  await vi.advanceTimersByTimeAsync(29_000);
  expect(sent.length).toBeGreaterThanOrEqual(3);
});

test('leaving is sent at once, and nothing after it', async () => {
  sender.move(first);
  await vi.advanceTimersByTimeAsync(0);
  sender.leave();
  sender.leave();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual([first, { month: null }]);
  expect(sender.month()).toBeNull();
});

test('presence reports that others are unknown without a connection', async () => {
  respond = () => Promise.reject(new TypeError('no line'));
  sender.move(first);
  await vi.advanceTimersByTimeAsync(0);
  expect(failed).toBe(1);
});
