import type { ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import type { Deal } from '@forecourt/contract/deals';
import { describe, expect, test, vi } from 'vitest';
import { ApiError, errorWithoutResponse } from '../../../platform/api-error.ts';
import type { DealView } from '../deal-view.ts';
import type { RowPage, ServerOrder } from '../deals.queries.ts';
import { createDealLoading } from './loading.ts';

const unmailed: ColumnFilter = {
  match: 'all',
  conditions: [{ field: 'emailState', operator: 'isAnyOf', value: ['notSent'] }],
};
const november: DealView = { month: '2026-11', search: '', filter: null };
const bySale: ServerOrder = { sort: 'saleAmount', order: 'desc' };
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/**
 * A server with numbered rows, and the table that they are loaded into. A cursor contains the order and the number of
 * rows before it.
 */
function setUp({ rows = 7, inBrowser = 5, counted = Infinity } = {}) {
  const server = {
    rows,
    isDown: false,
    canNarrow: true,
    firsts: 0,
    failure: errorWithoutResponse(false),
    /** Responses wait for this. */
    gate: Promise.resolve(),
  };
  const requested: string[] = [];
  const signals: AbortSignal[] = [];
  const events: string[] = [];
  const narrowed: (ColumnFilter | null)[] = [];
  const table = { rows: [] as string[], replaced: 0 };
  const again: (() => void)[] = [];
  const waits: number[] = [];
  const respond = (order: ServerOrder, cursor: string | null, limit: number): RowPage => {
    const [by = '', from = '0'] = cursor?.split(' ') ?? [];
    const name = order.sort ?? 'newest';
    if (server.isDown) throw server.failure;
    if (cursor !== null && by !== name) throw new Error('A cursor of another order');
    const start = Number(from);
    const end = Math.min(start + limit, server.rows);
    const deals = Array.from({ length: end - start }, (_, at) => ({ _id: `${name} ${start + at}` }) as Deal);
    const nextCursor = end < server.rows ? `${name} ${end}` : null;
    return { deals, total: Math.min(server.rows, counted), isCapped: server.rows > counted, nextCursor };
  };
  const ids = (deals: readonly Deal[]) => deals.map(({ _id }) => _id);
  const loading = createDealLoading(
    {
      table: {
        replace(deals) {
          table.rows = ids(deals);
          table.replaced += 1;
        },
        append: (deals) => void table.rows.push(...ids(deals)),
        beginAgain: () => ({
          page: (deals) => void events.push(...ids(deals)),
          end: () => void events.push('end'),
        }),
      },
      async first() {
        server.firsts += 1;
        await server.gate;
        return respond({}, null, 2);
      },
      async page(_view, order, { cursor, limit }, signal) {
        signals.push(signal);
        requested.push(`${order.sort ?? 'newest'} ${cursor} ${limit}`);
        await server.gate;
        return respond(order, cursor, cursor === null ? 2 : Math.min(limit, 3));
      },
      narrow(_view, before) {
        if (!server.canNarrow) return false;
        narrowed.push(before);
        table.rows = table.rows.filter((_, at) => at % 2 === 0);
        return true;
      },
      later: (run, ms) => {
        again.push(run);
        waits.push(ms);
        return () => void again.splice(0);
      },
      onRows: (change) => void events.push(change),
    },
    inBrowser,
  );
  return { loading, server, table, requested, signals, events, narrowed, again, waits, respond };
}

const numbers = (from: number, to: number, name = 'newest') =>
  Array.from({ length: to - from }, (_, at) => `${name} ${from + at}`);

describe('a view that the browser sorts', () => {
  test('a view that the browser sorts is loaded as a whole, in few requests', async () => {
    const { loading, table, requested, events } = setUp({ rows: 7, inBrowser: 7 });
    loading.show(november, bySale);
    await settle();
    expect(table.rows).toEqual(numbers(0, 7));
    expect(requested).toEqual(['newest newest 2 5000', 'newest newest 5 5000']);
    expect(events).toEqual(['replaced', 'added', 'added']);
    expect(loading.inWindow.get()).toBeNull();
    expect(loading.state.get().state).toBe('ready');
  });

  test('a view that the browser sorts that was prefetched is shown at once, and continues with the rows after it', async () => {
    const { loading, table, requested, events, respond } = setUp({ rows: 4, inBrowser: 7 });
    const states: string[] = [];
    loading.begin(november, respond({}, null, 2));
    expect(table.rows).toEqual(numbers(0, 2));
    expect(loading.state.get().state).toBe('ready');
    loading.state.subscribe(() => states.push(loading.state.get().state));
    loading.show(november, {});
    await settle();
    expect(table.rows).toEqual(numbers(0, 4));
    expect(requested).toEqual(['newest newest 2 5000']);
    expect(events).toEqual(['replaced', 'added']);
    expect(states).not.toContain('loading');
    expect(table.replaced).toBe(1);
    loading.reload();
    expect(loading.state.get().state).toBe('loading');
  });

  test('a view that the browser sorts with a new filter shows the loaded rows that meet it at once, and the response confirms them', async () => {
    const { loading, server, table, events } = setUp({ rows: 4, inBrowser: 7 });
    loading.show(november, {});
    await settle();
    events.splice(0);
    const late = Promise.withResolvers<void>();
    server.gate = late.promise;
    loading.show({ ...november, filter: unmailed }, {});
    expect(table.rows).toEqual(['newest 0', 'newest 2']);
    expect(events).toEqual(['narrowed']);
    server.rows = 1;
    late.resolve();
    await settle();
    // Without moving rows.
    expect(events).toEqual(['narrowed', 'newest 0', 'end']);
    expect(table.replaced).toBe(1);
    server.rows = 3;
    loading.show(november, {});
    await settle();
    expect([table.rows, table.replaced]).toEqual([numbers(0, 3), 2]);
  });

  test('a view that the browser sorts with a second condition narrows the rows of the first one, before the server responds to either', async () => {
    const { loading, server, table, narrowed } = setUp({ rows: 4, inBrowser: 7 });
    loading.show(november, {});
    await settle();
    server.gate = new Promise(() => undefined);
    const filtered = { ...november, filter: unmailed };
    loading.show(filtered, {});
    const both = { ...unmailed, conditions: [...unmailed.conditions, ...unmailed.conditions] };
    loading.show({ ...november, filter: both }, {});
    expect(table.rows).toEqual(['newest 0']);
    expect(narrowed).toEqual([null, unmailed]);
  });

  test.each([
    ['of another month', { ...november, month: '2026-10' }],
    ['with a search', { ...november, search: 'kia' }],
  ])('a view that the browser sorts with a new filter %s waits for the response', async (_, view) => {
    const { loading, table } = setUp({ rows: 4, inBrowser: 7 });
    loading.show(november, {});
    await settle();
    loading.show({ ...view, filter: unmailed }, {});
    expect(table.rows).toEqual(numbers(0, 4));
    await settle();
    expect([table.rows, table.replaced]).toEqual([numbers(0, 4), 2]);
  });

  test('a view that the browser sorts with a new filter waits for the response before the script of the filters is loaded', async () => {
    const { loading, server, table } = setUp({ rows: 4, inBrowser: 7 });
    server.canNarrow = false;
    loading.show(november, {});
    await settle();
    loading.show({ ...november, filter: unmailed }, {});
    expect(table.rows).toEqual(numbers(0, 4));
    await settle();
    expect(table.replaced).toBe(2);
  });

  test('a view that the browser sorts with a new filter waits for the response while only its first rows are loaded', async () => {
    const { loading, server, table } = setUp({ rows: 4, inBrowser: 7 });
    loading.show(november, {});
    server.gate = new Promise(() => undefined);
    await settle();
    expect(table.rows).toEqual(numbers(0, 2));
    server.gate = Promise.resolve();
    loading.show({ ...november, filter: unmailed }, {});
    expect(table.rows).toEqual(numbers(0, 2));
    await settle();
    expect([table.rows, table.replaced]).toEqual([numbers(0, 4), 2]);
  });

  test.each([
    ['empty', 0, 7, false],
    ['as large as the browser can sort', 5, 5, true],
    ['larger than that', 6, 5, false],
  ])(
    'a view that the browser sorts that was prefetched is shown before it is requested, unless it is %s',
    (_, rows, inBrowser, isShown) => {
      const { loading, table, respond } = setUp({ rows, inBrowser });
      loading.begin(november, respond({}, null, 2));
      expect(table.replaced).toBe(isShown ? 1 : 0);
      expect(loading.state.get().state).toBe(isShown ? 'ready' : 'loading');
    },
  );

  test('a view that the browser sorts replaces another small one, whose late response is ignored', async () => {
    const { loading, server, table, events } = setUp({ rows: 2, inBrowser: 7 });
    loading.show(november, {});
    await settle();
    const before = loading.place();
    const late = Promise.withResolvers<void>();
    server.gate = late.promise;
    loading.show({ ...november, month: '2026-10' }, {});
    server.gate = Promise.resolve();
    server.rows = 1;
    loading.show({ ...november, month: '2026-12' }, {});
    await settle();
    expect([table.replaced, table.rows, events]).toEqual([2, numbers(0, 1), ['replaced', 'replaced']]);
    expect(loading.place()).not.toBe(before);
    server.rows = 2;
    late.resolve();
    await settle();
    expect([table.replaced, table.rows]).toEqual([2, numbers(0, 1)]);
    const failed = Promise.withResolvers<void>();
    server.gate = failed.promise;
    loading.show(november, {});
    server.gate = Promise.resolve();
    loading.show({ ...november, month: '2026-12' }, {});
    await settle();
    failed.reject(new Error('late'));
    await settle();
    expect(loading.state.get()).toEqual({ state: 'ready', error: null });
    expect([loading.next(), loading.previous()]).toEqual([false, false]);
  });

  test('a view that the browser sorts is whole again only once its rows have replaced those of a view that was left while loading', async () => {
    const { loading, server, table } = setUp({ rows: 4, inBrowser: 7 });
    loading.show(november, {});
    await settle();
    expect(loading.isWhole()).toBe(true);
    loading.show({ ...november, month: '2026-10' }, {});
    server.gate = new Promise(() => undefined);
    await settle();
    expect(table.rows).toEqual(numbers(0, 2));
    loading.show(november, {});
    expect(loading.isWhole()).toBe(false);
    server.gate = Promise.resolve();
    loading.reload();
    await settle();
    expect([loading.isWhole(), table.rows]).toEqual([true, numbers(0, 4)]);
  });

  test('a view that the browser sorts is not requested after a stop, which ends the load and its retry', async () => {
    const { loading, server, signals, again } = setUp({ inBrowser: 100 });
    loading.reload();
    await settle();
    expect(server.firsts).toBe(0);
    loading.show(november, {});
    await settle();
    loading.stop();
    expect(signals.at(-1)?.aborted).toBe(true);
    loading.reload();
    await settle();
    expect(server.firsts).toBe(1);
    server.isDown = true;
    loading.show(november, {});
    await settle();
    expect(again).toHaveLength(1);
    loading.stop();
    expect(again).toEqual([]);
  });

  test('a view that the browser sorts is retried after a lost connection until it succeeds, but not after a refusal', async () => {
    const { loading, server, signals, again } = setUp({ inBrowser: 100 });
    server.isDown = true;
    loading.show(november, {});
    await settle();
    expect(again).toHaveLength(1);
    server.isDown = false;
    loading.reload();
    expect(loading.state.get().error).toBeInstanceOf(ApiError);
    await settle();
    expect([again, loading.state.get().error]).toEqual([[], null]);
    server.isDown = true;
    server.failure = new ApiError(403, 'Access denied', 'INSUFFICIENT_PERMISSIONS');
    loading.reload();
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
    await settle();
    expect([again, loading.state.get().error]).toEqual([[], server.failure]);
  });

  test('a view that the browser sorts that was prefetched is replaced by another one', async () => {
    const { loading, table, events, respond } = setUp({ rows: 4, inBrowser: 7 });
    loading.begin({ ...november, month: '2026-10' }, respond({}, null, 1));
    loading.show(november, {});
    expect(loading.state.get().state).toBe('loading');
    await settle();
    expect(table.rows).toEqual(numbers(0, 4));
    expect(events).toEqual(['replaced', 'added']);
  });

  test('a view that the browser sorts is not loaded again for another order', async () => {
    const { loading, requested } = setUp({ inBrowser: 100 });
    loading.show(november, {});
    await settle();
    const before = requested.length;
    loading.show(november, bySale);
    await settle();
    expect(requested).toHaveLength(before);
  });

  test('a view that the browser sorts is reloaded without moving a row', async () => {
    const { loading, events } = setUp({ inBrowser: 100 });
    loading.show(november, {});
    await settle();
    events.length = 0;
    loading.reload();
    await settle();
    expect(events).toEqual([...numbers(0, 7), 'end']);
  });

  test('a view that the browser sorts is reloaded within two seconds, once, after a change that concerns many pages', async () => {
    const { loading, server, again, waits } = setUp({ inBrowser: 100 });
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.75);
    loading.show(november, {});
    await settle();
    for (let i = 0; i < 3; i += 1) loading.reloadLater();
    expect([waits, server.firsts]).toEqual([[1500], 1]);
    again.shift()?.();
    await settle();
    expect(server.firsts).toBe(2);
    random.mockRestore();
  });

  test('a view that the browser sorts does not wait for a reload of its own page, which replaces the delayed one', async () => {
    const { loading, server, again } = setUp({ inBrowser: 100 });
    loading.show(november, {});
    await settle();
    for (const load of [loading.reload, () => loading.stop()]) {
      loading.reloadLater();
      expect(again).toHaveLength(1);
      load();
      expect(again).toEqual([]);
      await settle();
    }
    expect(server.firsts).toBe(2);
  });

  test('a view that the browser sorts of a search is loaded as a whole, whatever the limit of its count', async () => {
    const { loading, table, events } = setUp({ rows: 9, inBrowser: 100, counted: 4 });
    loading.show({ ...november, search: 'ann' }, {});
    await settle();
    expect(table.rows).toEqual(numbers(0, 9));
    expect(loading.inWindow.get()).toBeNull();
    events.length = 0;
    loading.reload();
    await settle();
    expect(events.at(-1)).toBe('end');
  });

  test('a view that the browser sorts that fails while loading shows the error, keeps the loaded rows and is retried', async () => {
    const { loading, server, table, events, again } = setUp({ inBrowser: 100 });
    loading.show(november, {});
    await Promise.resolve();
    server.isDown = true;
    await settle();
    expect(loading.state.get()).toMatchObject({ state: 'ready', error: { code: 'NETWORK' } });
    expect(table.rows).toEqual(numbers(0, 2));
    server.isDown = false;
    again.shift()?.();
    await settle();
    expect(loading.state.get()).toEqual({ state: 'ready', error: null });
    expect(events).toContain('newest 6');
  });

  test('a view that the browser sorts keeps its rows when a later load fails, and has none of another view', async () => {
    const { loading, server, again } = setUp();
    loading.show(november, {});
    await settle();
    server.isDown = true;
    loading.reload();
    await settle();
    expect(loading.state.get()).toMatchObject({ state: 'ready', error: { code: 'NETWORK' } });
    loading.show({ ...november, month: '2026-12' }, {});
    expect(again).toEqual([]);
    expect(loading.state.get()).toEqual({ state: 'loading', error: null });
    await settle();
    expect(loading.state.get().state).toBe('failed');
  });
});

describe('a view that is too large', () => {
  test("a view that is too large is loaded as a window in the server's order, which is requested once the size is known", async () => {
    const { loading, table, requested } = setUp();
    loading.show(november, bySale);
    await settle();
    expect(table.rows).toEqual(numbers(0, 5, 'saleAmount'));
    expect(requested).toEqual(['saleAmount null 100', 'saleAmount saleAmount 2 3']);
    expect(loading.inWindow.get()).toEqual({
      before: 0,
      count: 5,
      total: 7,
      isCapped: false,
      isComplete: true,
      next: 'saleAmount 5',
    });
  });

  test('a view that is too large is loaded from its start for another order', async () => {
    const { loading, server, table } = setUp();
    loading.show(november, {});
    await settle();
    loading.next();
    await settle();
    loading.show(november, bySale);
    await settle();
    expect(table.rows).toEqual(numbers(0, 5, 'saleAmount'));
    expect(server.firsts).toBe(1);
    loading.show(november, {});
    await settle();
    expect(table.rows).toEqual(numbers(0, 5));
  });

  test('a view that is too large moves to its end and back, with each row once', async () => {
    const { loading, table } = setUp({ rows: 12 });
    loading.show(november, {});
    await settle();
    const seen = [...table.rows];
    const windows = [];
    while (loading.inWindow.get()?.next) {
      loading.next();
      await settle();
      seen.push(...table.rows);
      windows.push(loading.inWindow.get()?.before);
    }
    expect(seen).toEqual(numbers(0, 12));
    expect(windows).toEqual([5, 10]);
    expect(loading.inWindow.get()).toMatchObject({ count: 2, isComplete: true, next: null });
    loading.next();
    await settle();
    expect(table.rows).toEqual(numbers(10, 12));
    for (const [before, isMoved] of [
      [5, true],
      [0, true],
      [0, false],
    ]) {
      expect(loading.previous()).toBe(isMoved);
      await settle();
      expect(table.rows[0]).toBe(`newest ${before}`);
      expect(loading.inWindow.get()).toMatchObject({ before, isComplete: true });
    }
  });

  test('a view that is too large has no next window before all rows of its own are loaded', async () => {
    const { loading, requested } = setUp();
    const seen: unknown[] = [];
    loading.inWindow.subscribe(() => seen.push(loading.inWindow.get()));
    loading.show(november, {});
    await settle();
    expect(seen).toMatchObject([
      { count: 2, isComplete: false, next: null },
      { count: 5, isComplete: true, next: 'newest 5' },
    ]);
    expect(requested).toEqual(['newest newest 2 3']);
    loading.reload();
    expect(loading.inWindow.get()).toMatchObject({ isComplete: false, next: null });
    expect(loading.next()).toBe(false);
    await settle();
    expect(loading.next()).toBe(true);
  });

  test('a view that is too large is reloaded in place, and moves back if its rows were removed', async () => {
    const { loading, server, table, events } = setUp();
    loading.show(november, {});
    await settle();
    loading.next();
    await settle();
    events.length = 0;
    loading.reload();
    await settle();
    expect(events).toEqual([...numbers(5, 7), 'end']);
    server.rows = 5;
    loading.reload();
    await settle();
    expect(table.rows).toEqual(numbers(0, 5));
    expect(loading.inWindow.get()).toMatchObject({ before: 0, total: 5, next: null });
  });

  test('a view that is too large of a search is detected while loading: its first window stays, with the limit of its count', async () => {
    const { loading, server, table } = setUp({ rows: 12, counted: 4 });
    loading.show({ ...november, search: 'ann' }, {});
    await settle();
    expect(server.firsts).toBe(1);
    expect(table.rows).toEqual(numbers(0, 5));
    expect(loading.inWindow.get()).toMatchObject({ before: 0, count: 5, total: 5, isCapped: true });
    expect(loading.inWindow.get()?.next).toBe('newest 5');
    for (const total of [10, 12]) {
      loading.next();
      await settle();
      expect(loading.inWindow.get()).toMatchObject({ total, isCapped: total < 12 });
    }
    expect(table.rows).toEqual(numbers(10, 12));
    expect(loading.inWindow.get()?.next).toBeNull();
  });

  test('a view that is too large of a search is sorted by the server as a whole', async () => {
    const { loading, table } = setUp({ rows: 12, counted: 4 });
    loading.show({ ...november, search: 'ann' }, bySale);
    await settle();
    expect(table.rows).toEqual(numbers(0, 5, 'saleAmount'));
    expect(loading.inWindow.get()).toMatchObject({ isComplete: true, next: 'saleAmount 5' });
  });

  test('a view that is too large has a separate place for every order and window; a small view has one place', async () => {
    const places = new Set<string>();
    const { loading } = setUp();
    const visit = async (move: () => void) => {
      move();
      await settle();
      places.add(loading.place());
    };
    await visit(() => loading.show(november, {}));
    await visit(() => void loading.next());
    await visit(() => loading.show(november, bySale));
    expect(places.size).toBe(3);
    await visit(() => loading.show(november, {}));
    expect(places.size).toBe(3);
  });

  test('a view that is too large is replaced by a small one', async () => {
    const { loading, server, table } = setUp();
    loading.show(november, bySale);
    await settle();
    server.rows = 3;
    loading.show({ ...november, filter: unmailed }, bySale);
    await settle();
    expect(loading.inWindow.get()).toBeNull();
    expect(table.rows).toEqual(numbers(0, 3));
  });

  test('a view that is too large stays too large after a late response about another one', async () => {
    const { loading, server, table } = setUp();
    const late = Promise.withResolvers<void>();
    server.gate = late.promise;
    loading.show({ ...november, month: '2026-10' }, {});
    server.gate = Promise.resolve();
    loading.show(november, {});
    await settle();
    server.rows = 1;
    late.resolve();
    await settle();
    server.rows = 12;
    loading.show(november, bySale);
    await settle();
    expect(table.rows).toEqual(numbers(0, 5, 'saleAmount'));
  });

  test('a view that is too large is not loaded twice when the order changes while its first rows load', async () => {
    const { loading, table } = setUp();
    loading.show(november, {});
    loading.show(november, bySale);
    await settle();
    expect(table.rows).toEqual(numbers(0, 5, 'saleAmount'));
  });
});
