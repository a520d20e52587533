import type { Deal } from '@forecourt/contract/deals';
import type { LiveEvent } from '@forecourt/contract/events';
import { expect, it } from 'vitest';
import { applyEvents, createLiveSync } from './live-sync.ts';

const event = (recordId: string, version: number | null = 2): LiveEvent => ({
  id: '1',
  entity: 'deal',
  recordId,
  action: 'updated',
  version,
  row: { _id: recordId, version: version ?? 2 } as Deal,
});
const deletion = (recordId: string): LiveEvent => ({
  id: '1',
  entity: 'deal',
  recordId,
  action: 'deleted',
  version: 2,
});
const moved = (recordId: string): LiveEvent => ({
  ...event(recordId),
  row: { _id: recordId, month: '2026-12', version: 2 } as Deal,
});
/** An event of a change of very many rows. */
const rowless = (recordId: string, version: number | null = 2): LiveEvent => ({
  ...deletion(recordId),
  action: 'updated',
  version,
});

function setUp(places = new Map<string, 'loading' | 'outside'>()) {
  const timers: (() => void)[] = [];
  const result = { deals: [] as string[], removed: [] as string[], calls: 0, reloads: 0 };
  const liveSync = createLiveSync({
    locate: (id) => places.get(id) ?? 'loaded',
    isKnown: (id, version) => id === 'mine' && version <= 2,
    onDeals(deals) {
      result.calls += 1;
      result.deals.push(...deals.map(({ _id, version }) => `${_id} v${version}`));
    },
    onRemoved: (ids) => void result.removed.push(...ids),
    reload: () => (result.reloads += 1),
    later(run) {
      timers.push(run);
      return () => timers.splice(timers.indexOf(run), 1);
    },
  });
  return { liveSync, result, timers, run: () => timers.splice(0).forEach((timer) => timer()) };
}

it('live sync applies the rows of several events together, and of a row that changed twice the later one', () => {
  const { liveSync, result, timers, run } = setUp();
  for (const one of [event('d1'), event('d2'), event('d1', 3)]) liveSync.onDeal(one);
  run();
  expect(timers).toEqual([]);
  expect(result).toEqual({ deals: ['d1 v3', 'd2 v2'], removed: [], calls: 1, reloads: 0 });
});

it('live sync removes a deleted row at once, and applies no earlier change of it', () => {
  const { liveSync, result, run } = setUp();
  liveSync.onDeal(event('d1'));
  liveSync.onDeal(deletion('d1'));
  run();
  expect(result).toMatchObject({ deals: [], removed: ['d1'], calls: 0 });
});

it("live sync applies no change that this page has sent, but other users' changes of the row, and its mail state", () => {
  const { liveSync, result, run } = setUp();
  liveSync.onDeal(event('mine'));
  run();
  expect(result.calls).toBe(0);
  liveSync.onDeal(event('mine', 3));
  run();
  expect(result.deals).toEqual(['mine v3']);
  liveSync.onDeal(event('mine', null));
  liveSync.onDeal(event('mine'));
  run();
  expect(result.deals).toEqual(['mine v3', 'mine v2']);
});

it('live sync loads the view again after events without rows, unless their versions are loaded', () => {
  const { liveSync, result, run } = setUp();
  liveSync.onDeal(rowless('mine'));
  run();
  expect(result.reloads).toBe(0);
  for (const id of ['d1', 'd2']) liveSync.onDeal(rowless(id));
  liveSync.onDeal(event('d3'));
  run();
  expect(result).toMatchObject({ deals: ['d3 v2'], reloads: 1 });
  liveSync.onDeal(rowless('mine', null));
  run();
  expect(result.reloads).toBe(2);
});

it('live sync ignores a row outside of the window, and applies one that is still loading once it is loaded', () => {
  const places = new Map([
    ['far', 'outside'],
    ['soon', 'loading'],
  ] as const);
  const { liveSync, result, run } = setUp(places);
  for (const id of ['far', 'soon']) liveSync.onDeal(event(id));
  run();
  expect(result.calls).toBe(0);
  places.delete('soon');
  run();
  expect(result.deals).toEqual(['soon v2']);
});

it('live sync keeps a row that was restored before the event of its deletion arrived', () => {
  const { liveSync, result } = setUp();
  liveSync.onDeal({ ...deletion('mine'), version: 1 });
  expect(result.removed).toEqual([]);
  liveSync.onDeal(deletion('mine'));
  expect(result.removed).toEqual(['mine']);
});

it.each<[string, number, LiveEvent[], string[]]>([
  ['without an event', 1, [event('d2')], ['d1 v1']],
  ['deleted after the server read it', 1, [event('d1'), deletion('d1')], []],
  ['that the person no longer sees', 3, [{ ...deletion('d1'), version: null }], []],
  ['that the person sees again', 3, [{ ...deletion('d1'), version: null }, event('d1', 3)], ['d1 v3']],
  ['restored after its deletion, before the server read it', 3, [deletion('d1')], ['d1 v3']],
  ['restored after the server read it', 1, [deletion('d1'), event('d1', 3)], ['d1 v3 changed']],
  ['changed after the server read it', 1, [event('d1')], ['d1 v2 changed']],
  ['changed before the server read it', 2, [event('d1')], ['d1 v2']],
  ['changed without a version', 2, [event('d1', null)], ['d1 v2 changed']],
  ['changed without a version, before another change', 3, [event('d1', null)], ['d1 v3']],
  ['changed together with very many others', 1, [rowless('d1')], ['d1 v1']],
  ['moved out of the view', 1, [moved('d1')], []],
])(
  'returns a row of a response %s as it is after the events that arrived before',
  (_, version, events, expected) => {
    const response = [{ _id: 'd1', version } as Deal];
    const deals = applyEvents(response, events, ({ month }) => month !== '2026-12');
    expect(deals.map((deal) => `d1 v${deal.version}${deal === response[0] ? '' : ' changed'}`)).toEqual(
      expected,
    );
  },
);

it('live sync applies nothing after a stop', () => {
  const { liveSync, timers } = setUp();
  liveSync.onDeal(event('d1'));
  liveSync.stop();
  expect(timers).toEqual([]);
});
