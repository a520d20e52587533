import type { Deal } from '@forecourt/contract/deals';
import { describe, expect, it, vi } from 'vitest';
import type { Change } from '../../../grid/grid.ts';
import { ApiError, errorWithoutResponse } from '../../../platform/api-error.ts';
import { createStepSets } from '../../../platform/ids.ts';
import type { Attempt, DealDraft, DealRow } from '../deal-row.ts';
import type { RowEdits } from '../sync/draft-sync.ts';
import { emptyDraft } from '../sync/draft.ts';
import { createCellSteps, createDealCommands, type CellEdits } from './deal-commands.ts';
import { createLocalVersions } from './local-versions.ts';
import { createMonthMoves } from './month-moves.ts';
import { createUndoStack } from './undo-stack.ts';

const change = (key: string, after: string, before: string | null = null): Change => ({
  key,
  columnId: 'customerName',
  before,
  after,
});
const deal = (part: Partial<Deal>): Deal =>
  ({ _id: 'd1', version: 1, abilities: { delete: true }, ...part }) as Deal;
const draftOf = (key: string, attempt: Attempt | null = null): DealDraft => ({
  ...emptyDraft(key, null, '2026-11'),
  attempt,
});

/** A screen in a few maps that records its calls. */
function setUp() {
  const rows = new Map<string, DealRow>();
  const drafts = new Map<string, DealDraft>();
  const applied: Change[][] = [];
  const texts: CellEdits[] = [];
  const removed: string[] = [];
  const sent: object[] = [];
  const versions = new Map<string, number>();
  const screen = {
    view: 'november',
    arrives: () => undefined as void,
    failure: null as Error | null,
    /** Requests to delete one row. */
    deletions: 0,
  };
  const undo = createUndoStack({
    view: () => screen.view,
    later: () => () => {},
    page: new EventTarget(),
  });
  const moves = createMonthMoves({
    rows,
    localVersions: createLocalVersions(),
    async put(id, version, values, _changeSet, month) {
      if (screen.failure) throw screen.failure;
      sent.push({ id, version, ...values, ...(month && { month }) });
      const moved = deal({ version: version + 1, month: month ?? '2026-11' });
      if (moved.month === '2026-09') put('d1', moved);
      else rows.delete('d1');
      return moved;
    },
  });
  const step = createCellSteps({
    rows,
    moves,
    table: {
      undoCreate: (id) => void rows.delete([...rows.values()].find((row) => row.deal?._id === id)!.key),
    },
    draftSync: {
      draftOf: (key) => drafts.get(key),
      discard(key) {
        drafts.delete(key);
        if (rows.get(key)?.deal === null) rows.delete(key);
      },
      discardField(key) {
        drafts.delete(key);
        const row = rows.get(key);
        if (row) rows.set(key, { ...row, draft: undefined });
      },
      whenSettled: () => Promise.resolve(screen.arrives()),
    },
    apply: (edits) => void (applied.push([...edits.changes]), texts.push(edits)),
    remove(id) {
      screen.deletions += 1;
      if (screen.failure) return Promise.reject(screen.failure);
      removed.push(id);
      return Promise.resolve();
    },
    removeAll(ids) {
      if (screen.failure) return Promise.reject(screen.failure);
      removed.push(ids.join(' '));
      return Promise.resolve();
    },
    isOffered: (_, value) => value !== 'Retired',
    localVersion: (id) => versions.get(id),
  });
  const put = (key: string, saved: Deal | null): void =>
    void rows.set(key, { key, deal: saved, draft: undefined });
  const record = (changes: Change[], more: Partial<CellEdits> = {}): void =>
    undo.record(step({ changes, refused: [], cleared: [], ...more }, '2026-11', createStepSets('paste 1')));
  return { moves, sent, rows, drafts, applied, texts, removed, versions, screen, undo, put, record };
}

describe('undo', () => {
  it('undo sends the old values as edits, and the new ones again on redo', async () => {
    const { undo, put, record, applied } = setUp();
    put('d1', deal({}));
    record([change('d1', 'Mine', 'Old')]);
    expect(await undo.undo()).toMatchObject({ isComplete: true, message: 'Undone: 1 cell' });
    await undo.redo();
    expect(applied).toEqual([[change('d1', 'Old', 'Mine')], [change('d1', 'Mine', 'Old')]]);
    expect((await undo.undo()).isComplete).toBe(true);
    expect((await undo.undo()).message).toBe('Nothing to undo');
  });

  it('discards a value in conflict, and on redo types it again on the current version', async () => {
    const { undo, put, record, drafts, applied } = setUp();
    put('d1', deal({ customerName: 'Old' }));
    record([change('d1', 'Mine', 'Old')]);
    const hold = { kind: 'conflict', by: 'Kim', at: '' } as const;
    drafts.set('d1', {
      ...emptyDraft('d1', 'd1', '2026-11'),
      typed: { customerName: { value: 'Mine', version: 1, hold } },
    });
    put('d1', deal({ customerName: 'Theirs', version: 2 }));
    await undo.undo();
    expect(drafts.size).toBe(0);
    expect(applied).toEqual([[]]);
    await undo.redo();
    expect(applied.at(-1)).toEqual([change('d1', 'Mine', 'Theirs')]);
    await undo.undo();
    expect(applied.at(-1)).toEqual([change('d1', 'Theirs', 'Mine')]);
  });

  it('undo leaves cells unchanged that the user may no longer edit, and reports them', async () => {
    const { undo, put, record, applied } = setUp();
    const owner: Change = { key: 'd1', columnId: 'owner', before: 'mine', after: 'theirs' };
    put('d1', deal({ abilities: { edit: true, transfer: true } as Deal['abilities'] }));
    put('d2', deal({ _id: 'd2' }));
    record([owner, change('d1', 'New', 'Old'), change('d2', 'New', 'Old')]);
    put('d1', deal({ abilities: { edit: true, transfer: 'NOT_ROW_OWNER' } as Deal['abilities'] }));
    const message = '1 row left alone: you do not have edit rights there any more. Please contact the owner.';
    expect(await undo.undo()).toMatchObject({ isComplete: false, message });
    expect(applied.at(-1)).toEqual([change('d2', 'Old', 'New'), change('d1', 'Old', 'New')]);
    put('d1', deal({ abilities: { edit: 'NOT_ROW_OWNER' } as Deal['abilities'] }));
    expect(await undo.redo()).toMatchObject({ isComplete: false, message });
    expect(applied.at(-1)).toEqual([owner, change('d2', 'New', 'Old')]);
  });

  it('undo does not change cells whose previous value is inactive, and reports them', async () => {
    const { undo, put, record, applied } = setUp();
    put('d1', deal({}));
    put('d2', deal({ _id: 'd2' }));
    record([change('d1', 'New', 'Retired'), change('d2', 'New', 'Old')]);
    expect(await undo.undo()).toMatchObject({
      isComplete: false,
      message: '1 cell not changed: the previous value is inactive and cannot be chosen again',
    });
    expect(applied.at(-1)).toEqual([change('d2', 'Old', 'New')]);
    expect((await undo.redo()).isComplete).toBe(true);
  });

  it('undo removes refused texts, and restores those that they replaced', async () => {
    const { undo, put, record, texts } = setUp();
    put('d1', deal({}));
    const text = (message: string) => ({
      key: 'd1',
      columnId: 'saleAmount',
      text: message,
      message: 'No number',
    });
    record([], { refused: [text('x')], cleared: [text('y')] });
    expect((await undo.undo()).message).toBe('Undone: 1 cell');
    expect(texts.at(-1)).toEqual({ changes: [], refused: [text('y')], cleared: [text('x')] });
    await undo.redo();
    expect(texts.at(-1)).toEqual({ changes: [], refused: [text('x')], cleared: [text('y')] });
  });

  it('undo removes unsent rows, and creates them again on redo', async () => {
    const { undo, put, record, rows, drafts, applied, removed } = setUp();
    put('new', null);
    record([change('new', 'Zoe')]);
    drafts.set('new', draftOf('new'));
    await undo.undo();
    expect([rows.size, drafts.size, removed]).toEqual([0, 0, []]);
    await undo.redo();
    expect(applied.at(-1)).toEqual([change('new', 'Zoe')]);
  });

  it('undo waits for the response to a row in flight, and then deletes the row', async () => {
    const { undo, put, record, drafts, versions, screen, removed } = setUp();
    put('new', null);
    record([change('new', 'Zoe')]);
    drafts.set('new', draftOf('new', { idempotencyKey: 'k', version: 0, fields: {}, changeSet: 'edit' }));
    screen.arrives = () => {
      drafts.delete('new');
      versions.set('d1', 1);
      put('new', deal({}));
    };
    expect((await undo.undo()).isComplete).toBe(true);
    expect(removed).toEqual(['d1']);
  });

  it('undo deletes one saved new row without a request for many', async () => {
    const { undo, put, record, versions, screen, removed } = setUp();
    put('new', null);
    record([change('new', 'Zoe')]);
    put('new', deal({}));
    versions.set('d1', 1);
    expect((await undo.undo()).isComplete).toBe(true);
    expect([removed, screen.deletions]).toEqual([['d1'], 1]);
  });

  describe('of several saved new rows', () => {
    const twoRows = () => {
      const own = setUp();
      for (const key of ['new1', 'new2']) own.put(key, null);
      own.record([change('new1', 'Zoe'), change('new2', 'Ann')]);
      for (const key of ['1', '2']) {
        own.put(`new${key}`, deal({ _id: `d${key}` }));
        own.versions.set(`d${key}`, 1);
      }
      return own;
    };

    it('undo of several saved new rows deletes them with one request', async () => {
      const { undo, removed, rows } = twoRows();
      expect((await undo.undo()).isComplete).toBe(true);
      expect(removed).toEqual(['d2 d1']);
      expect(rows.size).toBe(0);
    });

    it('undo of several saved new rows deletes them separately if the request is refused, and reports those that stay', async () => {
      const { undo, screen, rows } = twoRows();
      screen.failure = new ApiError(403, 'You may not delete this row', 'INSUFFICIENT_PERMISSIONS');
      expect((await undo.undo()).message).toBe(
        '2 new rows could not be taken back: You may not delete this row',
      );
      expect([rows.size, screen.deletions]).toEqual([2, 2]);
    });

    it('undo of several saved new rows does not delete them separately if the connection was lost', async () => {
      const { undo, screen } = twoRows();
      screen.failure = errorWithoutResponse(false);
      expect((await undo.undo()).message).toMatch(/^2 new rows could not be taken back: Network error/);
      expect(screen.deletions).toBe(0);
    });
  });

  it.each<[string, Partial<Deal>, number, string]>([
    ['somebody else changed since', { version: 2 }, 1, 'somebody else has changed it since'],
    [
      'may not be deleted',
      { abilities: { delete: 'NO_DELETE' } as Deal['abilities'] },
      1,
      'permission to delete',
    ],
  ])('leaves a saved row that %s, and reports why', async (_, part, own, message) => {
    const { undo, put, record, versions, removed, applied } = setUp();
    put('new', null);
    record([change('new', 'Zoe')]);
    put('new', deal(part));
    versions.set('d1', own);
    const outcome = await undo.undo();
    expect(outcome.isComplete).toBe(false);
    expect(outcome.message).toContain(message);
    expect(removed).toEqual([]);
    await undo.redo();
    expect(applied.at(-1)).toEqual([]);
  });

  it('undo leaves a row whose response was lost', async () => {
    const { undo, put, record, drafts } = setUp();
    put('new', null);
    record([change('new', 'Zoe')]);
    drafts.set('new', draftOf('new', { idempotencyKey: 'k', version: 0, fields: {}, changeSet: 'edit' }));
    expect((await undo.undo()).message).toContain('the connection broke');
    expect(drafts.size).toBe(1);
  });

  it("undo reports the server's message when a row cannot be deleted", async () => {
    const { undo, put, record, versions, screen } = setUp();
    put('new', null);
    record([change('new', 'Zoe')]);
    put('new', deal({}));
    versions.set('d1', 1);
    screen.failure = errorWithoutResponse(false);
    expect((await undo.undo()).message).toContain('Network error');
  });

  it('undoes a step only in the view where it was made', async () => {
    const { undo, put, record, screen, applied } = setUp();
    put('d1', deal({}));
    record([change('d1', 'Mine', 'Old')]);
    screen.view = 'december';
    expect((await undo.undo()).message).toContain('another month');
    expect(applied).toEqual([]);
    screen.view = 'november';
    await undo.undo();
    expect(applied).toHaveLength(1);
  });

  it('undo reports that rows were removed, and continues with the step before', async () => {
    const { undo, put, record, rows } = setUp();
    put('d1', deal({}));
    record([change('d1', 'Mine', 'Old')]);
    rows.delete('d1');
    expect((await undo.undo()).message).toContain('nothing left to change');
    expect((await undo.undo()).message).toBe('Nothing to undo');
  });

  it('undo moves back a row that its edit moved to the current month: value and month in one change', async () => {
    const { undo, put, record, rows, moves, sent, applied, screen } = setUp();
    put('d1', deal({ month: '2026-09' }));
    record([change('d1', 'Mine', 'Old')]);
    moves.record('d1', deal({ version: 2, month: '2026-11' }));
    rows.delete('d1');
    screen.failure = new Error('Network error');
    expect(await undo.undo()).toMatchObject({ isComplete: false, isFailed: true });
    screen.failure = null;
    expect(await undo.undo()).toMatchObject({ isComplete: true, message: 'Undone: 1 cell' });
    expect(rows.get('d1')?.deal?.month).toBe('2026-09');
    expect(applied.flat()).toEqual([]);
    // Redo is an edit like the first one, for which the server moves the row.
    await undo.redo();
    expect(applied.at(-1)).toEqual([change('d1', 'Mine', 'Old')]);
    moves.record('d1', deal({ version: 4, month: '2026-11' }));
    rows.delete('d1');
    await undo.undo();
    expect(sent).toEqual([
      { id: 'd1', version: 2, customerName: 'Old', month: '2026-09' },
      { id: 'd1', version: 4, customerName: 'Old', month: '2026-09' },
    ]);
  });

  it('undo does a change again in a moved row that is not in the table', async () => {
    const { undo, put, record, rows, moves, sent, screen } = setUp();
    put('d1', deal({ month: '2026-09' }));
    record([change('d1', 'Mine', 'Old')]);
    moves.record('d1', deal({ version: 2, month: '2026-11' }));
    rows.delete('d1');
    await undo.undo();
    rows.delete('d1');
    screen.failure = new Error('Network error');
    expect(await undo.redo()).toMatchObject({ isComplete: false, isFailed: true });
    screen.failure = null;
    expect(await undo.redo()).toMatchObject({ isComplete: true, message: 'Redone: 1 cell' });
    expect(sent.at(-1)).toMatchObject({ id: 'd1', version: 3, customerName: 'Mine' });
  });

  it('undo leaves a moved row that another user has changed since, and reports it', async () => {
    const { undo, put, record, rows, moves, screen } = setUp();
    put('d1', deal({ month: '2026-09' }));
    record([change('d1', 'Mine', 'Old')]);
    moves.record('d1', deal({ version: 2, month: '2026-11' }));
    rows.delete('d1');
    screen.failure = new ApiError(409, 'Somebody was first', 'CONFLICT');
    expect((await undo.undo()).message).toContain('1 row left as they are');
  });

  it('undo of a move names the people to ask if the former month of the row is closed', async () => {
    const { undo, put, record, rows, moves, screen } = setUp();
    put('d1', deal({ month: '2026-09' }));
    record([change('d1', 'Mine', 'Old')]);
    moves.record('d1', deal({ version: 2, month: '2026-11' }));
    rows.delete('d1');
    screen.failure = new ApiError(403, 'September 2026 is closed. Ask Ada.', 'MONTH_CLOSED');
    const message = 'That could not be done: September 2026 is closed. Ask Ada.';
    expect(await undo.undo()).toEqual({ message, isComplete: false });
  });
});

describe('a command of the table', () => {
  const setUpCommands = () => {
    const rows = new Map<string, DealRow>([
      ['d1', { key: 'd1', deal: deal({ customerName: 'Old' }), draft: undefined }],
      ['new', { key: 'new', deal: null, draft: undefined }],
    ]);
    const type = vi.fn<(edits: RowEdits, month: string, changeSet?: string) => void>();
    const typeAll = vi.fn<(edits: readonly RowEdits[], month: string, changeSet?: string) => Promise<void>>(
      async () => {},
    );
    const dropEmpty = vi.fn<(keys: readonly string[]) => void>();
    const history = createUndoStack({ view: () => '', later: () => () => {}, page: new EventTarget() });
    const unused = () => Promise.reject(new Error('not here'));
    const commands = createDealCommands({
      rows,
      history,
      moves: { has: () => false, change: unused },
      table: {
        undoCreate: () => {},
        addRows: (count) => Array.from({ length: count }, (_, index) => `added${index}`),
        dropEmpty,
      },
      draftSync: {
        draftOf: () => undefined,
        discard: () => {},
        discardField: () => {},
        whenSettled: unused,
        type,
        typeAll,
      },
      remove: unused,
      removeAll: unused,
      isOffered: () => true,
      localVersion: () => undefined,
    });
    return { rows, commands, history, type, typeAll, dropEmpty };
  };
  const stock = { columnId: 'stockNumber', before: null, after: '77' };
  const refused = { key: 'd1', columnId: 'saleAmount', text: 'x', message: 'No number' };

  it('a command of the table that changes one row is stored at once, with all of its cells', async () => {
    const { rows, commands, history, type, typeAll } = setUpCommands();
    const changes = [change('d1', 'Mine', 'Old'), { key: 'd1', ...stock, columnId: 'notAField' }];
    commands.onCommand({ changes, refused: [refused] }, '2026-11');
    expect(type.mock.calls).toEqual([
      [
        {
          key: 'd1',
          deal: rows.get('d1')!.deal,
          edits: [
            { field: 'customerName', before: 'Old', after: 'Mine' },
            { field: 'saleAmount', refusal: { text: 'x', message: 'No number' } },
          ],
        },
        '2026-11',
        'edit',
      ],
    ]);
    expect(typeAll).not.toHaveBeenCalled();
    await history.undo();
    expect(type.mock.lastCall).toMatchObject([
      {
        edits: [
          { field: 'saleAmount', refusal: null },
          { before: 'Mine', after: 'Old' },
        ],
      },
      '2026-11',
      expect.stringMatching(/^undo /),
    ]);
    await history.redo();
    // The first undo of a cell names what its redo belongs to: the set of a minute has other cells too.
    expect(type.mock.lastCall![2]).toMatch(/^edit \w+ undo \w+$/);
  });

  it.each([
    ['paste', /^paste \w+$/],
    ['fill', /^fill \w+$/],
    ['clear', /^bulk \w+$/],
  ] as const)(
    '%s of several rows is a change set, which each undo and redo of it names',
    async (source, named) => {
      const { rows, commands, history, typeAll } = setUpCommands();
      rows.set('d2', { key: 'd2', deal: deal({ _id: 'd2' }), draft: undefined });
      const changes = [change('d1', 'Mine', 'Old'), change('d2', 'Mine', 'Old')];
      commands.onCommand({ source, changes }, '2026-11');
      await history.undo();
      await history.redo();
      const sets = typeAll.mock.calls.map(([, , changeSet]) => changeSet);
      expect(sets).toEqual([
        expect.stringMatching(named),
        expect.stringMatching(new RegExp(`^undo \\w+ ${sets[0]}$`)),
        expect.stringMatching(new RegExp(`^${sets[0]!.split(' ')[0]} \\w+ ${sets[0]}$`)),
      ]);
      expect(new Set(sets).size).toBe(3);
    },
  );

  it('a command of the table is undone and redone with the values of its refused texts that were taken later', async () => {
    const { rows, commands, history, type } = setUpCommands();
    commands.onCommand({ changes: [change('d1', 'Mine', 'Old')], refused: [refused] }, '2026-11');
    const taken = { key: 'd1', columnId: 'saleAmount', before: null, after: 7 };
    commands.takeRefused({ changes: [taken], cleared: [refused] }, '2026-11');
    const refusal = { field: 'saleAmount', refusal: null };
    expect(type.mock.lastCall![0].edits).toEqual([refusal, { field: 'saleAmount', before: null, after: 7 }]);
    rows.set('d1', { key: 'd1', deal: deal({ customerName: 'Mine', saleAmount: 7 }), draft: undefined });
    expect((await history.undo()).message).toBe('Undone: 2 cells');
    expect(type.mock.lastCall![0].edits).toEqual([
      { field: 'saleAmount', before: 7, after: null },
      { field: 'customerName', before: 'Mine', after: 'Old' },
    ]);
    expect((await history.undo()).message).toBe('Nothing to undo');
    await history.redo();
    expect(type.mock.lastCall![0].edits).toMatchObject([{ after: 'Mine' }, { after: 7 }]);
  });

  it('a command of the table that changes several rows is stored together, also if it only removes refused texts', () => {
    const { commands, type, typeAll } = setUpCommands();
    commands.onCommand({ changes: [change('new', 'Zoe')], cleared: [refused] }, '2026-12');
    expect(typeAll.mock.calls).toMatchObject([
      [
        [
          { key: 'd1', edits: [{ field: 'saleAmount', refusal: null }] },
          { key: 'new', deal: null, edits: [{ field: 'customerName', before: null, after: 'Zoe' }] },
        ],
        '2026-12',
        expect.stringMatching(/^bulk /),
      ],
    ]);
    expect(type).not.toHaveBeenCalled();
  });

  it('drops rows that were added for a paste and stayed empty, once', () => {
    const { commands, dropEmpty } = setUpCommands();
    expect(commands.addRows(2)).toEqual(['added0', 'added1']);
    commands.onCommand({ changes: [change('added0', 'Zoe')] }, '2026-11');
    commands.onCommand({ changes: [change('d1', 'Mine', 'Old')] }, '2026-11');
    expect(dropEmpty.mock.calls).toEqual([[['added0', 'added1']], [[]]]);
    expect(commands.addRows(6000)).toHaveLength(5000);
  });
});
