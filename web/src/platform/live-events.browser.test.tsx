import type { LiveEvent } from '@forecourt/contract/events';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { renderHook } from 'vitest-browser-react';
import { refusalOf, stubServer } from './api.fixture.ts';
import {
  onLiveEvent,
  onLiveGap,
  onLiveJob,
  onPresence,
  startLiveEvents,
  recentLiveEvents,
  useLiveRefresh,
} from './live-events.ts';
import { permissions, person } from './person.fixture.ts';
import { currentSession, refreshUser, signIn, signOut } from './session.ts';

const RECORD = '01900000-0000-7000-8000-0000000000d1';
const changed = (entity: LiveEvent['entity']): LiveEvent => ({
  id: '7',
  entity,
  recordId: RECORD,
  action: 'updated',
  version: 2,
});

/** How long a tab waits for a leader, in milliseconds. */
const ELECTION_MS = 300;

let server: ReturnType<typeof stubServer>;
let refused: Response | null;
let user: ReturnType<typeof person>;
let tokens: number;
let stops: (() => void)[];

beforeEach(() => {
  vi.useFakeTimers();
  // The middle of the jitter.
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  refused = null;
  user = person();
  tokens = 0;
  server = stubServer(
    {
      'POST /auth/login': () => ({ token: `token-${(tokens += 1)}`, user }),
      'POST /auth/logout': () => undefined,
      'GET /auth/me': () => ({ data: { user } }),
    },
    () => refused,
  );
  stops = [];
});
afterEach(async () => {
  signOut();
  for (const stop of stops) stop();
  await vi.advanceTimersByTimeAsync(0);
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const signInAs = () => signIn({ email: 'kim@example.com', password: 'a password' });
const last = () => server.connections.at(-1)!;

/** Signs in and connects, and counts the gaps. */
async function connect(): Promise<{ gaps: () => number }> {
  let gaps = 0;
  stops.push(
    startLiveEvents(),
    onLiveGap(() => (gaps += 1)),
  );
  await signInAs();
  await pass(ELECTION_MS);
  expect(server.connections).toHaveLength(1);
  return { gaps: () => gaps };
}

describe('the live connection', () => {
  test('the live connection uses the token of the session and dispatches its events', async () => {
    const received: unknown[] = [];
    stops.push(
      onLiveEvent('deal', (event) => received.push(event)),
      onLiveEvent('item', (event) => received.push(event)),
      onLiveJob((jobId) => received.push(jobId)),
      onPresence((presence) => received.push(presence)),
    );
    const { gaps } = await connect();
    expect(last().headers.get('authorization')).toBe('Bearer token-1');
    expect(last().address).toBe('/api/events?recent=1');
    const presence = { month: '2026-11', isComplete: true, people: [], left: [] };
    last().send('message', changed('deal'));
    last().send('message', changed('status'));
    last().send('job', { jobId: 'j1' });
    last().send('presence', presence);
    await pass(0);
    expect(received).toEqual([changed('deal'), 'j1', { month: '2026-11', people: [] }]);
    expect(gaps()).toBe(0);
  });

  test('the live connection adds up who joined, moved and left, until a message is complete', async () => {
    const received: unknown[] = [];
    stops.push(
      onPresence(({ people }) => received.push(people.map(({ _id, cell }) => _id + (cell?.dealId ?? '')))),
    );
    await connect();
    const person = (_id: string, dealId: string) => ({ _id, name: '', cell: { dealId, column: 'notes' } });
    const send = (isComplete: boolean, people: unknown[], left: string[] = []) =>
      last().send('presence', { month: '2026-11', isComplete, people, left });
    send(true, [person('b', '1'), person('c', '1')]);
    send(false, [person('a', '1'), person('b', '2')]);
    send(false, [], ['b']);
    send(true, [person('d', '1')]);
    await pass(0);
    last().end();
    await pass(500);
    send(true, [person('c', '3')]);
    await pass(0);
    expect(received).toEqual([['b1', 'c1'], ['a1', 'b2', 'c1'], ['a1', 'c1'], ['d1'], ['c3']]);
  });

  test('the live connection reports a gap when it is first opened after the replay period of the server', async () => {
    let gaps = 0;
    stops.push(
      startLiveEvents(),
      onLiveGap(() => (gaps += 1)),
    );
    user = { ...person(), mustSetUpTwoStep: true };
    await signInAs();
    await pass(10_001);
    expect(server.connections).toEqual([]);
    user = person();
    await refreshUser();
    await pass(0);
    expect(server.connections.map(({ address }) => address)).toEqual(['/api/events']);
    expect(gaps).toBe(1);
  });

  test('the live connection reports a gap when the response takes longer than the replay period', async () => {
    const arrives = Promise.withResolvers<void>();
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) => {
      const response = await fetch(...given);
      if (given[0] === '/api/events?recent=1') await arrives.promise;
      return response;
    });
    const { gaps } = await connect();
    await pass(10_001);
    expect(gaps()).toBe(0);
    arrives.resolve();
    await pass(0);
    expect(gaps()).toBe(1);
  });

  test('the live connection reconnects after a loss, and then reports a gap', async () => {
    const { gaps } = await connect();
    last().end();
    await pass(499);
    expect(server.connections).toHaveLength(1);
    expect(gaps()).toBe(0);
    await pass(1);
    expect(server.connections).toHaveLength(2);
    // Missed events are loaded, not replayed.
    expect(last().address).toBe('/api/events');
    expect(gaps()).toBe(1);
  });

  test('the live connection is retried after waits that double up to 30 s, and reports one gap at the end', async () => {
    const { gaps } = await connect();
    refused = refusalOf('UNAVAILABLE');
    last().end();
    for (const wait of [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      const before = server.connections.length;
      await pass(wait - 1);
      expect(server.connections).toHaveLength(before);
      await pass(1);
      expect(server.connections).toHaveLength(before + 1);
    }
    expect(gaps()).toBe(0);
    refused = null;
    await pass(30_000);
    expect(gaps()).toBe(1);
    // An event resets the wait.
    last().send('message', changed('deal'));
    await pass(0);
    const before = server.connections.length;
    last().end();
    await pass(500);
    expect(server.connections).toHaveLength(before + 1);
  });

  test('the live connection counts as lost after 45 s without data', async () => {
    await connect();
    await pass(44_000);
    last().send('message', changed('deal'));
    await pass(44_999);
    expect(last().isClosed()).toBe(false);
    await pass(1);
    expect(server.connections[0]?.isClosed()).toBe(true);
    await pass(500);
    expect(server.connections).toHaveLength(2);
  });

  test.each(['NOT_SIGNED_IN', 'INSUFFICIENT_PERMISSIONS'] as const)(
    'the live connection reads the session again after a refusal of the stream with %s, and not after another failure',
    async (code) => {
      await connect();
      refused = refusalOf('UNAVAILABLE');
      last().end();
      await pass(500);
      expect(server.count('GET /auth/me')).toBe(0);
      refused = refusalOf(code);
      await pass(1000);
      expect(server.count('GET /auth/me')).toBe(1);
    },
  );

  test('the live connection counts as lost after 45 s without a response', async () => {
    const { fetch } = globalThis;
    const signals: AbortSignal[] = [];
    vi.stubGlobal('fetch', (...given: Parameters<typeof fetch>) => {
      if (given[0] !== '/api/events?recent=1') return fetch(...given);
      const { promise, reject } = Promise.withResolvers<Response>();
      const signal = given[1]!.signal!;
      signals.push(signal);
      signal.addEventListener('abort', () => reject(new Error('aborted')));
      return promise;
    });
    stops.push(startLiveEvents());
    await signInAs();
    await pass(ELECTION_MS);
    await pass(44_000);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await pass(1500);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(server.connections).toHaveLength(1);
  });

  test('the live connection reloads the user when the server ends it', async () => {
    await connect();
    last().send('end', { code: 'NOT_SIGNED_IN' });
    await pass(0);
    expect(server.count('GET /auth/me')).toBe(1);
  });

  test('the live connection ends with the session, and is opened for the next one', async () => {
    await connect();
    last().send('message', changed('deal'));
    await pass(0);
    expect(recentLiveEvents('deal')).toHaveLength(1);
    signOut();
    // The next user may not see the same rows.
    expect(recentLiveEvents('deal')).toEqual([]);
    await pass(60_000);
    expect(server.connections).toHaveLength(1);
    expect(last().isClosed()).toBe(true);
    await signInAs();
    await pass(0);
    expect(last().headers.get('authorization')).toBe('Bearer token-2');
    expect(server.connections).toHaveLength(2);
  });

  test.each([{ forcePasswordChange: true }, { mustSetUpTwoStep: true }])(
    'the live connection waits while the session allows nothing else: %j',
    async (state) => {
      user = person(state);
      stops.push(startLiveEvents());
      await signInAs();
      await pass(60_000);
      expect(server.connections).toHaveLength(0);
    },
  );

  test('the live connection is opened by one tab, which relays every event to the others', async () => {
    await connect();
    const received: unknown[] = [];
    stops.push(onLiveEvent('deal', (event) => received.push(event)));
    const [channel, relayed] = [new BroadcastChannel('live-events'), Promise.withResolvers<unknown>()];
    channel.addEventListener('message', ({ data }) => relayed.resolve(data));
    last().send('message', changed('deal'));
    await pass(0);
    expect(await relayed.promise).toEqual({ kind: 'event', event: changed('deal') });
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    channel.postMessage({ kind: 'event', event: { ...changed('deal'), id: '8' } });
    await vi.waitUntil(() => received.length === 2);
    expect(received).toMatchObject([{ id: '7' }, { id: '8' }]);
    channel.close();
  });

  test('the live connection repeats the latest events for a tab that opens, and for no other', async () => {
    const received: string[] = [];
    stops.push(onLiveEvent('deal', ({ id }) => received.push(id)));
    const [channel, replayed] = [
      new BroadcastChannel('live-event-replays'),
      Promise.withResolvers<unknown>(),
    ];
    const asked = Promise.withResolvers<string>();
    channel.addEventListener('message', ({ data }) => {
      if (data.events === null) asked.resolve(data.tab);
      else replayed.resolve(data);
    });
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    const send = (message: object) => channel.postMessage(message);
    await connect();
    last().send('message', { ...changed('deal'), id: '11' });
    await pass(0);
    send({ tab: 'another', events: null });
    const events: unknown = expect.arrayContaining([{ ...changed('deal'), id: '11' }]);
    expect(await replayed.promise).toMatchObject({ tab: 'another', events });
    send({ tab: 'another', events: [{ ...changed('deal'), id: '8' }] });
    // An event about the same record is older than the one that this tab has received; one about its comments is not.
    last().send('message', { ...changed('deal-comments'), recordId: 'r9', id: '12' });
    await pass(0);
    const replay = [
      { ...changed('deal'), id: '9' },
      { ...changed('deal'), recordId: 'r9', id: '10' },
    ];
    send({ tab: await asked.promise, events: replay });
    await vi.waitUntil(() => received.length === 2);
    expect(received).toEqual(['11', '10']);
    channel.close();
  });

  test('the live connection reports a gap when the permissions of its user have changed', async () => {
    const { gaps } = await connect();
    const record = permissions();
    last().send('permissions', record);
    await pass(0);
    expect(gaps()).toBe(0);
    last().send('permissions', record);
    await pass(0);
    expect(gaps()).toBe(0);
    last().send('message', changed('deal'));
    last().send('permissions', permissions({ features: { bulkEdit: true } }));
    await pass(0);
    expect(gaps()).toBe(1);
    expect(recentLiveEvents('deal')).toEqual([]);
    expect(server.count('GET /auth/me')).toBe(0);
    user = person({ role: 'admin' });
    last().send('permissions', { ...record, role: 'admin' });
    await vi.waitUntil(() => currentSession().user?.role === 'admin');
  });
});

describe('queries that follow live events', () => {
  const key = ['places'] as const;
  const kinds = ['dealership', 'setting'] as const;

  async function follow(restMs?: number) {
    const client = new QueryClient();
    const load = vi.spyOn(client, 'invalidateQueries').mockResolvedValue();
    const wrapper = ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    );
    const hook = await renderHook(() => useLiveRefresh(kinds, key, restMs), { wrapper });
    return { client, load, unmount: () => hook.unmount() };
  }
  const send = async (...entities: LiveEvent['entity'][]) => {
    for (const entity of entities) last().send('message', changed(entity));
    await pass(0);
  };

  test('queries that follow live events load once for events of one moment, and not for other records', async () => {
    await connect();
    const { load } = await follow();
    await send('deal', 'item');
    await pass(1000);
    expect(load).not.toHaveBeenCalled();
    await send('dealership', 'setting', 'dealership');
    // With half of the jitter.
    await pass(99 + 250);
    expect(load).not.toHaveBeenCalled();
    await pass(1);
    expect(load.mock.calls).toEqual([[{ queryKey: key }, { cancelRefetch: false }]]);
    await send('setting');
    await pass(1000 + 250);
    expect(load).toHaveBeenCalledTimes(2);
  });

  test('queries that follow live events load after a gap', async () => {
    await connect();
    const { load } = await follow();
    last().end();
    await pass(500);
    await pass(100 + 250);
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('queries that follow live events wait between two loads for restMs', async () => {
    await connect();
    const { load } = await follow(5000);
    await send('setting');
    // With half of the jitter.
    await pass(100 + 250);
    expect(load).toHaveBeenCalledTimes(1);
    await send('setting');
    await pass(4999 + 250);
    expect(load).toHaveBeenCalledTimes(1);
    await pass(1);
    expect(load).toHaveBeenCalledTimes(2);
  });

  test('queries that follow live events load a pending refresh also after their screen unmounts, and nothing after it', async () => {
    await connect();
    const { load, unmount } = await follow();
    await send('setting');
    await unmount();
    await pass(100 + 250);
    expect(load).toHaveBeenCalledTimes(1);
    await send('setting');
    await pass(5000);
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('queries that follow live events are stale after an event or a gap that occurred while no screen used them', async () => {
    await connect();
    const { client, unmount } = await follow();
    const others = ['others'] as const;
    const isStale = (queryKey: readonly string[]) => client.getQueryState(queryKey)?.isInvalidated;
    await unmount();
    client.setQueryData(key, 'loaded');
    client.setQueryData(others, 'loaded');
    await send('deal');
    expect(isStale(key)).toBe(false);
    await send('setting');
    expect([isStale(key), isStale(others)]).toEqual([true, false]);
    client.setQueryData(key, 'loaded again');
    expect(isStale(key)).toBe(false);
    last().end();
    await pass(500);
    expect([isStale(key), isStale(others)]).toEqual([true, false]);
  });

  /** A screen whose figure is the number of events that the server had sent before the request. */
  async function showFigure(takesMs: number, hooks = 1) {
    const client = new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } });
    const counts = { sent: 0, requests: 0, running: 0, mostRunning: 0, updates: -1 };
    const queryFn = async (): Promise<number> => {
      const figure = counts.sent;
      counts.requests += 1;
      counts.running += 1;
      counts.mostRunning = Math.max(counts.mostRunning, counts.running);
      // The server completes a request also when the page has cancelled it.
      await new Promise((resolve) => setTimeout(resolve, takesMs));
      counts.running -= 1;
      return figure;
    };
    client.getQueryCache().subscribe(({ type, ...event }) => {
      if (type === 'updated' && 'action' in event && event.action.type === 'success') counts.updates += 1;
    });
    const hook = await renderHook(
      () => {
        for (let count = 0; count < hooks; count += 1) useLiveRefresh(kinds, key);
        return useQuery({ queryKey: key, queryFn }).data;
      },
      {
        wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
      },
    );
    const change = async (): Promise<void> => {
      counts.sent += 1;
      await send('setting');
    };
    return { client, counts, change, figure: () => client.getQueryData(key), unmount: () => hook.unmount() };
  }

  test.each([400, 1300, 1600, 2500])(
    'queries that follow live events are updated under constant events, one request at a time, if a request takes %i ms',
    async (takesMs) => {
      await connect();
      const { counts, change, figure } = await showFigure(takesMs);
      await pass(takesMs);
      for (let count = 0; count < 75; count += 1) {
        await change();
        await pass(200);
      }
      // A rest of 1 s, and half of the jitter.
      const updates = Math.floor((15_000 - 350) / (takesMs + 1250));
      expect(counts.updates).toBeGreaterThanOrEqual(updates);
      expect(counts.requests).toBeLessThanOrEqual(updates + 3);
      expect(counts.mostRunning).toBe(1);
      await pass(2 * takesMs + 1500);
      expect(figure()).toBe(counts.sent);
      const { requests } = counts;
      await pass(10_000);
      expect(counts.requests).toBe(requests);
    },
  );

  test('queries that follow live events load once more after an event during a load, also the first one', async () => {
    await connect();
    const { counts, change, figure } = await showFigure(2000);
    await pass(500);
    await change();
    await pass(1500 + 2000);
    expect([figure(), counts.requests]).toEqual([1, 2]);
    await pass(2000);
    await change();
    await pass(350 + 1000);
    await change();
    await pass(1000);
    expect(figure()).toBe(2);
    await pass(1000 + 250 + 2000);
    expect([figure(), counts.requests, counts.mostRunning]).toEqual([3, 4, 1]);
  });

  test('queries that several parts of a screen follow load once for an event', async () => {
    await connect();
    const { counts, change, figure } = await showFigure(2000, 3);
    await pass(2000);
    await change();
    await pass(350 + 2000);
    expect([figure(), counts.requests, counts.mostRunning]).toEqual([1, 2, 1]);
  });

  test('queries that follow live events are stale if their screen unmounts during a load after which they would load again', async () => {
    await connect();
    const { client, counts, change, unmount } = await showFigure(2000);
    await pass(2000);
    await change();
    await pass(350 + 1000);
    await change();
    await unmount();
    await pass(10_000);
    expect(client.getQueryState(key)?.isInvalidated).toBe(true);
    expect(counts.requests).toBe(2);
  });
});
