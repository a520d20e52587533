import type { Deal } from '@forecourt/contract/deals';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../platform/api-error.ts';
import { createRowSteps } from './deal-row-steps.ts';
import { createDealShares } from './deal-shares.ts';
import { createDealUndo } from './deal-undo.ts';

type Share = Deal['sharedWith'][number];
const view = (userId: string) => ({ userId, permissions: 'view' }) as Share;
const write = (userId: string) => ({ userId, permissions: 'write' }) as Share;

const isSame = ({ sharedWith }: Deal, given: readonly object[]): boolean =>
  JSON.stringify(sharedWith) === JSON.stringify(given);

/** A server in a map that keeps the rules of the two calls, and a screen that has what it was told. */
function setUp(...rows: Partial<Deal>[]) {
  const stored = new Map<string, Deal>();
  for (const row of rows) stored.set(row._id!, { version: 1, sharedWith: [], ...row } as unknown as Deal);
  const shown = new Map(stored);
  const own = new Map<string, number>();
  const asked: object[] = [];
  const line = { failure: null as Error | null };
  const put = (id: string, values: Partial<Deal>): Deal => {
    const row = stored.get(id)!;
    stored.set(id, { ...row, ...values, version: row.version + 1 });
    return stored.get(id)!;
  };
  const history = createDealUndo(() => 'november');
  const table = { refresh: (deals: readonly Deal[]) => deals.forEach((deal) => shown.set(deal._id, deal)) };
  const steps = createRowSteps({
    table,
    history,
    ownVersion: (id) => own.get(id),
    own: (deals) => deals.forEach(({ _id, version }) => own.set(_id, version)),
  });
  const shares = createDealShares({
    table,
    steps,
    latest: (deal) => shown.get(deal._id) ?? deal,
    calls: {
      async shareOne(id, { sharedWith, version }) {
        const row = stored.get(id)!;
        if (version !== row.version) throw new ApiError(409, 'Changed', 'CONFLICT', { current: row });
        return isSame(row, sharedWith) ? row : put(id, { sharedWith: sharedWith as Share[] });
      },
      async share({ ids, sharedWith, unshare = [], versions }) {
        if (line.failure) throw line.failure;
        asked.push({ ids, sharedWith, unshare });
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
  return { ...shares, history, stored, all, sharedWith, put, asked, line };
}

describe('rows that are shared', () => {
  it('are one step: who was added goes, whose level changed has the former one, and who was there stays', async () => {
    const { share, history, all, sharedWith, asked } = setUp(
      { _id: 'a' },
      { _id: 'b', sharedWith: [view('kim'), view('lee')] },
      { _id: 'c' },
    );
    await share(all(), [write('kim')], undefined);
    const after = [['kim write'], ['kim write', 'lee view'], ['kim write']];
    expect(sharedWith()).toEqual(after);
    expect(await history.undo()).toEqual({ words: 'Undone: 3 rows', isWhole: true });
    expect(sharedWith()).toEqual([[], ['kim view', 'lee view'], []]);
    // Rows with the same difference go together.
    expect(asked.slice(1)).toEqual([
      { ids: ['a', 'c'], sharedWith: [], unshare: ['kim'] },
      { ids: ['b'], sharedWith: [view('kim')], unshare: [] },
    ]);
    expect(await history.redo()).toEqual({ words: 'Done again: 3 rows', isWhole: true });
    expect(sharedWith()).toEqual(after);
    expect((await history.undo()).isWhole).toBe(true);
  });

  it('are left alone where somebody else has changed them since, and it is said', async () => {
    const { share, history, all, sharedWith, put } = setUp({ _id: 'a' }, { _id: 'b' });
    await share(all(), [view('kim')], undefined);
    put('b', { notes: 'Ada' });
    const { words, isWhole } = await history.undo();
    expect([isWhole, words]).toEqual([false, expect.stringContaining('1 row left as they are')]);
    expect(sharedWith()).toEqual([[], ['kim view']]);
    expect((await history.redo()).words).toBe('Done again: 1 row');
  });

  it('are left alone where somebody was there before the answer: how they were shared is not known here', async () => {
    const { share, history, all, sharedWith, put } = setUp({ _id: 'a' }, { _id: 'b' });
    const seen = all();
    put('b', { sharedWith: [view('kim')] });
    await share(seen, [view('kim'), view('lee')], undefined);
    expect((await history.undo()).words).toContain('1 row left as they are');
    expect(sharedWith()).toEqual([[], ['kim view', 'lee view']]);
  });

  it('stay as they are where somebody who had a share has left since, and the server says so', async () => {
    const { share, history, all, sharedWith, line } = setUp({ _id: 'a', sharedWith: [view('kim')] });
    await share(all(), [], 1);
    const errors = { 'sharedWith.0.userId': 'Kim is not active any more.' };
    line.failure = new ApiError(400, 'Invalid request', 'INVALID_REQUEST', { errors });
    expect(await history.undo()).toEqual({
      words: 'That could not be done: Kim is not active any more.',
      isWhole: false,
    });
    expect(sharedWith()).toEqual([[]]);
  });

  it('are no step where everybody has the share already', async () => {
    const { share, history, all } = setUp({ _id: 'a', sharedWith: [view('kim')] });
    await share(all(), [view('kim')], 1);
    expect((await history.undo()).words).toBe('Nothing to undo');
  });
});

describe('one row that is shared', () => {
  it('gets its list back, and the new one again', async () => {
    const { share, history, all, sharedWith } = setUp({ _id: 'a', sharedWith: [view('kim'), view('lee')] });
    await share(all(), [write('lee'), view('mia')], 1);
    expect((await history.undo()).isWhole).toBe(true);
    expect(sharedWith()).toEqual([['kim view', 'lee view']]);
    await history.redo();
    expect(sharedWith()).toEqual([['lee write', 'mia view']]);
  });

  it('gets back what a colleague has made of its list while it was being chosen', async () => {
    const { share, history, all, sharedWith, put } = setUp({ _id: 'a' });
    const seen = all();
    put('a', { sharedWith: [view('lee')] });
    await expect(share(seen, [view('kim')], 1)).rejects.toThrow('Changed');
    await share(seen, [view('lee'), view('kim')], 2);
    expect((await history.undo()).isWhole).toBe(true);
    expect(sharedWith()).toEqual([['lee view']]);
  });
});
