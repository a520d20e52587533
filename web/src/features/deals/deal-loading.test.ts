import type { Deal } from '@forecourt/contract/deals';
import { describe, expect, test } from 'vitest';
import { createDealLoading } from './deal-loading.ts';
import type { DealPage, DealView, ServerOrder } from './deals.queries.ts';

const november: DealView = { month: '2026-11', search: '', status: '', dealershipId: '', owner: '' };
const bySale: ServerOrder = { sort: 'saleAmount', order: 'desc' };
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/**
 * A server with rows that are numbered in their order, and the table that they come into. Its cursors name the order
 * and how many rows are behind them.
 */
function setUp({ rows = 7, inBrowser = 5, counted = Infinity } = {}) {
  const server = { rows, isDown: false };
  const asked: string[] = [];
  const told: string[] = [];
  const table = { rows: [] as string[] };
  const answer = (order: ServerOrder, cursor: string | null, limit: number): DealPage => {
    const [by = '', from = '0'] = cursor?.split(' ') ?? [];
    const name = order.sort ?? 'newest';
    if (server.isDown) throw new Error('no line');
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
        replace: (deals) => void (table.rows = ids(deals)),
        append: (deals) => void table.rows.push(...ids(deals)),
        beginAgain: () => ({
          page: (deals) => void told.push(...ids(deals)),
          end: () => void told.push('end'),
        }),
      },
      first: async () => answer({}, null, 2),
      async page(_view, order, { cursor, limit }) {
        asked.push(`${order.sort ?? 'newest'} ${cursor} ${limit}`);
        return answer(order, cursor, cursor === null ? 2 : Math.min(limit, 3));
      },
      onRows: (areOthers) => void told.push(areOthers ? 'others' : 'more'),
    },
    { inBrowser },
  );
  return { loading, server, table, asked, told, answer };
}

const numbers = (from: number, to: number, name = 'newest') =>
  Array.from({ length: to - from }, (_, at) => `${name} ${from + at}`);

describe('a view that the browser sorts', () => {
  test('comes as a whole, and in few calls', async () => {
    const { loading, table, asked, told } = setUp({ rows: 7, inBrowser: 7 });
    loading.show(november, bySale);
    await settle();
    expect(table.rows).toEqual(numbers(0, 7));
    expect(asked).toEqual(['newest newest 2 5000', 'newest newest 5 5000']);
    expect(told).toEqual(['others', 'more', 'more']);
    expect(loading.inWindow.get()).toBeNull();
    expect(loading.state.get().state).toBe('ready');
  });

  test('that came before the screen is there at once, and goes on behind its rows', async () => {
    const { loading, table, asked, told, answer } = setUp({ rows: 4, inBrowser: 7 });
    const states: string[] = [];
    loading.begin(november, answer({}, null, 2));
    expect(table.rows).toEqual(numbers(0, 2));
    expect(loading.state.get().state).toBe('ready');
    loading.state.subscribe(() => states.push(loading.state.get().state));
    loading.show(november, {});
    await settle();
    expect(table.rows).toEqual(numbers(0, 4));
    expect(asked).toEqual(['newest newest 2 5000']);
    expect(told).toEqual(['others', 'more']);
    expect(states).not.toContain('loading');
    loading.reload();
    expect(loading.state.get().state).toBe('loading');
  });

  test('that came before the screen makes room for another one', async () => {
    const { loading, table, told, answer } = setUp({ rows: 4, inBrowser: 7 });
    loading.begin({ ...november, month: '2026-10' }, answer({}, null, 1));
    loading.show(november, {});
    expect(loading.state.get().state).toBe('loading');
    await settle();
    expect(table.rows).toEqual(numbers(0, 4));
    expect(told).toEqual(['others', 'more']);
  });

  test('is not loaded again for another order', async () => {
    const { loading, asked } = setUp({ inBrowser: 100 });
    loading.show(november, {});
    await settle();
    const before = asked.length;
    loading.show(november, bySale);
    await settle();
    expect(asked).toHaveLength(before);
  });

  test('is loaded once more without moving a row', async () => {
    const { loading, told } = setUp({ inBrowser: 100 });
    loading.show(november, {});
    await settle();
    told.length = 0;
    loading.reload();
    await settle();
    expect(told).toEqual([...numbers(0, 7), 'end']);
  });

  test('of a search comes as a whole, however far it was counted', async () => {
    const { loading, table, told } = setUp({ rows: 9, inBrowser: 100, counted: 4 });
    loading.show({ ...november, search: 'ann' }, {});
    await settle();
    expect(table.rows).toEqual(numbers(0, 9));
    expect(loading.inWindow.get()).toBeNull();
    told.length = 0;
    loading.reload();
    await settle();
    expect(told.at(-1)).toBe('end');
  });

  test('that fails on its way says so and keeps the rows that came', async () => {
    const { loading, server, table } = setUp({ inBrowser: 100 });
    loading.show(november, {});
    await Promise.resolve();
    server.isDown = true;
    await settle();
    expect(loading.state.get().state).toBe('failed');
    expect(table.rows).toEqual(numbers(0, 2));
  });
});

describe('a view that is too large', () => {
  test('comes as a window in the order of the server, which is asked for once it is known', async () => {
    const { loading, table, asked } = setUp();
    loading.show(november, bySale);
    await settle();
    expect(table.rows).toEqual(numbers(0, 5, 'saleAmount'));
    expect(asked).toEqual(['saleAmount null 100', 'saleAmount saleAmount 2 3']);
    expect(loading.inWindow.get()).toEqual({
      before: 0,
      count: 5,
      total: 7,
      isCapped: false,
      isWhole: true,
      next: 'saleAmount 5',
    });
  });

  test('is loaded from its beginning for another order', async () => {
    const { loading, table } = setUp();
    loading.show(november, {});
    await settle();
    loading.next();
    await settle();
    loading.show(november, bySale);
    await settle();
    expect(table.rows).toEqual(numbers(0, 5, 'saleAmount'));
    loading.show(november, {});
    await settle();
    expect(table.rows).toEqual(numbers(0, 5));
  });

  test('slides on to its end and back, each row once', async () => {
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
    loading.next();
    await settle();
    expect(table.rows).toEqual(numbers(10, 12));
    for (const before of [5, 0, 0]) {
      loading.previous();
      await settle();
      expect(table.rows[0]).toBe(`newest ${before}`);
      expect(loading.inWindow.get()).toMatchObject({ before, isWhole: true });
    }
  });

  test('offers no next rows before all of its own have come', async () => {
    const { loading } = setUp();
    const seen: unknown[] = [];
    loading.inWindow.subscribe(() => seen.push(loading.inWindow.get()));
    loading.show(november, {});
    await settle();
    expect(seen).toMatchObject([
      { count: 2, isWhole: false, next: null },
      { count: 5, isWhole: true, next: 'newest 5' },
    ]);
    loading.reload();
    expect(loading.next()).toBe(false);
    await settle();
    expect(loading.next()).toBe(true);
  });

  test('is loaded once more where it stands, and goes back where its rows are gone', async () => {
    const { loading, server, table, told } = setUp();
    loading.show(november, {});
    await settle();
    loading.next();
    await settle();
    told.length = 0;
    loading.reload();
    await settle();
    expect(told).toEqual([...numbers(5, 7), 'end']);
    server.rows = 5;
    loading.reload();
    await settle();
    expect(table.rows).toEqual(numbers(0, 5));
    expect(loading.inWindow.get()).toMatchObject({ before: 0, total: 5, next: null });
  });

  test('of a search shows only on its way: its first window stays, and says how far it was counted', async () => {
    const { loading, table } = setUp({ rows: 12, counted: 4 });
    loading.show({ ...november, search: 'ann' }, {});
    await settle();
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

  test('of a search is put in order by the server as a whole', async () => {
    const { loading, table } = setUp({ rows: 12, counted: 4 });
    loading.show({ ...november, search: 'ann' }, bySale);
    await settle();
    expect(table.rows).toEqual(numbers(0, 5, 'saleAmount'));
    expect(loading.inWindow.get()).toMatchObject({ isWhole: true, next: 'saleAmount 5' });
  });

  test('is another place for every order and window; a small view is one place', async () => {
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

  test('is left for a small one', async () => {
    const { loading, server, table } = setUp();
    loading.show(november, bySale);
    await settle();
    server.rows = 3;
    loading.show({ ...november, status: 'Deal' }, bySale);
    await settle();
    expect(loading.inWindow.get()).toBeNull();
    expect(table.rows).toEqual(numbers(0, 3));
  });

  test('is not begun twice by an order that changes while its first rows are on their way', async () => {
    const { loading, table } = setUp();
    loading.show(november, {});
    loading.show(november, bySale);
    await settle();
    expect(table.rows).toEqual(numbers(0, 5, 'saleAmount'));
  });
});
