import type { Deal } from '@forecourt/contract/deals';
import { describe, expect, it } from 'vitest';
import { ApiError, errorWithoutResponse } from '../../../platform/api-error.ts';
import { createLocalVersions } from '../store/local-versions.ts';
import { createUndoStack } from '../store/undo-stack.ts';
import { fitsOneCall } from './main-actions.ts';
import { createDealActions } from './row-actions.ts';

type Set = { ids: string[]; versions?: Readonly<Record<string, number>> | undefined };

/** A server in a map with the rules of bulk calls, and a screen without output. */
function setUp(...rows: Partial<Deal>[]) {
  const stored = new Map<string, Deal>();
  for (const row of rows)
    stored.set(row._id!, { version: 1, status: 'Entered', month: '2026-11', sharedWith: [], ...row } as Deal);
  const localVersions = createLocalVersions();
  /** `month`: a change of the status moves rows there. */
  const line = { failure: null as Error | null, month: '' };
  const called: string[] = [];
  const deleted = new Set<string>();
  const write = (id: string, values: Partial<Deal>): Deal => {
    const row = stored.get(id)!;
    stored.set(id, { ...row, ...values, version: row.version + 1 });
    return stored.get(id)!;
  };
  const set = async ({ ids, versions }: Set, values: Partial<Deal>) => {
    if (line.failure) throw line.failure;
    const items = ids
      .filter((id) => versions === undefined || stored.get(id)?.version === versions[id])
      .map((id) => write(id, values));
    return { items, total: items.length };
  };
  const history = createUndoStack({
    view: () => 'november',
    later: () => () => {},

    page: new EventTarget(),
  });
  const actions = createDealActions({
    table: { refresh: () => undefined, remove: (ids) => ids.forEach((id) => deleted.add(id)) },
    history,
    localVersions,
    applyRows(deals, origin = 'changed') {
      deals.forEach((deal) => localVersions.record(deal, origin));
      return deals;
    },
    latest: (deal) => deal,
    newKey: () => 'key',
    calls: {
      change: async (id, { version: _version, ...values }) => {
        called.push('change');
        return (await set({ ids: [id] }, values)).items[0]!;
      },
      setStatus(body) {
        called.push('setStatus');
        return set(body as Set, { status: body.status, ...(line.month && { month: line.month }) });
      },
      setMonth: (body) => set(body as Set, { month: body.month }),
      transfer(body) {
        called.push('transfer');
        return set(body as Set, { owner: body.targetUserId, sharedWith: [] });
      },
      shareOne: () => Promise.reject(new Error('not here')),
      share: (body) => set(body as Set, { sharedWith: body.sharedWith as unknown as Deal['sharedWith'] }),
      removeOne: async () => void called.push('removeOne'),
      remove: async () => void called.push('remove'),
      merge: async ({ survivor, others }) => {
        called.push('merge');
        return { changeSetId: 'merge', survivor, others };
      },
      revertMerge: async (id) => {
        called.push(`revert ${id}`);
        if (line.failure) throw line.failure;
        return { changeSetId: `back ${id}`, reverted: 2, left: [], refused: [] };
      },
      restore: (ids) => {
        for (const id of ids) deleted.delete(id);
        return set({ ids }, {});
      },
    },
  });
  const all = () => [...stored.values()];
  return { actions, history, stored, all, write, line, deleted, called, localVersions };
}

describe('an action on chosen rows', () => {
  it("an action on chosen rows is one step: undo restores each row's value, redo sets it again", async () => {
    const { actions, history, all } = setUp({ _id: 'a' }, { _id: 'b', status: 'Called' });
    await actions.setStatus(all(), 'Deal');
    expect(await history.undo()).toMatchObject({ message: 'Undone: 2 rows', isComplete: true });
    expect(all().map(({ status }) => status)).toEqual(['Entered', 'Called']);
    expect((await history.redo()).message).toBe('Redone: 2 rows');
    expect(all().map(({ status }) => status)).toEqual(['Deal', 'Deal']);
    expect((await history.undo()).isComplete).toBe(true);
  });

  it('an action on one chosen row requires no call for many, except a transfer', async () => {
    const { actions, history, all, called } = setUp({ _id: 'a' }, { _id: 'b' });
    await actions.setStatus(all().slice(0, 1), 'Deal');
    await actions.setStatus(all(), 'Called');
    await actions.transfer(all().slice(0, 1), { targetUserId: 'lee', keepSharing: false, reason: '' });
    await history.undo();
    await actions.remove(all().slice(0, 1));
    await actions.remove(all());
    expect(called).toEqual(['change', 'setStatus', 'transfer', 'removeOne', 'remove']);
    expect(fitsOneCall(10_000)).toBe(true);
    expect(fitsOneCall(10_001)).toEqual(expect.any(String));
  });

  it('an action on chosen rows that merges rows is undone by taking back its set, and redone by taking that back', async () => {
    const { actions, history, called, deleted } = setUp({ _id: 'a' }, { _id: 'b' });
    await actions.merge({ survivor: 'a', others: ['b'] }, 'key');
    expect([...deleted]).toEqual(['b']);
    expect(await history.undo()).toMatchObject({ message: 'Undone: 2 rows', isComplete: true });
    expect(await history.redo()).toMatchObject({ message: 'Redone: 2 rows', isComplete: true });
    expect(called).toEqual(['merge', 'revert merge', 'revert back merge']);
  });

  it('an action on chosen rows that merges rows is taken back once by the button and Ctrl+Z, and merges again by Ctrl+Y only', async () => {
    const { actions, history, called } = setUp({ _id: 'a' }, { _id: 'b' });
    const undo = await actions.merge({ survivor: 'a', others: ['b'] }, 'key');
    expect(await undo()).toMatchObject({ message: 'Undone: 2 rows', isComplete: true });
    expect((await history.undo()).message).toContain('nothing left to change');
    expect(called).toEqual(['merge', 'revert merge']);
    expect((await history.redo()).message).toBe('Redone: 2 rows');
    expect((await undo()).message).toBe('Undone: 2 rows');
    expect(called.slice(2)).toEqual(['revert back merge', 'revert back back merge']);
  });

  it('an action on chosen rows is undone in the rows that it changed only', async () => {
    const { actions, history, all } = setUp({ _id: 'a' }, { _id: 'b', status: 'Deal' });
    await actions.setStatus(all(), 'Deal');
    expect((await history.undo()).message).toBe('Undone: 1 row');
    expect(all().map(({ version }) => version)).toEqual([3, 2]);
    await actions.setStatus(all().slice(1), 'Deal');
    expect(await history.undo()).toMatchObject({
      message: expect.stringContaining('nothing left to change'),
      isComplete: false,
    });
  });

  it('an action on chosen rows returns the rows that a new status moved to the current month, which can be moved back', async () => {
    const { actions, all, line } = setUp({ _id: 'a', month: '2026-09' }, { _id: 'b' });
    expect(await actions.setStatus(all(), 'Called')).toBeNull();
    line.month = '2026-11';
    const moved = await actions.setStatus(all(), 'Deal');
    expect(moved).toMatchObject({ count: 1, month: '2026-11' });
    expect(await moved!.undo()).toMatchObject({ message: 'Undone: 1 row', isComplete: true });
    expect(all()).toMatchObject([
      { status: 'Deal', month: '2026-09' },
      { status: 'Deal', month: '2026-11' },
    ]);
  });

  it('an action on chosen rows leaves rows unchanged that another user has changed since, and reports them', async () => {
    const { actions, history, all, write } = setUp({ _id: 'a' }, { _id: 'b' }, { _id: 'c' });
    await actions.setMonth(all(), '2026-12');
    write('b', { notes: 'Ada' });
    const outcome = await history.undo();
    expect(outcome).toMatchObject({ isComplete: false });
    expect(outcome.message).toContain('1 row left as they are');
    expect(all().map(({ month }) => month)).toEqual(['2026-11', '2026-12', '2026-11']);
  });

  it('undoes a move to the current month together with the status that caused it', async () => {
    const { actions, history, stored, all } = setUp(
      { _id: 'a', month: '2026-09' },
      { _id: 'b', month: '2026-10' },
    );
    const before = all();
    const done = actions.setStatus(before, 'Deal');
    // The setting makes the server move the row in the same change.
    for (const id of ['a', 'b']) stored.set(id, { ...stored.get(id)!, month: '2026-11' });
    await done;
    await history.undo();
    expect(all()).toMatchObject([
      { status: 'Entered', month: '2026-09' },
      { status: 'Entered', month: '2026-10' },
    ]);
  });

  it("an action on chosen rows returns rows to their owners, and restores the new owner's share", async () => {
    const share = { userId: 'lee', permissions: 'write' } as Deal['sharedWith'][number];
    const { actions, history, all } = setUp({ _id: 'a', owner: 'kim', sharedWith: [share] });
    expect(await actions.transfer(all(), { targetUserId: 'lee', keepSharing: false, reason: '' })).toBe(1);
    expect(all()).toMatchObject([{ owner: 'lee', sharedWith: [] }]);
    await history.undo();
    expect(all()).toMatchObject([{ owner: 'kim', sharedWith: [share] }]);
  });

  it('an action on chosen rows restores deleted rows once, by undo or from the toast, and deletes them again', async () => {
    const { actions, history, all, deleted } = setUp({ _id: 'a' }, { _id: 'b' });
    const takeBack = await actions.remove(all());
    expect(deleted.size).toBe(2);
    expect(await takeBack()).toMatchObject({ message: 'Undone: 2 rows', isComplete: true });
    expect(deleted.size).toBe(0);
    expect((await history.undo()).message).toContain('nothing left to change');
    expect((await history.redo()).message).toBe('Redone: 2 rows');
    expect(deleted.size).toBe(2);
  });

  it('an action on chosen rows deletes no row again that was changed since, and restores rows deleted earlier', async () => {
    const { actions, history, all, write, deleted, localVersions } = setUp({ _id: 'a' }, { _id: 'b' });
    await actions.remove(all());
    await history.undo();
    localVersions.record(write('b', { notes: 'Ada' }), 'changed');
    expect(await history.redo()).toMatchObject({
      message: expect.stringContaining('1 row left as they are'),
      isComplete: false,
    });
    expect(deleted.size).toBe(0);
    expect(await actions.restore(['a', 'b'])).toBe(2);
  });

  it('an action on chosen rows reports why an undo failed: a refusal ends the step, a lost connection allows another try', async () => {
    const { actions, history, all, line } = setUp({ _id: 'a' }, { _id: 'b' });
    await actions.setStatus(all(), 'Deal');
    line.failure = errorWithoutResponse(false);
    expect(await history.undo()).toMatchObject({ isComplete: false, isFailed: true });
    line.failure = null;
    expect((await history.undo()).isComplete).toBe(true);
    await history.redo();
    line.failure = new ApiError(403, 'Access denied', 'INSUFFICIENT_PERMISSIONS');
    expect((await history.undo()).message).toContain('Access denied');
    expect((await history.undo()).message).toBe('Nothing to undo');
  });
});
