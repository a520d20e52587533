import type { Deal } from '@forecourt/contract/deals';
import { describe, expect, it } from 'vitest';
import { ApiError, errorWithoutResponse } from '../../../platform/api-error.ts';
import type { Attempt, DealDraft } from '../deal-row.ts';
import { createDraftSync, type DraftSyncPorts } from './draft-sync.ts';
import type { TabMessage, TabChannel } from './tab-sync.ts';

const name = (after: string) => ({ field: 'customerName', before: null, after }) as const;
const vehicle = (after: string) => ({ field: 'vehicle', before: null, after }) as const;
const dealership = { field: 'dealershipId', before: null, after: 'dealer' } as const;

const alone: TabChannel = { publish: () => undefined, subscribe: () => () => undefined };

/** Creates connected tabs: each receives what the others publish. */
function createTabs(): () => TabChannel {
  const all = new Map<object, (message: TabMessage) => void>();
  return () => {
    const me = {};
    return {
      publish(message) {
        for (const [tab, receive] of all) if (tab !== me) receive(structuredClone(message));
      },
      subscribe(receive) {
        all.set(me, receive);
        return () => all.delete(me);
      },
    };
  };
}

/** Creates a draft sync with a server that responds on demand and a storage like the browser's. */
function setUp(
  stored = new Map<string, DealDraft>(),
  tabs: TabChannel = alone,
  storage: Partial<DraftSyncPorts['drafts']> = {},
) {
  const calls: {
    attempt: Attempt;
    dealId: string | null;
    respond: (result: Deal | Error) => Promise<void>;
  }[] = [];
  /** Number of new rows in each request. */
  const requests: number[] = [];
  const timers: (() => void)[] = [];
  /** Delay of each timer, in milliseconds. */
  const waits: number[] = [];
  const rowsToFind = new Map<string, Deal>();
  let keys = 0;
  const request = ({ dealId }: DealDraft, attempt: Attempt): Promise<Deal> => {
    const { promise, resolve, reject } = Promise.withResolvers<Deal>();
    calls.push({
      attempt,
      dealId,
      respond(result) {
        if (result instanceof Error) reject(result);
        else resolve(result);
        return settle();
      },
    });
    return promise;
  };
  const concernsAll = (error: unknown): boolean =>
    !(error instanceof ApiError) || error.status === 401 || error.status === 0 || error.status >= 500;
  const ports: DraftSyncPorts = {
    drafts: {
      all: () => Promise.resolve([...stored.values()]),
      save: (drafts) => Promise.resolve(drafts.forEach((draft) => stored.set(draft.key, draft))),
      delete: (ids) => Promise.resolve(ids.forEach((id) => stored.delete(id))),
      release: () => undefined,
      ...storage,
    },
    change: request,
    find: (id) => Promise.resolve(rowsToFind.get(id)!),
    create(rows) {
      requests.push(rows.length);
      return Promise.all(
        rows.map(({ draft, attempt }) =>
          request(draft, attempt).catch((error: unknown) => {
            if (concernsAll(error)) throw error;
            return error as ApiError;
          }),
        ),
      );
    },
    newKey: () => `key-${(keys += 1)}`,
    tabs,
    later(run, ms) {
      timers.push(run);
      waits.push(ms);
      return () => timers.splice(timers.indexOf(run), 1);
    },
  };
  return { calls, requests, timers, waits, stored, rowsToFind, sync: createDraftSync(ports) };
}

/** Waits until all pending promises have settled. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const deal = (part: Partial<Deal>): Deal => ({ _id: 'd1', version: 1, customerName: 'Zoe', ...part }) as Deal;
const blank = { key: 'k', deal: null };

describe('draft sync', () => {
  it('draft sync stores typed values before the request, and deletes them after the response', async () => {
    const { sync, calls, stored } = setUp();
    sync.type({ ...blank, edits: [name('Zoe')] }, '2026-11');
    await settle();
    expect(calls).toHaveLength(0);
    expect(stored.get('k')?.typed.customerName?.value).toBe('Zoe');
    sync.type({ ...blank, edits: [dealership] }, '2026-11');
    await settle();
    expect(stored.get('k')?.attempt?.idempotencyKey).toBe(calls[0]?.attempt.idempotencyKey);
    await calls[0]?.respond(deal({}));
    expect(stored.size).toBe(0);
    expect(sync.pending.get()).toEqual([]);
  });

  it.each([
    ['a new row', blank, [name('Zoe'), dealership]],
    ['a change', { key: 'd1', deal: deal({ vehicle: '' }) }, [vehicle('Kia')]],
  ] as const)(
    'draft sync sends %s only after it is stored with its idempotency key',
    async (_, row, edits) => {
      const writes: { drafts: readonly DealDraft[]; end: (outcome: Promise<void>) => void }[] = [];
      const { sync, calls } = setUp(undefined, undefined, {
        save(drafts) {
          const { promise, resolve } = Promise.withResolvers<void>();
          writes.push({ drafts, end: resolve });
          return promise;
        },
      });
      sync.type({ ...row, edits }, '2026-11');
      await settle();
      const last = writes.at(-1);
      expect(last?.drafts[0]?.attempt?.idempotencyKey).toBeDefined();
      expect(calls).toHaveLength(0);
      // Where storage fails, the request is sent all the same.
      last?.end(Promise.reject(new Error('No room')));
      await settle();
      expect(calls.map(({ attempt }) => attempt)).toEqual([last?.drafts[0]?.attempt]);
    },
  );

  it.each([
    ['a new row', [{ ...blank, edits: [name('Zoe'), dealership] }], 0],
    ['a change', [{ key: 'd1', deal: deal({ vehicle: '' }), edits: [vehicle('Kia')] }], 0],
    [
      'one of several new rows',
      ['k', 'other'].map((key) => ({ key, deal: null, edits: [name(key), dealership] })),
      1,
    ],
  ] as const)('draft sync does not send %s that is discarded while it is stored', async (_, rows, left) => {
    const stored = Promise.withResolvers<void>();
    const save = async (drafts: readonly DealDraft[]): Promise<void> => {
      if (drafts.some(({ attempt }) => attempt !== null)) await stored.promise;
    };
    const { sync, calls } = setUp(undefined, undefined, { save });
    await sync.typeAll(rows, '2026-11');
    sync.discard(rows[0]!.key);
    stored.resolve();
    await settle();
    expect(calls).toHaveLength(left);
    expect(sync.pending.get()).toHaveLength(left);
  });

  it.each([
    ['no response', errorWithoutResponse(false), true],
    ['429', new ApiError(429, 'Too many requests', 'TOO_MANY_REQUESTS'), true],
    ['500', new ApiError(500, 'Something went wrong', 'SERVER_ERROR'), false],
    ['503', new ApiError(503, 'The database is away', 'UNAVAILABLE'), true],
  ] as const)(
    'draft sync keeps a change after %s and sends the same request again',
    async (_, failure, isForAll) => {
      const { sync, calls, timers } = setUp();
      for (const key of ['d1', 'd2', 'd3', 'd4', 'd5'])
        sync.type({ key, deal: deal({ _id: key, vehicle: '' }), edits: [vehicle('Kia')] }, '2026-11');
      await settle();
      expect(calls).toHaveLength(4);
      await calls[0]?.respond(failure);
      expect(sync.draftOf('d1')).toMatchObject({
        typed: { vehicle: { value: 'Kia' } },
        problem: failure.message,
      });
      expect(sync.draftOf('d1')?.typed.vehicle?.hold).toBeUndefined();
      // Requests that would fail in the same way wait. If the failure may concern this row only, the next one is
      // sent.
      expect(calls).toHaveLength(isForAll ? 4 : 5);
      expect(timers).toHaveLength(1);
      await calls[1]?.respond(deal({ _id: 'd2', version: 2 }));
      timers[0]?.();
      await settle();
      expect(calls.slice(isForAll ? 4 : 5).map(({ attempt }) => attempt)).toContainEqual(calls[0]?.attempt);
    },
  );

  it('doubles the wait after each failure, and restarts at 1 s after a response', async () => {
    const { sync, calls, timers, waits } = setUp();
    sync.type({ ...blank, edits: [name('Zoe'), dealership] }, '2026-11');
    await settle();
    for (let round = 0; round < 7; round += 1) {
      await calls.at(-1)?.respond(errorWithoutResponse(true));
      timers.at(-1)?.();
      await settle();
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    await calls.at(-1)?.respond(deal({}));
    sync.type({ key: 'k', deal: deal({ vehicle: '' }), edits: [vehicle('Kia')] }, '2026-11');
    await settle();
    await calls.at(-1)?.respond(errorWithoutResponse(true));
    expect(waits.at(-1)).toBe(1000);
    timers.at(-1)?.();
    await settle();
    await calls.at(-1)?.respond(deal({ version: 2, vehicle: 'Kia' }));
    sync.type({ key: 'k', deal: deal({ vehicle: 'Kia' }), edits: [vehicle('Audi')] }, '2026-11');
    await settle();
    await calls.at(-1)?.respond(errorWithoutResponse(true));
    expect(waits.slice(-2)).toEqual([1000, 1000]);
  });

  it('keeps a text that cannot be parsed in its row, also after a save and after a reload', async () => {
    const { sync, calls, stored } = setUp();
    const refusal = { text: '12 apples', message: 'Please enter a valid number' };
    sync.type({ ...blank, edits: [{ field: 'saleAmount', refusal }] }, '2026-11');
    sync.type({ ...blank, edits: [name('Zoe'), dealership] }, '2026-11');
    await settle();
    expect(calls[0]?.attempt.fields).toEqual({ customerName: 'Zoe', dealershipId: 'dealer' });
    await calls[0]?.respond(deal({}));
    expect(sync.pending.get()).toMatchObject([{ dealId: 'd1', typed: {}, refused: { saleAmount: refusal } }]);

    const after = setUp(stored);
    expect([after.sync.isRestored.get(), after.sync.pending.get()]).toEqual([false, []]);
    await after.sync.restore();
    expect(after.sync.isRestored.get()).toBe(true);
    expect(after.sync.pending.get()).toMatchObject([{ key: 'd1', refused: { saleAmount: refusal } }]);
    const right = { field: 'saleAmount', before: null, after: 12 } as const;
    after.sync.type(
      { key: 'd1', deal: deal({}), edits: [{ field: 'saleAmount', refusal: null }, right] },
      '2026-11',
    );
    await settle();
    await after.calls[0]?.respond(deal({ version: 2, saleAmount: 12 }));
    expect(after.sync.pending.get()).toEqual([]);
    expect(after.stored.size).toBe(0);
  });

  it('does not write restored drafts again, and restores none if storage fails', async () => {
    const before = setUp();
    before.sync.type({ ...blank, edits: [name('Zoe')] }, '2026-11');
    await settle();
    const writes: unknown[] = [];
    const write = async (all: unknown): Promise<void> => void writes.push(all);
    // A failure of a request that did not contain the row, as an earlier release stored it.
    before.stored.set('k', { ...before.stored.get('k')!, problem: 'Network error' });
    const after = setUp(before.stored, alone, { save: write, delete: write });
    await after.sync.restore();
    expect(after.sync.pending.get()).toMatchObject([{ key: 'k', problem: null }]);
    expect(writes).toEqual([]);
    const failing = setUp(undefined, alone, { all: () => Promise.reject(new Error('No storage')) });
    await failing.sync.restore();
    expect([failing.sync.isRestored.get(), failing.sync.drafts()]).toEqual([true, []]);
  });

  describe('restores text from an editor of a closed page', () => {
    const left = {
      key: 'page',
      createKey: 'create',
      rowKey: 'k',
      dealId: null,
      month: '2026-11',
      field: 'vehicle',
      text: 'Maz',
      before: null,
    } as const;

    it('restored text in a new row is created once, although two pages restore it', async () => {
      const { sync, calls, stored } = setUp();
      await sync.offer(left);
      expect(stored.get('k')).toMatchObject({
        dealId: null,
        createKey: 'create',
        typed: {},
        refused: { vehicle: { text: 'Maz', before: null } },
      });
      expect(calls).toHaveLength(0);
      await sync.offer({ ...left, rowKey: 'k2' });
      expect(stored.get('k2')!.place).toBeGreaterThan(stored.get('k')!.place);
    });

    it('in its row, and checks for conflicts when it is saved', async () => {
      const { sync, calls } = setUp();
      await sync.offer({ ...left, dealId: 'd1', before: 'Kia' });
      const [draft] = sync.drafts();
      expect(draft).toMatchObject({ key: 'd1', dealId: 'd1' });
      const right = { field: 'vehicle', before: 'Kia', after: 'Mazda' } as const;
      sync.type(
        {
          key: 'd1',
          deal: deal({ version: 4, vehicle: 'Audi' }),
          edits: [{ field: 'vehicle', refusal: null }, right],
        },
        '2026-11',
      );
      await settle();
      expect(calls[0]?.attempt).toMatchObject({ version: 1, fields: { vehicle: 'Mazda' } });
    });
  });

  it('sends one request per row at a time, and later edits after its response', async () => {
    const { sync, calls } = setUp();
    sync.type({ ...blank, edits: [name('Zoe'), dealership] }, '2026-11');
    await settle();
    sync.type({ ...blank, edits: [vehicle('Kia')] }, '2026-11');
    sync.type({ ...blank, edits: [name('Zoe B')] }, '2026-11');
    await settle();
    expect(calls).toHaveLength(1);
    await calls[0]?.respond(deal({ version: 3 }));
    expect(calls[1]).toMatchObject({
      dealId: 'd1',
      attempt: { version: 3, fields: { vehicle: 'Kia', customerName: 'Zoe B' } },
    });
  });

  it('repeats a request without a response with the same key and fields after reconnecting', async () => {
    const { sync, calls, timers } = setUp();
    sync.type({ ...blank, edits: [name('Zoe'), dealership] }, '2026-11');
    await settle();
    await calls[0]?.respond(errorWithoutResponse(false));
    expect(sync.pending.get()[0]?.problem).toContain('Network error');
    sync.type({ ...blank, edits: [vehicle('Kia')] }, '2026-11');
    await settle();
    expect(timers).toHaveLength(1);
    sync.retryNow();
    expect(timers).toHaveLength(0);
    await settle();
    const last = calls.at(-1);
    expect(last?.attempt).toEqual(calls[0]?.attempt);
    await last?.respond(deal({}));
    expect(calls.at(-1)?.attempt.fields).toEqual({ vehicle: 'Kia' });
  });

  it('sends stored drafts after a reload, under the id that the row has by then', async () => {
    const before = setUp();
    before.sync.type({ ...blank, edits: [name('Zoe'), dealership] }, '2026-11');
    await settle();
    const after = setUp(before.stored);
    await after.sync.restore();
    await settle();
    expect(after.calls[0]?.attempt).toEqual(before.calls[0]?.attempt);
    const saved = setUp(new Map([['k', { ...before.stored.get('k')!, dealId: 'd1' }]]));
    await saved.sync.restore();
    expect([...saved.stored.keys()]).toEqual(['d1']);
  });

  it('sends many new rows in one request and in order, also after a reload, and later edits after them', async () => {
    const many = (keys: readonly string[]) =>
      keys.map((key) => ({ key, deal: null, edits: [name(key), dealership] }));
    const before = setUp();
    await before.sync.typeAll(many(['z', 'm', 'a', 'k']), '2026-11');
    before.sync.type({ key: 't', deal: null, edits: [name('typed'), dealership] }, '2026-11');
    await settle();
    expect(before.requests).toEqual([4, 1]);
    expect(before.stored.size).toBe(5);

    const stored = new Map([...before.stored].toSorted(([a], [b]) => a.localeCompare(b)));
    const after = setUp(stored);
    await after.sync.restore();
    await settle();
    expect(after.calls.map(({ attempt }) => attempt)).toEqual(before.calls.map(({ attempt }) => attempt));
    for (const [at, { respond }] of after.calls.entries()) await respond(deal({ _id: `d${at}` }));
    const sent = after.calls.map(({ attempt }) => attempt.fields.customerName);
    expect(sent).toEqual(['z', 'm', 'a', 'k', 'typed']);
    expect(after.stored.size).toBe(0);
  });

  it('keeps rows that the server refuses, with the reasons', async () => {
    const { sync, calls } = setUp();
    const row = (key: string) => ({ key, deal: null, edits: [name(key), dealership] });
    await sync.typeAll(['a', 'b'].map(row), '2026-11');
    await settle();
    const errors = { customerName: 'Too long' };
    await calls[0]?.respond(new ApiError(400, 'Invalid request', 'INVALID_REQUEST', { errors }));
    await calls[1]?.respond(deal({}));
    expect(sync.pending.get()).toMatchObject([
      { key: 'a', typed: { customerName: { hold: { kind: 'refused', message: 'Too long' } } } },
    ]);
  });

  it('states no failure for an incomplete row that is sent with no request', async () => {
    const { sync, calls } = setUp();
    const half = { key: 'half', deal: null, edits: [name('Half')] };
    await sync.typeAll([half, { key: 'a', deal: null, edits: [name('a'), dealership] }], '2026-11');
    await settle();
    await calls[0]?.respond(errorWithoutResponse(false));
    expect(sync.draftOf('a')?.problem).toContain('Network error');
    expect(sync.draftOf('half')?.problem).toBeNull();
    sync.retryNow();
    await settle();
    await calls[1]?.respond(deal({ _id: 'd7' }));
    expect(sync.pending.get()).toMatchObject([{ key: 'half', problem: null, attempt: null }]);
  });

  it('explains that a changed row does not exist any more', async () => {
    const { sync, calls } = setUp();
    sync.type({ key: 'd1', deal: deal({ vehicle: '' }), edits: [vehicle('Kia')] }, '2026-11');
    await settle();
    await calls[0]?.respond(new ApiError(404, 'Resource not found', 'NOT_FOUND'));
    expect(sync.draftOf('d1')?.typed.vehicle).toMatchObject({
      value: 'Kia',
      hold: { kind: 'refused', message: 'The row was deleted or is hidden from you now.' },
    });
  });

  it('sends the new rows of different months separately, since a closed month refuses all rows of a request', async () => {
    const { sync, calls, requests } = setUp();
    const row = (key: string) => ({ key, deal: null, edits: [name(key)] });
    await sync.typeAll(['a', 'b'].map(row), '2026-10');
    await sync.typeAll(['c'].map(row), '2026-11');
    const complete = (key: string) => ({ key, deal: null, edits: [dealership] });
    await sync.typeAll(['a', 'b', 'c'].map(complete), '2026-11');
    await settle();
    expect(requests).toEqual([2]);
    for (const at of [0, 1]) await calls[at]?.respond(deal({ _id: `d${at}` }));
    expect(requests).toEqual([2, 1]);
  });

  it('pauses queued rows until reconnected, and continues past a row with a server error', async () => {
    const { sync, calls, requests } = setUp();
    const row = (key: string) => ({ key, deal: null, edits: [name(key), dealership] });
    await sync.typeAll(['a', 'b', 'c'].map(row), '2026-11');
    await settle();
    await calls[0]?.respond(errorWithoutResponse(false));
    expect(requests).toEqual([3]);
    sync.retryNow();
    await settle();
    const failure = new ApiError(500, 'Something went wrong', 'SERVER_ERROR');
    for (let at = 3; at < 6; at += 1) await calls[at]?.respond(failure);
    await calls[6]?.respond(failure);
    await calls[7]?.respond(deal({ _id: 'd7' }));
    await calls[8]?.respond(deal({ _id: 'd8' }));
    expect(requests).toEqual([3, 3, 1, 1, 1]);
    expect(sync.pending.get()).toMatchObject([{ key: 'a', problem: 'Something went wrong' }]);
    // One that was discarded meanwhile is not sent again.
    await sync.typeAll(['x', 'y', 'z'].map(row), '2026-11');
    await settle();
    for (let at = 9; at < 12; at += 1) await calls[at]?.respond(failure);
    sync.discard('y');
    await calls[12]?.respond(deal({ _id: 'd12' }));
    expect(calls.slice(12).map(({ attempt }) => attempt.fields.customerName)).toEqual(['x', 'z']);
  });

  it('sends the other fields of a row at once after a conflict about one of them', async () => {
    const { sync, calls } = setUp();
    const edits = [{ ...name('Mine'), before: 'Zoe' }, vehicle('Kia')];
    sync.type({ key: 'd1', deal: deal({ vehicle: '' }), edits }, '2026-11');
    await settle();
    const conflicts = [{ field: 'customerName', byName: 'Ada', at: '2026-11-20T03:04:00.000Z' }];
    const current = deal({ version: 2, customerName: 'Theirs', vehicle: '' });
    await calls[0]?.respond(new ApiError(409, 'Conflict', 'CONFLICT', { conflicts, current }));
    expect(calls.map(({ attempt }) => Object.keys(attempt.fields))).toEqual([
      ['customerName', 'vehicle'],
      ['vehicle'],
    ]);
  });

  it('pauses a field in conflict until a decision, and then sends it on the version that was shown', async () => {
    const { sync, calls } = setUp();
    const mine = { field: 'customerName', before: 'Zoe', after: 'Mine' } as const;
    sync.type({ key: 'd1', deal: deal({ version: 2 }), edits: [mine] }, '2026-11');
    await settle();
    const current = deal({ version: 4, customerName: 'Theirs' });
    await calls[0]?.respond(new ApiError(409, 'Conflict', 'CONFLICT', { details: 'customerName', current }));
    sync.retryNow();
    await settle();
    expect(calls).toHaveLength(1);
    sync.keepMine('d1', 'customerName', current);
    await settle();
    expect(calls[1]?.attempt).toMatchObject({ version: 4, fields: { customerName: 'Mine' } });
  });

  it('keeps all drafts when the session has ended, and does not retry', async () => {
    const { sync, calls, timers, stored } = setUp();
    sync.type({ ...blank, edits: [name('Zoe'), dealership] }, '2026-11');
    await settle();
    sync.type({ key: 'd1', deal: deal({ vehicle: '' }), edits: [vehicle('Kia')] }, '2026-11');
    await settle();
    for (const { respond } of calls) await respond(new ApiError(401, 'Session expired', 'NOT_SIGNED_IN'));
    expect([timers.length, calls.length]).toEqual([0, 2]);
    expect(stored.get('k')?.typed.customerName?.value).toBe('Zoe');
    expect(stored.get('d1')?.typed.vehicle?.value).toBe('Kia');
  });
});

describe('a subscriber', () => {
  it('receives each draft change and each response with its origin, and nothing after unsubscribing', async () => {
    const { sync, calls } = setUp();
    const received: unknown[] = [];
    const stop = sync.subscribe({
      onDraft: (key, draft) =>
        received.push([key, draft === undefined ? 'settled' : Object.keys(draft.typed)]),
      onDeal: (key, { _id, version }, origin) => received.push([key, _id, version, origin]),
    });
    sync.type({ ...blank, edits: [name('Zoe'), dealership] }, '2026-11');
    await settle();
    received.length = 0;
    await calls[0]?.respond(deal({}));
    expect(received).toEqual([
      ['k', 'd1', 1, 'made'],
      ['k', 'settled'],
    ]);
    sync.type({ key: 'd2', deal: deal({ _id: 'd2', vehicle: '' }), edits: [vehicle('Kia')] }, '2026-11');
    await settle();
    await calls.at(-1)?.respond(deal({ _id: 'd2', version: 2, vehicle: 'Kia' }));
    expect(received).toContainEqual(['d2', ['vehicle']]);
    expect(received.slice(-2)).toEqual([
      ['d2', 'd2', 2, 'changed'],
      ['d2', 'settled'],
    ]);
    stop();
    const before = received.length;
    sync.type({ key: 'd3', deal: deal({ _id: 'd3' }), edits: [vehicle('Kia')] }, '2026-11');
    expect(received).toHaveLength(before);
  });

  it('lands on the row into which its row was merged, as a conflict to decide, and is then sent there', async () => {
    const { sync, calls, rowsToFind, stored } = setUp();
    const survivor = deal({ _id: 'd2', version: 7, vehicle: 'Van', updatedByName: 'Ada', notes: 'Same' });
    rowsToFind.set('d2', survivor);
    const notes = (after: string) => ({ field: 'notes', before: null, after }) as const;
    const typed = deal({ vehicle: '', notes: '' });
    sync.type({ key: 'd1', deal: typed, edits: [vehicle('Kia'), notes('Same')] }, '2026-11');
    await settle();
    await calls[0]?.respond(new ApiError(404, 'Gone', 'NOT_FOUND', { details: { mergedInto: 'd2' } }));
    expect(sync.draftOf('d1')).toBeUndefined();
    expect(sync.draftOf('d2')).toMatchObject({
      dealId: 'd2',
      typed: { vehicle: { value: 'Kia', hold: { kind: 'conflict', by: 'Ada' } } },
    });
    expect(sync.draftOf('d2')?.typed.notes).toBeUndefined();
    expect([...stored.keys()]).toEqual(['d2']);
    sync.keepMine('d2', 'vehicle', survivor);
    await settle();
    expect(calls[1]).toMatchObject({ dealId: 'd2', attempt: { version: 7, fields: { vehicle: 'Kia' } } });
  });

  it('keeps a text of a merged row in it if the same field was typed in the survivor, too', async () => {
    const { sync, calls, rowsToFind } = setUp();
    rowsToFind.set('d2', deal({ _id: 'd2', version: 7, vehicle: 'Van', updatedByName: 'Ada' }));
    sync.type({ key: 'd1', deal: deal({ vehicle: '' }), edits: [vehicle('Kia')] }, '2026-11');
    sync.type({ key: 'd2', deal: deal({ _id: 'd2', vehicle: '' }), edits: [vehicle('Ute')] }, '2026-11');
    await settle();
    const ofMerged = calls.find(({ dealId }) => dealId === 'd1');
    await ofMerged?.respond(new ApiError(404, 'Gone', 'NOT_FOUND', { details: { mergedInto: 'd2' } }));
    expect(sync.draftOf('d1')?.typed.vehicle).toMatchObject({ value: 'Kia', hold: { kind: 'refused' } });
    expect(sync.draftOf('d2')?.typed.vehicle?.value).toBe('Ute');
  });

  it('receives the current row after a conflict', async () => {
    const { sync, calls } = setUp();
    const received: unknown[] = [];
    sync.subscribe({
      onDraft: () => undefined,
      onDeal: (_, { version }, origin) => received.push([version, origin]),
    });
    sync.type({ key: 'd1', deal: deal({ vehicle: '' }), edits: [vehicle('Kia')] }, '2026-11');
    await settle();
    const current = deal({ version: 5, vehicle: 'Audi' });
    await calls[0]?.respond(new ApiError(409, 'Conflict', 'CONFLICT', { details: 'vehicle', current }));
    expect(received).toEqual([[5, 'others']]);
  });
});

describe('a change of a saved row', () => {
  const type = (sync: ReturnType<typeof setUp>['sync'], after: string, version = 1) =>
    sync.type({ key: 'd1', deal: deal({ version, vehicle: '' }), edits: [vehicle(after)] }, '2026-11');

  it('has a new idempotency key each time, also while a refused text keeps its draft', async () => {
    const { sync, calls } = setUp();
    const refusal = { text: '12 apples', message: 'Please enter a valid number' };
    sync.type({ key: 'd1', deal: deal({}), edits: [{ field: 'saleAmount', refusal }] }, '2026-11');
    type(sync, 'Kia');
    await settle();
    await calls[0]?.respond(deal({ version: 2, vehicle: 'Kia' }));
    type(sync, 'Audi', 2);
    await settle();
    const keys = calls.map(({ attempt }) => attempt.idempotencyKey);
    expect([keys.length, new Set(keys).size]).toEqual([2, 2]);
  });

  it('is kept with the reason of its refusal, sent again on request, and deleted when discarded', async () => {
    const { sync, calls, stored } = setUp();
    type(sync, 'Kia');
    await settle();
    const errors = { vehicle: 'Too long' };
    await calls[0]?.respond(new ApiError(400, 'Invalid request', 'INVALID_REQUEST', { errors }));
    sync.retryNow();
    await settle();
    expect(calls).toHaveLength(1);
    sync.tryAgain('d1');
    await settle();
    expect(calls).toHaveLength(2);
    await calls[1]?.respond(new ApiError(400, 'Invalid request', 'INVALID_REQUEST', { errors }));
    sync.discardField('d1', 'vehicle');
    await settle();
    expect(sync.pending.get()).toEqual([]);
    expect(stored.size).toBe(0);
    expect(calls).toHaveLength(2);
    sync.discardField('unknown', 'vehicle');
    const changed: unknown[] = [];
    sync.subscribe({ onDraft: (...draft) => changed.push(draft), onDeal: () => undefined });
    sync.discard('unknown');
    expect([sync.drafts(), changed]).toEqual([[], []]);
  });

  it.each([
    ['a response', deal({ version: 2, vehicle: 'Kia' })],
    ['a refusal', new ApiError(400, 'Invalid request', 'INVALID_REQUEST')],
    ['no response', errorWithoutResponse(false)],
  ])(
    'a change of a saved row that is discarded while its request is in flight stays discarded after %s',
    async (_, result) => {
      const { sync, calls, stored } = setUp();
      const refusal = { text: '12 apples', message: 'Please enter a valid number' };
      sync.type({ key: 'd1', deal: deal({}), edits: [{ field: 'saleAmount', refusal }] }, '2026-11');
      type(sync, 'Kia');
      await settle();
      sync.discard('d1');
      await calls[0]?.respond(result);
      expect([sync.drafts(), sync.pending.get(), [...stored]]).toEqual([[], [], []]);
      type(sync, 'Audi');
      await settle();
      expect(calls).toHaveLength(2);
    },
  );

  it('a change of a saved row is saved together with what an earlier page stored, even if it is typed before that is read', async () => {
    const before = setUp();
    type(before.sync, 'Kia');
    const refusal = { text: '12 apples', message: 'Please enter a valid number' };
    before.sync.type({ key: 'd1', deal: deal({}), edits: [{ field: 'saleAmount', refusal }] }, '2026-11');
    await settle();
    const { promise, resolve } = Promise.withResolvers<DealDraft[]>();
    const { sync, calls, stored } = setUp(undefined, undefined, { all: () => promise });
    const restoring = sync.restore();
    sync.type({ key: 'd1', deal: deal({}), edits: [{ ...name('Ann'), before: 'Zoe' }] }, '2026-11');
    await settle();
    resolve([...before.stored.values()]);
    await restoring;
    expect(stored.get('d1')?.typed).toMatchObject({
      vehicle: { value: 'Kia' },
      customerName: { value: 'Ann' },
    });
    await calls[0]?.respond(deal({ version: 2, customerName: 'Ann' }));
    expect(calls.map(({ attempt }) => attempt.fields)).toEqual([{ customerName: 'Ann' }, { vehicle: 'Kia' }]);
    await calls[1]?.respond(deal({ version: 3, customerName: 'Ann', vehicle: 'Kia' }));
    expect(sync.draftOf('d1')).toMatchObject({ typed: {}, refused: { saleAmount: refusal } });
  });

  it('a change of a saved row that is discarded while it waits delays no other', async () => {
    const { sync, calls } = setUp();
    const row = (key: string) => ({ key, deal: deal({ _id: key, vehicle: '' }), edits: [vehicle('Kia')] });
    const ids = ['d1', 'd2', 'd3', 'd4', 'd5', 'd6'];
    await sync.typeAll(ids.map(row), '2026-11');
    await settle();
    // Changes are sent side by side, unlike new rows.
    expect(calls).toHaveLength(4);
    sync.discard('d5');
    await calls[0]?.respond(deal({ _id: 'd1', version: 2, vehicle: 'Kia' }));
    expect(calls.map(({ dealId }) => dealId)).toEqual(['d1', 'd2', 'd3', 'd4', 'd6']);
  });

  it('a change of a saved row is settled once its request has ended', async () => {
    const { sync, calls } = setUp();
    type(sync, 'Kia');
    let isSettled = false;
    void sync.whenSettled('d1').then(() => (isSettled = true));
    await settle();
    expect(isSettled).toBe(false);
    await calls[0]?.respond(deal({ version: 2, vehicle: 'Kia' }));
    expect(isSettled).toBe(true);
  });

  it('a change of a saved row is not sent after the draft sync was stopped, and stays stored', async () => {
    const { sync, calls, stored, timers } = setUp();
    sync.stop();
    type(sync, 'Kia');
    await settle();
    expect(calls).toHaveLength(0);
    expect(stored.get('d1')?.typed.vehicle?.value).toBe('Kia');
    expect(timers).toHaveLength(0);
  });

  it.each([
    ['a change', { key: 'd1', deal: deal({ vehicle: '' }), edits: [vehicle('Kia')] }],
    ['a new row', { ...blank, edits: [name('Zoe'), dealership] }],
  ])(
    'a change of a saved row is not sent if the draft sync stops while its request is being stored: %s',
    async (_, row) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const { sync, calls } = setUp(undefined, undefined, { save: () => promise });
      sync.type(row, '2026-11');
      await settle();
      sync.stop();
      resolve();
      await settle();
      expect(calls).toEqual([]);
    },
  );

  it('a change of a saved row is not retried after a stop, which also ends the messages of other tabs', async () => {
    const tab = createTabs();
    const [own, other] = [setUp(undefined, tab()), setUp(undefined, tab())];
    type(own.sync, 'Kia');
    await settle();
    await own.calls[0]?.respond(errorWithoutResponse(false));
    expect(own.timers).toHaveLength(1);
    own.sync.stop();
    expect(own.timers).toEqual([]);
    other.sync.type({ ...blank, edits: [name('Zoe')] }, '2026-11');
    expect(own.sync.draftOf('k')).toBeUndefined();
  });

  it('a change of a saved row is not retried if it failed while the draft sync was stopped', async () => {
    const { sync, calls, timers } = setUp();
    type(sync, 'Kia');
    await settle();
    sync.stop();
    await calls[0]?.respond(errorWithoutResponse(false));
    expect(timers).toHaveLength(0);
    expect(sync.draftOf('d1')?.typed.vehicle?.value).toBe('Kia');
  });
});

it('throttles notifications of more than 100 drafts, and delivers all of them in the end', async () => {
  const { sync, timers } = setUp();
  let notified = 0;
  sync.pending.subscribe(() => (notified += 1));
  const row = (key: string) => ({ key, deal: null, edits: [name(key)] });
  const keys = Array.from({ length: 101 }, (_, index) => `k${index}`);
  for (const key of keys) sync.type(row(key), '2026-11');
  await settle();
  expect(sync.pending.get()).toHaveLength(100);
  expect([notified, timers.length]).toEqual([100, 1]);
  timers[0]?.();
  expect(sync.pending.get()).toHaveLength(101);
  sync.type(row('k101'), '2026-11');
  expect(timers).toHaveLength(2);
});

describe('two tabs', () => {
  function setUpTwo() {
    const tab = createTabs();
    const stored = new Map<string, DealDraft>();
    return [setUp(stored, tab()), setUp(stored, tab())] as const;
  }

  it('two tabs show the same unsaved row, and are notified when it is saved', async () => {
    const [one, two] = setUpTwo();
    const saved: unknown[] = [];
    two.sync.subscribe({
      onDraft: () => undefined,
      onDeal: () => undefined,
      onDealFromTab: (key, { _id }) => saved.push([key, _id]),
    });
    one.sync.type({ ...blank, edits: [name('Zoe')] }, '2026-11');
    expect(two.sync.draftOf('k')?.typed.customerName?.value).toBe('Zoe');
    two.sync.type({ ...blank, edits: [dealership] }, '2026-11');
    await settle();
    await two.calls[0]?.respond(deal({}));
    expect(one.sync.pending.get()).toEqual([]);
    expect(two.sync.pending.get()).toEqual([]);
    expect(one.calls).toHaveLength(0);
    expect(one.stored.size).toBe(0);

    one.sync.type({ ...blank, key: 'other', edits: [name('Zoe'), dealership] }, '2026-11');
    await settle();
    await one.calls[0]?.respond(deal({ _id: 'd2' }));
    expect(saved).toEqual([['other', 'd2']]);
  });

  describe('of which one is still reading its storage', () => {
    /** Tab two reads drafts that were stored before tab one changed them. */
    async function setUpLate() {
      const tab = createTabs();
      const one = setUp(undefined, tab());
      one.sync.type({ ...blank, edits: [name('Old')] }, '2026-11');
      await settle();
      const found = [...one.stored.values()];
      const { promise, resolve } = Promise.withResolvers<DealDraft[]>();
      const two = setUp(undefined, tab(), { all: () => promise });
      const restoring = two.sync.restore();
      return { one, two, read: () => (resolve(found), restoring) };
    }

    it('two tabs of which one is still reading its storage keep the newer text of the other tab', async () => {
      const { one, two, read } = await setUpLate();
      one.sync.type({ ...blank, edits: [name('New')] }, '2026-11');
      await read();
      expect(two.sync.draftOf('k')?.typed.customerName?.value).toBe('New');
    });

    it('two tabs of which one is still reading its storage do not restore what the other tab has discarded', async () => {
      const { one, two, read } = await setUpLate();
      one.sync.discard('k');
      await read();
      expect(two.sync.pending.get()).toEqual([]);
    });

    it('two tabs of which one is still reading its storage keep text that was typed during the restore', async () => {
      const { two, read } = await setUpLate();
      two.sync.type({ ...blank, edits: [name('Mine')] }, '2026-11');
      await read();
      expect(two.sync.draftOf('k')?.typed.customerName?.value).toBe('Mine');
    });
  });

  it('two tabs create one row under one key if both complete it without a message in between', async () => {
    const stored = new Map<string, DealDraft>();
    const one = setUp(stored);
    one.sync.type({ ...blank, edits: [name('Zoe')] }, '2026-11');
    await settle();
    const two = setUp(new Map(stored));
    await two.sync.restore();
    for (const { sync } of [one, two]) sync.type({ ...blank, edits: [dealership] }, '2026-11');
    await settle();
    const keys = [one, two].map(({ calls }) => calls[0]?.attempt.idempotencyKey);
    expect(keys).toEqual([stored.get('k')?.createKey, stored.get('k')?.createKey]);
  });

  it('two tabs leave the storage of a draft to the tab with the newer text', async () => {
    const tab = createTabs();
    const one = setUp(undefined, tab());
    const [released, deleted]: string[][] = [[], []];
    setUp(undefined, tab(), {
      release: (ids) => released!.push(...ids),
      delete: async (ids) => void deleted!.push(...ids),
    });
    one.sync.type({ ...blank, edits: [name('Zoe')] }, '2026-11');
    expect([released, deleted]).toEqual([['k'], []]);
    one.sync.discard('k');
    expect([released, deleted]).toEqual([['k'], ['k']]);
  });

  it('two tabs create another row when an undone row is typed again', async () => {
    const { sync, calls } = setUp();
    sync.type({ ...blank, edits: [name('Zoe'), dealership] }, '2026-11');
    await settle();
    await calls[0]?.respond(deal({}));
    sync.type({ ...blank, edits: [name('Zoe'), dealership] }, '2026-11');
    await settle();
    expect(calls[1]?.attempt.idempotencyKey).not.toBe(calls[0]?.attempt.idempotencyKey);
  });

  it('two tabs use the key that each of them has for a row', async () => {
    const [one, two] = setUpTwo();
    two.sync.subscribe({ onDraft: () => undefined, onDeal: () => undefined });
    one.sync.type({ ...blank, edits: [name('Zoe'), dealership] }, '2026-11');
    await settle();
    await one.calls[0]?.respond(deal({}));
    const late = { ...deal({}), vehicle: '' } as Deal;
    one.sync.type({ key: 'k', deal: late, edits: [vehicle('Audi')] }, '2026-11');
    expect(two.sync.draftOf('k')?.typed.vehicle?.value).toBe('Audi');
    two.sync.type({ key: 'd1', deal: late, edits: [vehicle('Kia')] }, '2026-11');
    expect(one.sync.draftOf('k')?.typed.vehicle?.value).toBe('Kia');
  });

  it('two tabs send drafts of a closed tab', async () => {
    const [one, two] = setUpTwo();
    one.sync.type({ ...blank, edits: [name('Zoe'), dealership] }, '2026-11');
    one.sync.stop();
    await settle();
    expect(two.calls).toHaveLength(0);
    two.timers[0]?.();
    await settle();
    expect(two.calls[0]?.attempt.fields).toMatchObject({ customerName: 'Zoe' });
  });

  it('two tabs are not in conflict with each other after sending the same change', async () => {
    const { sync, calls } = setUp();
    sync.type({ key: 'd1', deal: deal({ vehicle: '' }), edits: [vehicle('Kia')] }, '2026-11');
    await settle();
    const current = deal({ version: 2, vehicle: 'Kia' });
    await calls[0]?.respond(new ApiError(409, 'Conflict', 'CONFLICT', { details: 'vehicle', current }));
    expect(sync.pending.get()).toEqual([]);
  });
});

it('writes to storage only what has changed there', async () => {
  const writes: unknown[] = [];
  const { sync } = setUp(undefined, undefined, {
    save: async (drafts) => void writes.push(['save', drafts.map(({ key }) => key)]),
    delete: async (ids) => void writes.push(['delete', ids]),
  });
  const row = (key: string, after: string) => ({
    key,
    deal: deal({ _id: key, vehicle: 'Kia' }),
    edits: [vehicle(after)],
  });
  await sync.typeAll([row('d1', 'Kia'), row('d2', 'Audi')], '2026-11');
  expect(writes.splice(0, 2)).toEqual([
    ['save', ['d2']],
    ['delete', ['d1']],
  ]);
  await settle();
  expect(writes.splice(0)).toEqual([['save', ['d2']]]);
  sync.discard('d2');
  expect(writes).toEqual([['delete', ['d2']]]);
});

describe('a failed request', () => {
  const failure = (status: number) =>
    status === 0 ? errorWithoutResponse(false) : new ApiError(status, 'Failed', 'SERVER_ERROR');
  const typeRows = ({ sync }: ReturnType<typeof setUp>, count: number) => {
    for (let at = 1; at <= count; at += 1) {
      const row = deal({ _id: `d${at}`, vehicle: '' });
      sync.type({ key: row._id, deal: row, edits: [vehicle('Kia')] }, '2026-11');
    }
    return settle();
  };

  it.each([
    [0, 4],
    [429, 4],
    [500, 5],
    [502, 4],
    [504, 4],
    [505, 5],
    ['of a fault here', 4],
  ] as const)(
    'a failed request with status %s leaves %i of five rows sent: others wait only if the server is unavailable',
    async (status, sent) => {
      const tab = setUp();
      await typeRows(tab, 5);
      expect(tab.calls).toHaveLength(4);
      await tab.calls[0]?.respond(typeof status === 'number' ? failure(status) : new TypeError('a fault'));
      expect(tab.calls).toHaveLength(sent);
    },
  );

  it.each([
    ['500: each row alone', failure(500), [2, 1]],
    ['503: all again later', failure(503), [2]],
    ['401: all again after signing in', failure(401), [2]],
    ['an exception: all again later', new Error('broken'), [2]],
  ])(
    'a failed request for two new rows is repeated depending on its cause: %s',
    async (_, error, expected) => {
      const { sync, calls, requests } = setUp();
      const rows = ['k1', 'k2'].map((key) => ({ key, deal: null, edits: [name(key), dealership] }));
      await sync.typeAll(rows, '2026-11');
      await settle();
      await calls[0]?.respond(error);
      expect(requests).toEqual(expected);
    },
  );

  it('a failed request with 401 marks no field, and is repeated after the next sign-in', async () => {
    const { sync, calls } = setUp();
    sync.type({ ...blank, edits: [name('Zoe'), dealership] }, '2026-11');
    await settle();
    await calls[0]?.respond(failure(401));
    expect(sync.draftOf('k')?.typed.customerName).toEqual({ value: 'Zoe', version: 0 });
    sync.retryNow();
    await settle();
    expect(calls[1]?.attempt).toEqual(calls[0]?.attempt);
  });
});

describe('timers', () => {
  it('notify about more than 100 drafts at most once in 200 ms', async () => {
    const { sync, timers, waits } = setUp();
    const row = (at: number) => ({ key: `k${at}`, deal: null, edits: [name(`Name ${at}`)] });
    await sync.typeAll(
      Array.from({ length: 101 }, (_, at) => row(at)),
      '2026-11',
    );
    sync.type(row(101), '2026-11');
    expect(waits).toEqual([200]);
    timers.pop()?.();
    expect(sync.pending.get()).toHaveLength(102);
    sync.type(row(102), '2026-11');
    expect(waits).toEqual([200, 200]);
  });

  it('timers send drafts of other tabs at most once in 30 s, and not after a stop', async () => {
    const together = createTabs();
    const [own, other] = [setUp(new Map(), together()), setUp(new Map(), together())];
    const edits = [name('Zoe'), dealership];
    own.sync.type({ ...blank, edits: [name('Zoe')] }, '2026-11');
    own.sync.type({ key: 'k2', deal: null, edits: [name('Ann')] }, '2026-11');
    expect(other.waits).toEqual([30_000]);
    other.timers.pop()?.();
    own.sync.type({ ...blank, edits }, '2026-11');
    expect(other.waits).toEqual([30_000, 30_000]);
    own.sync.discard('k');
    own.sync.discard('k2');
    other.timers.pop()?.();
    own.sync.discard('k2');
    own.sync.type({ key: 'd1', deal: deal({ vehicle: 'Kia' }), edits: [vehicle('Kia')] }, '2026-11');
    expect(other.waits).toEqual([30_000, 30_000]);
    own.sync.type({ ...blank, edits }, '2026-11');
    other.sync.stop();
    other.timers.pop()?.();
    await settle();
    expect(other.calls).toEqual([]);
  });
});
