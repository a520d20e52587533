import type { Deal } from '@forecourt/contract/deals';
import type { LiveEvent } from '@forecourt/contract/events';
import { expect, it } from 'vitest';
import { ApiError } from '../../../platform/api-error.ts';
import { createLiveSync } from './live-sync.ts';

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const event = (recordId: string, action: LiveEvent['action'] = 'updated'): LiveEvent => ({
  id: '1',
  entity: 'deal',
  recordId,
  action,
  version: 2,
});

function setUp(places = new Map<string, 'loading' | 'outside'>()) {
  const timers: (() => void)[] = [];
  const result = {
    requested: [] as string[],
    deals: [] as string[],
    removed: [] as string[],
    calls: 0,
    reloads: 0,
  };
  /** The responses of a test, instead of the usual ones. */
  const responses: Promise<Deal>[] = [];
  const liveSync = createLiveSync({
    deal(id) {
      result.requested.push(id);
      const response = responses.shift();
      if (response) return response;
      if (id === 'hidden') return Promise.reject(new ApiError(404, 'Resource not found', 'NOT_FOUND'));
      if (id === 'busy') return Promise.reject(new ApiError(503, 'Please try again', 'UNAVAILABLE'));
      if (id === 'broken') return Promise.reject(new TypeError('a fault'));
      return Promise.resolve({ _id: id } as Deal);
    },
    locate: (id) => places.get(id) ?? 'loaded',
    isKnown: (id, version) => id === 'mine' && version <= 2,
    onDeals(deals) {
      result.calls += 1;
      result.deals.push(...deals.map(({ _id }) => _id));
    },
    onRemoved(ids) {
      result.calls += 1;
      result.removed.push(...ids);
    },
    reload: () => (result.reloads += 1),
    later(run) {
      timers.push(run);
      return () => timers.splice(timers.indexOf(run), 1);
    },
  });
  return { liveSync, result, responses, timers, run: () => timers.splice(0).forEach((timer) => timer()) };
}

it('fetches a row that changed several times once, and all rows in one batch', async () => {
  const { liveSync, result, timers, run } = setUp();
  for (const id of ['d1', 'd2', 'd1']) liveSync.onDeal(event(id));
  run();
  await settle();
  expect(timers).toEqual([]);
  expect(result.requested).toEqual(['d1', 'd2']);
  expect(result.deals).toEqual(['d1', 'd2']);
});

it('removes rows that were deleted or are no longer accessible', async () => {
  const { liveSync, result, run } = setUp();
  liveSync.onDeal(event('d1'));
  liveSync.onDeal(event('d1', 'deleted'));
  liveSync.onDeal(event('hidden'));
  run();
  await settle();
  expect(result.requested).toEqual(['hidden']);
  expect(result.removed).toEqual(['d1', 'hidden']);
});

it('ignores a response that is older than a deletion or another response of its row', async () => {
  const { liveSync, result, responses, run } = setUp();
  const requests = Array.from({ length: 3 }, () => Promise.withResolvers<Deal>());
  responses.push(...requests.map(({ promise }) => promise));
  liveSync.onDeal(event('gone'));
  run();
  liveSync.onDeal(event('gone', 'deleted'));
  requests[0]!.resolve({ _id: 'gone' } as Deal);
  for (let count = 0; count < 2; count += 1) {
    liveSync.onDeal(event('shared'));
    run();
  }
  requests[2]!.resolve({ _id: 'shared' } as Deal);
  await settle();
  requests[1]!.reject(new ApiError(404, 'Resource not found', 'NOT_FOUND'));
  await settle();
  expect(result).toMatchObject({
    requested: ['gone', 'shared', 'shared'],
    deals: ['shared'],
    removed: ['gone'],
  });
});

it('fetches a row whose email changed, which has no new version', async () => {
  const { liveSync, result, run } = setUp();
  liveSync.onDeal({ ...event('mine'), version: null });
  liveSync.onDeal(event('mine'));
  run();
  await settle();
  expect(result.deals).toEqual(['mine']);
});

it('reloads the view after more changes than the limit', async () => {
  const { liveSync, result, run } = setUp();
  for (let at = 0; at < 100; at += 1) liveSync.onDeal(event(`d${at}`));
  run();
  await settle();
  expect(result.reloads).toBe(1);
  expect(result.requested).toEqual([]);
});

it("fetches no row for changes sent from here, but for other users' changes", async () => {
  const { liveSync, result, run } = setUp();
  liveSync.onDeal(event('mine'));
  run();
  await settle();
  expect(result.requested).toEqual([]);
  liveSync.onDeal({ ...event('mine'), version: 3 });
  run();
  await settle();
  expect(result.requested).toEqual(['mine']);
});

it('fetches no row outside of the window, and one that is still loading once it is loaded', async () => {
  const places = new Map([
    ['far', 'outside'],
    ['soon', 'loading'],
  ] as const);
  const { liveSync, result, run } = setUp(places);
  for (const id of ['far', 'soon']) liveSync.onDeal(event(id));
  run();
  await settle();
  expect(result.requested).toEqual([]);
  places.delete('soon');
  run();
  await settle();
  expect(result.requested).toEqual(['soon']);
});

it('fetches a row again if the server was busy, leaves one unchanged that failed, and applies the others', async () => {
  const { liveSync, result, timers, run } = setUp();
  for (const id of ['busy', 'd1', 'broken']) liveSync.onDeal(event(id));
  run();
  await settle();
  expect(result).toMatchObject({ deals: ['d1'], removed: [], calls: 1 });
  result.requested = [];
  run();
  await settle();
  expect(result.requested).toEqual(['busy']);
  liveSync.stop();
  expect(timers).toEqual([]);
});

it('changes nothing if all requests failed, and nothing after a stop', async () => {
  const { liveSync, result, timers, run } = setUp();
  liveSync.onDeal(event('busy'));
  run();
  await settle();
  expect(result.calls).toBe(0);
  liveSync.onDeal(event('d1'));
  run();
  liveSync.stop();
  await settle();
  expect(result.calls).toBe(0);
  liveSync.onDeal(event('d2'));
  liveSync.stop();
  expect(timers).toEqual([]);
});

it('fetches up to 60 rows one by one', async () => {
  const { liveSync, result, run } = setUp();
  for (let at = 0; at < 60; at += 1) liveSync.onDeal(event(`d${at}`));
  run();
  await settle();
  expect([result.reloads, result.deals.length]).toEqual([0, 60]);
});
