import type { ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import type { Deal } from '@forecourt/contract/deals';
import type { LiveEvent } from '@forecourt/contract/events';
import { MantineProvider } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, type ReactElement, type ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import { refusalOf, stubServer } from '../../platform/api.fixture.ts';
import { onLiveEvent, startLiveEvents } from '../../platform/live-events.ts';
import { person } from '../../platform/person.fixture.ts';
import { queryClient } from '../../platform/query-client.ts';
import { signIn, signOut } from '../../platform/session.ts';
import type { DealOptions } from './deal-fields.ts';
import type { DealView } from './deal-view.ts';
import { firstRowsQuery } from './deals.queries.ts';
import { useMonthMoves } from './notices/use-month-moves.ts';
import { useDeals, type Deals } from './use-deals.ts';
import { useFilterMatcher } from './views/DealFilterSync.tsx';

const KIM = person({ role: 'admin' });
const NOW = '2026-11';
const idOf = (number: number) => `01900000-0000-7000-8000-0000000000d${number}`;
const at = '2026-11-20T09:00:00.000Z';
const dealOf = (number: number, part: Partial<Deal> = {}): Deal => ({
  _id: idOf(number),
  month: NOW,
  createdAt: at,
  updatedAt: at,
  updatedByName: 'Kim Nguyen',
  sharedWith: [],
  version: 1,
  abilities: { edit: true, delete: true, email: true, share: true, transfer: true },
  customerName: `Customer ${number}`,
  vehicle: '',
  ...part,
});

/** The server's rows. */
let deals: Map<string, Deal>;
let server: ReturnType<typeof stubServer>;
/** Returns fields that the server sets in addition to a change, or its refusal. */
let onChange: (deal: Deal) => Partial<Deal> | Response;
/** Whether the server returns a row for the filter of a test. */
let isListed: (deal: Deal) => boolean;
/** Lists of rows wait for this before the server reads them, and before their response arrives. */
let isOpen: Promise<void>;
let hasArrived: Promise<void>;
/** Whether lists of rows are refused. */
let isRefused: boolean;
/** The number of rows of the first page. The second one has the others, and waits for `hasMoreArrived`. */
let pageSize: number;
let hasMoreArrived: Promise<void>;
let stopLive: () => void;

const change = (number: number, part: Partial<Deal>): Deal => {
  const before = deals.get(idOf(number))!;
  const after = { ...before, ...part, version: before.version + 1 };
  deals.set(after._id, after);
  return after;
};

beforeEach(() => {
  deals = new Map([1, 2].map((number) => [idOf(number), dealOf(number)]));
  onChange = () => ({});
  isListed = () => true;
  isOpen = Promise.resolve();
  hasArrived = Promise.resolve();
  isRefused = false;
  pageSize = 100;
  hasMoreArrived = Promise.resolve();
  stopLive = () => undefined;
  server = stubServer({
    'POST /auth/login': () => ({ token: 'token', user: KIM }),
    'POST /auth/logout': () => undefined,
    'GET /deals/summary': () => ({ total: 0, byStatus: [] }),
    'GET /deals': async ({ query }) => {
      if (isRefused) return refusalOf('INSUFFICIENT_PERMISSIONS');
      await isOpen;
      const matching = [...deals.values()].filter(
        (deal) => (query['search'] ?? deal.month === query['month']) && isListed(deal),
      );
      const isFirst = query['cursor'] === undefined;
      const found = isFirst ? matching.slice(0, pageSize) : matching.slice(pageSize);
      await (isFirst ? hasArrived : hasMoreArrived);
      const columns = Object.keys(dealOf(0)) as (keyof Deal)[];
      return {
        items: [],
        columns,
        rows: found.map((deal) => columns.map((column) => deal[column])),
        total: matching.length,
        totalIsCapped: false,
        page: 1,
        limit: 100,
        totalPages: 1,
        nextCursor: isFirst && pageSize < matching.length ? 'second' : null,
      };
    },
    'GET /deals/:id': ({ params }) => deals.get(params['id']!) ?? refusalOf('NOT_FOUND'),
    'PATCH /deals/:id': ({ params, body }) => {
      const before = deals.get(params['id']!)!;
      const follows = onChange(before);
      if (follows instanceof Response) return follows;
      const after = { ...before, ...(body as object), ...follows, version: before.version + 1 };
      deals.set(after._id, after);
      return after;
    },
  });
});
afterEach(async () => {
  vi.useRealTimers();
  hasFilterScript = true;
  notifications.clean();
  signOut();
  stopLive();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const viewOf = (month: string): DealView => ({ month, search: '', filter: null });
const [november, october] = [viewOf(NOW), viewOf('2026-10')];
const newestFirst = {};
const options = { statuses: [], timeZone: 'Australia/Sydney' } as unknown as DealOptions;
const ignore = (): void => undefined;
/** Whether the script of the filters is loaded. */
let hasFilterScript = true;

/** As on the screen: toasts are rendered below the hook with the rows. */
function Month({ view, onDeals }: { view: DealView; onDeals: (deals: Deals) => void }): ReactElement {
  const deals = useDeals({
    userId: KIM._id,
    view,
    order: newestFirst,
    currentMonth: NOW,
    canAdd: true,
    canChooseMonth: true,
    onRows: ignore,
  });
  useEffect(() => onDeals(deals));
  return <Parts deals={deals} view={view} />;
}
function Parts({ deals, view }: { deals: Deals; view: DealView }): ReactNode {
  useMonthMoves(deals);
  return hasFilterScript && <Filter deals={deals} view={view} />;
}
function Filter({ deals, view }: { deals: Deals; view: DealView }): null {
  useFilterMatcher({ userId: KIM._id, filter: view.filter, options, deals });
  return null;
}

const tree = (view: DealView, onDeals: (deals: Deals) => void) => (
  <MantineProvider>
    <Notifications />
    <QueryClientProvider client={queryClient}>
      <Month view={view} onDeals={onDeals} />
    </QueryClientProvider>
  </MantineProvider>
);

/** Signs in with a live connection, which starts first: a later one would have missed events. */
async function connect(): Promise<void> {
  stopLive = startLiveEvents();
  await signIn({ email: KIM.email, password: 'a password' });
  await vi.waitUntil(() => server.connections.length === 1);
}

/** Opens a month with its live connection. */
async function open(view = november) {
  await connect();
  return show(view);
}

/** Opens a month as the signed-in user. */
async function show(view: DealView) {
  let screen!: Deals;
  const hook = await render(tree(view, (deals) => void (screen = deals)));
  const names = () => screen.rows.getOrder().flatMap((key) => screen.rows.get(key)?.deal?.customerName ?? []);
  await vi.waitUntil(() => screen.loading.state.get().state === 'ready');
  const type = (number: number, vehicle: string) =>
    screen.onCommand({
      changes: [{ key: idOf(number), columnId: 'vehicle', before: '', after: vehicle }],
    });
  return { screen, names, type, hook };
}
const live = () => server.connections.at(-1)!;
const announce = ({ _id, version }: Deal, action: 'updated' | 'deleted' = 'updated') =>
  live().send('message', {
    id: '1',
    entity: 'deal',
    recordId: _id,
    action,
    version,
    ...(action === 'updated' && { row: deals.get(_id) }),
  });
/** Announces a changed row. Resolves after the batch of changes with its event was applied. */
async function announceLast(deal: Deal): Promise<void> {
  const received = Promise.withResolvers<void>();
  const stop = onLiveEvent('deal', ({ recordId }) => recordId === deal._id && received.resolve());
  announce(deal);
  await received.promise;
  stop();
  // Not a wait for a condition: this timer runs after that of the batch of changed rows.
  await new Promise((resolve) => setTimeout(resolve, 100));
}
const patches = () =>
  server.requests.filter(({ route }) => route === 'PATCH /deals/:id').map(({ body }) => body);

describe('the rows of a month', () => {
  test('the rows of a month are reloaded after the live connection was lost: new, changed and removed rows are as on the server', async () => {
    const { names, hook } = await open();
    expect(names()).toEqual(['Customer 1', 'Customer 2']);
    change(1, { customerName: 'Changed meanwhile' });
    deals.delete(idOf(2));
    deals.set(idOf(3), dealOf(3));
    live().end();
    await expect.poll(names).toEqual(['Changed meanwhile', 'Customer 3']);
    await hook.unmount();
  });

  test('the rows of a month are updated by the rows of live events, without a request', async () => {
    const { names, hook } = await open();
    announce(change(1, { customerName: 'By a colleague' }));
    await expect.poll(names).toEqual(['By a colleague', 'Customer 2']);
    const requested = server.requests.length;
    // Another one than in other tests: events are kept for half a minute.
    deals.set(idOf(8), dealOf(8));
    announce(dealOf(8));
    await expect.poll(names).toEqual(['By a colleague', 'Customer 2', 'Customer 8']);
    announce(dealOf(8), 'deleted');
    await expect.poll(names).toEqual(['By a colleague', 'Customer 2']);
    announce(change(1, { customerName: 'Again' }));
    await expect.poll(names).toEqual(['Again', 'Customer 2']);
    expect(server.requests.slice(requested)).toEqual([]);
    await hook.unmount();
  });

  test('the rows of a month include changes between their request and the opening of the screen', async () => {
    await connect();
    await queryClient.prefetchQuery({ ...firstRowsQuery(november), staleTime: Infinity });
    const received = Promise.withResolvers<void>();
    const stop = onLiveEvent('deal', () => received.resolve());
    announce(change(1, { customerName: 'Changed meanwhile' }));
    deals.set(idOf(3), dealOf(3));
    announce(dealOf(3));
    await received.promise;
    stop();
    const { names, hook } = await show(november);
    await expect.poll(names).toEqual(['Changed meanwhile', 'Customer 2', 'Customer 3']);
    await hook.unmount();
  });

  test('the rows of a month are as changed while their response was on its way: a row added, one deleted', async () => {
    deals.set(idOf(9), dealOf(9));
    const { screen, names, hook } = await open(october);
    const arriving = Promise.withResolvers<void>();
    hasArrived = arriving.promise;
    const lists = server.count('GET /deals');
    await hook.rerender(tree(november, () => undefined));
    await vi.waitUntil(() => server.count('GET /deals') === lists + 1);
    announce(dealOf(9), 'deleted');
    deals.set(idOf(7), dealOf(7));
    await announceLast(dealOf(7));
    // The response of the list would remove the row.
    expect(screen.rows.get(idOf(7))).toBeUndefined();
    arriving.resolve();
    await expect.poll(names).toEqual(['Customer 1', 'Customer 2', 'Customer 7']);
    await hook.unmount();
  });

  test('the rows of a month include one that is added while their load, which has failed before, is repeated', async () => {
    isRefused = true;
    await connect();
    let screen!: Deals;
    const hook = await render(tree(november, (latest) => void (screen = latest)));
    await vi.waitUntil(() => screen.loading.state.get().state === 'failed');
    isRefused = false;
    const arriving = Promise.withResolvers<void>();
    hasArrived = arriving.promise;
    const lists = server.count('GET /deals');
    screen.loading.reload();
    await vi.waitUntil(() => server.count('GET /deals') === lists + 1);
    deals.set(idOf(3), dealOf(3));
    await announceLast(dealOf(3));
    arriving.resolve();
    await vi.waitUntil(() => screen.loading.state.get().state === 'ready');
    await expect.poll(() => screen.rows.getOrder(), { timeout: 10_000 }).toEqual([1, 2, 3].map(idOf));
    await hook.unmount();
  });

  test('the rows of a month are removed as soon as another user moves them to another month', async () => {
    const { names, hook } = await open();
    announce(change(1, { month: '2026-10' }));
    await expect.poll(names).toEqual(['Customer 2']);
    await hook.unmount();
  });
});

describe('the rows of a month that changed for many people at once', () => {
  const send = (event: Partial<LiveEvent>): void =>
    live().send('message', { id: '1', action: 'updated', ...event });

  test.each<[string, () => void, number]>([
    ['very many rows', () => send({ entity: 'deal', recordId: idOf(1), version: 9 }), 800],
    ['a custom field', () => send({ entity: 'custom-field', recordId: idOf(1), version: 2 }), 800],
    // The connection is opened again after half a second.
    ['a lost connection', () => live().end(), 1200],
  ])(
    'the rows of a month are reloaded once, after a random delay, after a change of %s',
    async (_, start, after) => {
      const random = vi.spyOn(Math, 'random').mockReturnValue(0.4);
      const { screen, hook } = await open();
      const lists = server.count('GET /deals');
      const startedAt = performance.now();
      start();
      await expect.poll(() => server.count('GET /deals')).toBe(lists + 1);
      // The browser's timers may run a millisecond early.
      expect(performance.now() - startedAt).toBeGreaterThan(after - 5);
      // The person's own action does not wait.
      screen.loading.reload();
      expect(server.count('GET /deals')).toBe(lists + 2);
      random.mockRestore();
      await hook.unmount();
    },
  );
});

describe('the rows of a page that was read before a change', () => {
  const search = { ...november, search: 'Customer' };
  const pagesRequested = () => server.requests.filter(({ query }) => query['cursor'] !== undefined).length;

  test.each([
    ['of a first load', november, false, ['Changed', 'Customer 1', 'Customer 5', 'Last']],
    ['of a reload', november, true, ['Changed', 'Customer 1', 'Customer 5', 'Last']],
    // A loaded row of a search stays, and one that was not loaded is not added.
    ['of a search', search, false, ['Changed', 'Customer 1', 'Last', 'Moved']],
  ])(
    'the rows of a page %s that was read before a change are as after it: moved, deleted, changed, restored',
    async (_, view, isReload, expected) => {
      for (const number of [3, 4, 5]) deals.set(idOf(number), dealOf(number));
      pageSize = 1;
      const arriving = Promise.withResolvers<void>();
      /** Changes that the page has missed. Later responses have them, and the second page waits. */
      const read = (): void => {
        deals.delete(idOf(5));
        deals.set(idOf(6), dealOf(6, { customerName: 'Last' }));
        hasMoreArrived = arriving.promise;
      };
      if (!isReload) read();
      const { screen, names, hook } = await open(view);
      if (isReload) {
        await expect.poll(names).toHaveLength(5);
        read();
        screen.loading.reload();
      }
      await vi.waitUntil(() => pagesRequested() === (isReload ? 2 : 1));
      announce(change(2, { month: '2026-10', customerName: 'Moved' }));
      announce(change(3, {}), 'deleted');
      announce(change(4, { customerName: 'Changed' }));
      const restored = dealOf(5, { version: 3 });
      deals.set(restored._id, restored);
      await announceLast(restored);
      arriving.resolve();
      await expect.poll(names).toContain('Last');
      expect(names().toSorted()).toEqual(expected);
      await hook.unmount();
    },
  );
});

const filterOf = (...conditions: ColumnFilter['conditions']): ColumnFilter => ({ match: 'all', conditions });
const kias = filterOf({ field: 'vehicle', operator: 'contains', value: 'kia' });

describe('the rows of a filter', () => {
  const requested = () => server.requests.filter(({ route }) => route === 'GET /deals');

  test('the rows of a filter are requested by the filter, and not again for an equal one', async () => {
    await signIn({ email: KIM.email, password: 'a password' });
    const { screen, hook } = await show({ ...november, filter: kias });
    expect(requested().map(({ query }) => query['filter'])).toEqual([JSON.stringify(kias)]);
    await hook.rerender(tree({ ...november, filter: structuredClone(kias) }, () => undefined));
    screen.loading.reload();
    await vi.waitUntil(() => requested().length === 2);
    expect(requested().map(({ query }) => query['filter'])).toEqual(Array(2).fill(JSON.stringify(kias)));
    await hook.unmount();
  });

  test('the rows of a filter include a row that meets it since another user changed it; a row that no longer meets it stays', async () => {
    change(1, { vehicle: 'Kia Rio' });
    deals.delete(idOf(2));
    const { names, hook } = await open({ ...november, filter: kias });
    deals.set(idOf(2), dealOf(2));
    deals.set(idOf(3), dealOf(3));
    announce(change(2, { vehicle: 'Mazda 3' }));
    announce(change(3, { vehicle: 'KIA Carnival' }));
    await expect.poll(names).toEqual(['Customer 1', 'Customer 3']);
    announce(change(1, { vehicle: '', customerName: 'Still here' }));
    await expect.poll(names).toEqual(['Still here', 'Customer 3']);
    await hook.unmount();
  });

  test('the rows of a filter follow the business day: after midnight the last day is another one', async () => {
    // The clock advances: it starts at noon, so that a slow test does not reach midnight.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 20, 12) });
    const today = filterOf({ field: 'createdAt', operator: 'inLastDays', value: 1 });
    // Events of the tests before are repeated for half a minute: their rows would meet the filter.
    deals.clear();
    const { names, hook } = await open({ ...november, filter: today });
    const tomorrow = dealOf(3, { createdAt: new Date(2026, 10, 21).toISOString() });
    deals.set(tomorrow._id, tomorrow);
    announce(tomorrow);
    const late = dealOf(4, { createdAt: new Date(2026, 10, 20, 9, 30).toISOString() });
    deals.set(late._id, late);
    announce(late);
    await expect.poll(names).toEqual(['Customer 4']);
    vi.setSystemTime(new Date(2026, 10, 21));
    announce(change(3, {}));
    await expect.poll(names).toEqual(['Customer 4', 'Customer 3']);
    await hook.unmount();
  });

  test('the rows of a filter of an added condition are shown at once, those of another one when the server responds', async () => {
    change(1, { vehicle: 'Kia Rio' });
    change(2, { vehicle: 'Kia Ceed' });
    const { names, hook } = await open({ ...november, filter: kias });
    await expect.poll(names).toEqual(['Customer 1', 'Customer 2']);
    const late = Promise.withResolvers<void>();
    isOpen = late.promise;
    const [kia] = kias.conditions;
    const rio = { field: 'vehicle', operator: 'contains', value: 'rio' } as const;
    await hook.rerender(tree({ ...november, filter: filterOf(rio) }, () => undefined));
    expect(names()).toEqual(['Customer 1', 'Customer 2']);
    isListed = ({ vehicle = '' }) => vehicle.includes('Rio');
    late.resolve();
    await expect.poll(names).toEqual(['Customer 1']);
    isListed = () => true;
    await hook.rerender(tree({ ...november, filter: kias }, () => undefined));
    await expect.poll(names).toEqual(['Customer 1', 'Customer 2']);
    isOpen = new Promise(() => undefined);
    await hook.rerender(tree({ ...november, filter: filterOf(kia!, rio) }, () => undefined));
    await expect.poll(names).toEqual(['Customer 1']);
    await hook.unmount();
  });

  test('the rows of a filter do not include a row changed by another user before the filter script is loaded, unless it meets the filter', async () => {
    change(1, { vehicle: 'Kia Rio' });
    isListed = ({ vehicle }) => vehicle !== '';
    hasFilterScript = false;
    const { screen, names, hook } = await open({ ...november, filter: kias });
    expect(names()).toEqual(['Customer 1']);
    announce(change(2, { customerName: 'Without a vehicle' }));
    deals.set(idOf(3), dealOf(3, { vehicle: 'Kia' }));
    announce(deals.get(idOf(3))!);
    announce(change(1, { customerName: 'The last event' }));
    await expect.poll(names).toEqual(['The last event']);
    hasFilterScript = true;
    await hook.rerender(tree({ ...november, filter: kias }, () => undefined));
    await expect.poll(names).toEqual(['The last event', 'Customer 3']);
    expect(screen.loading.state.get()).toEqual({ state: 'ready', error: null });
    await hook.unmount();
  });

  test('the rows of a filter of a loaded month are shown before the response, which confirms them', async () => {
    const { screen, names, hook } = await open();
    announce(change(2, { vehicle: 'Kia' }));
    await expect.poll(() => screen.rows.get(idOf(2))?.deal?.vehicle).toBe('Kia');
    const { promise, resolve } = Promise.withResolvers<void>();
    isOpen = promise;
    await hook.rerender(tree({ ...november, filter: kias }, () => undefined));
    await expect.poll(names).toEqual(['Customer 2']);
    isListed = ({ vehicle }) => vehicle === 'Kia';
    deals.set(idOf(3), dealOf(3, { vehicle: 'Kia' }));
    resolve();
    await expect.poll(names).toEqual(['Customer 2', 'Customer 3']);
    await hook.unmount();
  });

  test('the rows of a filter include those with unsaved changes, which the server does not have', async () => {
    onChange = () => refusalOf('TOO_MANY_REQUESTS');
    const { type, hook } = await open();
    type(2, 'Kia');
    await hook.unmount();
    // The server returns no row for this filter.
    isListed = () => false;
    const unsaved = filterOf({ field: 'isUnsaved', operator: 'isTrue' });
    const { screen, names, hook: again } = await show({ ...november, filter: unsaved });
    await expect.poll(names).toEqual(['Customer 2']);
    onChange = () => ({});
    screen.draftSync.retryNow();
    await expect.poll(() => screen.draftSync.pending.get()).toEqual([]);
    await again.unmount();
  });
});

describe('a typed value', () => {
  test('a typed value is sent with the version that was seen, and again with the same key after 429', async () => {
    const { screen, type, hook } = await open();
    let isBusy = true;
    onChange = () => (isBusy ? refusalOf('TOO_MANY_REQUESTS') : {});
    type(1, 'Kia');
    await expect.poll(() => screen.draftSync.pending.get()[0]?.problem).toMatch(/Too many/);
    isBusy = false;
    screen.draftSync.retryNow();
    await expect.poll(() => screen.draftSync.pending.get()).toEqual([]);
    expect(patches()).toEqual([
      { vehicle: 'Kia', version: 1 },
      { vehicle: 'Kia', version: 1 },
    ]);
    const keys = server.requests.flatMap(({ headers }) => headers.get('idempotency-key') ?? []);
    expect(new Set(keys).size).toBe(1);
    expect(screen.rows.get(idOf(1))?.deal?.vehicle).toBe('Kia');
    await hook.unmount();
  });

  test('a typed value moves its row to the current month with the setting: the row leaves, a toast reports it, and Undo restores it', async () => {
    for (const number of [1, 2]) change(number, { month: '2026-10' });
    const { names, type, hook } = await open(october);
    onChange = ({ month }) => (month === NOW ? {} : { month: NOW });
    for (const number of [1, 2]) type(number, 'Kia');
    await expect.poll(names).toEqual([]);
    const toast = page.getByRole('alert').filter({ hasText: '2 rows are in November 2026 now' });
    await expect.element(toast).toBeVisible();
    onChange = () => ({});
    await toast.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(names).toEqual(['Customer 1', 'Customer 2']);
    expect(patches().slice(-2)).toEqual([
      { version: 3, month: '2026-10' },
      { version: 3, month: '2026-10' },
    ]);
    expect(deals.get(idOf(1))).toMatchObject({ month: '2026-10', vehicle: 'Kia' });
    await hook.unmount();
  });

  test('a typed value moves back the other rows if Undo is refused for one of them, and reports that', async () => {
    for (const number of [1, 2]) change(number, { month: '2026-10' });
    const { names, type, hook } = await open(october);
    onChange = ({ month }) => (month === NOW ? {} : { month: NOW });
    for (const number of [1, 2]) type(number, 'Kia');
    await expect.poll(names).toEqual([]);
    onChange = ({ _id }) => (_id === idOf(1) ? refusalOf('NOT_FOUND') : {});
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(names).toEqual(['Customer 2']);
    await expect.element(page.getByRole('alert').filter({ hasText: 'not found' })).toBeVisible();
    await hook.unmount();
  });
});
