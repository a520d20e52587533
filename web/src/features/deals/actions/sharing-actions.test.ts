import type { Deal } from '@forecourt/contract/deals';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../platform/api-error.ts';
import { createLocalVersions } from '../store/local-versions.ts';
import { createUndoStack } from '../store/undo-stack.ts';
import { createDealShares } from './sharing-actions.ts';

type Share = Deal['sharedWith'][number];
const view = (userId: string) => ({ userId, permissions: 'view' }) as Share;
const write = (userId: string) => ({ userId, permissions: 'write' }) as Share;

const isSame = ({ sharedWith }: Deal, given: readonly object[]): boolean =>
  JSON.stringify(sharedWith) === JSON.stringify(given);

/** A server in a map with the rules of the two calls, and a screen that records its rows. */
function setUp(...rows: Partial<Deal>[]) {
  const stored = new Map<string, Deal>();
  for (const row of rows) stored.set(row._id!, { version: 1, sharedWith: [], ...row } as unknown as Deal);
  const shown = new Map(stored);
  const localVersions = createLocalVersions();
  const requested: object[] = [];
  const line = { failure: null as Error | null };
  const put = (id: string, values: Partial<Deal>): Deal => {
    const row = stored.get(id)!;
    stored.set(id, { ...row, ...values, version: row.version + 1 });
    return stored.get(id)!;
  };
  const history = createUndoStack({
    view: () => 'november',
    later: () => () => {},

    page: new EventTarget(),
  });
  const table = { refresh: (deals: readonly Deal[]) => deals.forEach((deal) => shown.set(deal._id, deal)) };
  const shares = createDealShares({
    table,
    history,
    localVersions,
    applyRows(deals, origin = 'changed') {
      deals.forEach((deal) => localVersions.record(deal, origin));
      table.refresh(deals);
      return deals;
    },
    latest: (deal) => shown.get(deal._id) ?? deal,
    calls: {
      async shareOne(id, { sharedWith, version }) {
        if (line.failure) throw line.failure;
        const row = stored.get(id)!;
        if (version !== row.version) throw new ApiError(409, 'Changed', 'CONFLICT', { current: row });
        return isSame(row, sharedWith) ? row : put(id, { sharedWith: sharedWith as Share[] });
      },
      async share({ ids, sharedWith, unshare = [], versions }) {
        if (line.failure) throw line.failure;
        requested.push({ ids, sharedWith, unshare });
        const there = ids.filter((id) => versions === undefined || stored.get(id)!.version === versions[id]);
        const items = there.map((id) => {
          const named = new Set([...unshare, ...sharedWith.map(({ userId }) => userId)]);
          const rest = stored.get(id)!.sharedWith.filter(({ userId }) => !named.has(userId));
          return put(id, { sharedWith: [...rest, ...(sharedWith as Share[])] });
        });
        return { items, total: items.length };
      },
    },
  });
  const all = () => [...stored.values()];
  const sharedWith = () =>
    all().map((deal) => deal.sharedWith.map(({ userId, permissions }) => `${userId} ${permissions}`).sort());
  return { ...shares, history, stored, all, sharedWith, put, requested, line };
}

describe('sharing several rows', () => {
  it('sharing several rows is one step: undo removes added users, restores changed levels and leaves other shares', async () => {
    const { share, history, all, sharedWith, requested } = setUp(
      { _id: 'a' },
      { _id: 'b', sharedWith: [view('kim'), view('lee')] },
      { _id: 'c' },
    );
    await share(all(), [write('kim')], undefined);
    const after = [['kim write'], ['kim write', 'lee view'], ['kim write']];
    expect(sharedWith()).toEqual(after);
    expect(await history.undo()).toEqual({ message: 'Undone: 3 rows', isComplete: true });
    expect(sharedWith()).toEqual([[], ['kim view', 'lee view'], []]);
    // Rows with the same difference are sent together.
    expect(requested.slice(1)).toEqual([
      { ids: ['a', 'c'], sharedWith: [], unshare: ['kim'] },
      { ids: ['b'], sharedWith: [view('kim')], unshare: [] },
    ]);
    expect(await history.redo()).toEqual({ message: 'Redone: 3 rows', isComplete: true });
    expect(sharedWith()).toEqual(after);
    expect((await history.undo()).isComplete).toBe(true);
  });

  it('sharing several rows leaves rows unchanged that another user has changed since, and reports them', async () => {
    const { share, history, all, sharedWith, put } = setUp({ _id: 'a' }, { _id: 'b' });
    await share(all(), [view('kim')], undefined);
    put('b', { notes: 'Ada' });
    const { message, isComplete } = await history.undo();
    expect([isComplete, message]).toEqual([false, expect.stringContaining('1 row left as they are')]);
    expect(sharedWith()).toEqual([[], ['kim view']]);
    expect((await history.redo()).message).toBe('Redone: 1 row');
  });

  it('sharing several rows leaves rows unchanged that another user changed before the response: their former shares are unknown', async () => {
    const { share, history, all, sharedWith, put } = setUp({ _id: 'a' }, { _id: 'b' });
    const seen = all();
    put('b', { sharedWith: [view('kim')] });
    await share(seen, [view('kim'), view('lee')], undefined);
    expect((await history.undo()).message).toContain('1 row left as they are');
    expect(sharedWith()).toEqual([[], ['kim view', 'lee view']]);
  });

  it("sharing several rows reports the server's refusal when a user with a former share is no longer active", async () => {
    const { share, history, all, sharedWith, line } = setUp({ _id: 'a', sharedWith: [view('kim')] });
    await share(all(), [], 1);
    const errors = { 'sharedWith.0.userId': 'Kim is no longer active.' };
    line.failure = new ApiError(400, 'Invalid request', 'INVALID_REQUEST', { errors });
    expect(await history.undo()).toEqual({
      message: 'That could not be done: Kim is no longer active.',
      isComplete: false,
    });
    expect(sharedWith()).toEqual([[]]);
  });

  it('records no step if all users have the share already', async () => {
    const { share, history, all } = setUp({ _id: 'a', sharedWith: [view('kim')] });
    await share(all(), [view('kim')], 1);
    expect((await history.undo()).message).toBe('Nothing to undo');
  });
});

it('sharing several rows is undone in the rows that it changed only', async () => {
  const { share, history, all, sharedWith } = setUp({ _id: 'a' }, { _id: 'b', sharedWith: [view('kim')] });
  await share(all(), [view('kim')], undefined);
  expect(await history.undo()).toEqual({ message: 'Undone: 1 row', isComplete: true });
  expect(sharedWith()).toEqual([[], ['kim view']]);
});

describe('sharing one row', () => {
  it('sharing one row throws a refusal, of which only a conflict has the current row', async () => {
    const { share, all, line } = setUp({ _id: 'a' });
    line.failure = new ApiError(403, 'You may not share it', 'INSUFFICIENT_PERMISSIONS');
    await expect(share(all(), [view('kim')], 1)).rejects.toThrow('You may not share it');
  });

  it('sharing one row restores its former list, and the new one on redo', async () => {
    const { share, history, all, sharedWith } = setUp({ _id: 'a', sharedWith: [view('kim'), view('lee')] });
    await share(all(), [write('lee'), view('mia')], 1);
    expect((await history.undo()).isComplete).toBe(true);
    expect(sharedWith()).toEqual([['kim view', 'lee view']]);
    await history.redo();
    expect(sharedWith()).toEqual([['lee write', 'mia view']]);
  });

  it("sharing one row restores another user's change of the list made while the dialog was open", async () => {
    const { share, history, all, sharedWith, put } = setUp({ _id: 'a' });
    const seen = all();
    put('a', { sharedWith: [view('lee')] });
    await expect(share(seen, [view('kim')], 1)).rejects.toThrow('Changed');
    await share(seen, [view('lee'), view('kim')], 2);
    expect((await history.undo()).isComplete).toBe(true);
    expect(sharedWith()).toEqual([['lee view']]);
  });
});
