import type { Deal } from '@forecourt/contract/deals';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../grid/grid.ts';
import { ApiError } from '../../platform/api-error.ts';
import { createCellSteps, type CellEdits } from './deal-cell-steps.ts';
import { emptyDraft, type Attempt, type DealDraft } from './deal-draft.ts';
import { createMonthMoves } from './deal-month-moves.ts';
import type { DealRow } from './deal-row.ts';
import { createDealUndo } from './deal-undo.ts';

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

/** A screen in a few maps: what it was asked to do is remembered. */
function setUp() {
  const rows = new Map<string, DealRow>();
  const drafts = new Map<string, DealDraft>();
  const applied: Change[][] = [];
  const texts: CellEdits[] = [];
  const removed: string[] = [];
  const sent: object[] = [];
  const versions = new Map<string, number>();
  const screen = { view: 'november', arrives: () => undefined as void, failure: null as Error | null };
  const undo = createDealUndo(() => screen.view);
  const moves = createMonthMoves({
    rows,
    ownVersion: (id) => versions.get(id),
    async put(id, version, values, month) {
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
      takeBack: (id) => void rows.delete([...rows.values()].find((row) => row.deal?._id === id)!.key),
    },
    outbox: {
      draftOf: (key) => drafts.get(key),
      discard(key) {
        drafts.delete(key);
        if (rows.get(key)?.deal === null) rows.delete(key);
      },
      giveUp(key) {
        drafts.delete(key);
        const row = rows.get(key);
        if (row) rows.set(key, { ...row, draft: undefined });
      },
      settled: () => Promise.resolve(screen.arrives()),
    },
    apply: (edits) => void (applied.push([...edits.changes]), texts.push(edits)),
    remove(id) {
      if (screen.failure) return Promise.reject(screen.failure);
      removed.push(id);
      return Promise.resolve();
    },
    ownVersion: (id) => versions.get(id),
  });
  const put = (key: string, saved: Deal | null): void =>
    void rows.set(key, { key, deal: saved, draft: undefined });
  const record = (changes: Change[], more: Partial<CellEdits> = {}): void =>
    undo.record(step({ changes, refused: [], forgiven: [], ...more }, '2026-11'));
  return { moves, sent, rows, drafts, applied, texts, removed, versions, screen, undo, put, record };
}

describe('undo', () => {
  it('sends the values back the way of everything typed, and again when asked', async () => {
    const { undo, put, record, applied } = setUp();
    put('d1', deal({}));
    record([change('d1', 'Mine', 'Old')]);
    expect(await undo.undo()).toMatchObject({ isWhole: true, words: 'Undone: 1 cell' });
    await undo.redo();
    expect(applied).toEqual([[change('d1', 'Old', 'Mine')], [change('d1', 'Mine', 'Old')]]);
    expect((await undo.undo()).isWhole).toBe(true);
    expect((await undo.undo()).words).toBe('Nothing to undo');
  });

  it('gives up what is held by a conflict, and types it again over what has been seen', async () => {
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

  it('leaves alone what its person may not change any more, and says so', async () => {
    const { undo, put, record, applied } = setUp();
    const owner: Change = { key: 'd1', columnId: 'owner', before: 'mine', after: 'theirs' };
    put('d1', deal({ abilities: { edit: true, transfer: true } as Deal['abilities'] }));
    put('d2', deal({ _id: 'd2' }));
    record([owner, change('d1', 'New', 'Old'), change('d2', 'New', 'Old')]);
    put('d1', deal({ abilities: { edit: true, transfer: 'NOT_ROW_OWNER' } as Deal['abilities'] }));
    const words = '1 row left alone: you do not have edit rights there any more. Please contact the owner.';
    expect(await undo.undo()).toMatchObject({ isWhole: false, words });
    expect(applied.at(-1)).toEqual([change('d2', 'Old', 'New'), change('d1', 'Old', 'New')]);
    put('d1', deal({ abilities: { edit: 'NOT_ROW_OWNER' } as Deal['abilities'] }));
    expect(await undo.redo()).toMatchObject({ isWhole: false, words });
    expect(applied.at(-1)).toEqual([owner, change('d2', 'New', 'Old')]);
  });

  it('takes refused texts out again, and brings back those that they replaced', async () => {
    const { undo, put, record, texts } = setUp();
    put('d1', deal({}));
    const text = (words: string) => ({
      key: 'd1',
      columnId: 'saleAmount',
      text: words,
      message: 'No number',
    });
    record([], { refused: [text('x')], forgiven: [text('y')] });
    expect((await undo.undo()).words).toBe('Undone: 1 cell');
    expect(texts.at(-1)).toEqual({ changes: [], refused: [text('y')], forgiven: [text('x')] });
    await undo.redo();
    expect(texts.at(-1)).toEqual({ changes: [], refused: [text('x')], forgiven: [text('y')] });
  });

  it('removes rows that are not sent yet, and makes them again', async () => {
    const { undo, put, record, rows, drafts, applied, removed } = setUp();
    put('new', null);
    record([change('new', 'Zoe')]);
    drafts.set('new', draftOf('new'));
    await undo.undo();
    expect([rows.size, drafts.size, removed]).toEqual([0, 0, []]);
    await undo.redo();
    expect(applied.at(-1)).toEqual([change('new', 'Zoe')]);
  });

  it('waits for the answer about a row that is on its way, and deletes it then', async () => {
    const { undo, put, record, drafts, versions, screen, removed } = setUp();
    put('new', null);
    record([change('new', 'Zoe')]);
    drafts.set('new', draftOf('new', { idempotencyKey: 'k', version: 0, fields: {} }));
    screen.arrives = () => {
      drafts.delete('new');
      versions.set('d1', 1);
      put('new', deal({}));
    };
    expect((await undo.undo()).isWhole).toBe(true);
    expect(removed).toEqual(['d1']);
  });

  it.each<[string, Partial<Deal>, number, string]>([
    ['somebody else changed since', { version: 2 }, 1, 'somebody else has changed it since'],
    [
      'may not be deleted',
      { abilities: { delete: 'NO_DELETE' } as Deal['abilities'] },
      1,
      'permission to delete',
    ],
  ])('leaves a saved row that %s, and says why', async (_, part, own, words) => {
    const { undo, put, record, versions, removed, applied } = setUp();
    put('new', null);
    record([change('new', 'Zoe')]);
    put('new', deal(part));
    versions.set('d1', own);
    const outcome = await undo.undo();
    expect(outcome.isWhole).toBe(false);
    expect(outcome.words).toContain(words);
    expect(removed).toEqual([]);
    await undo.redo();
    expect(applied.at(-1)).toEqual([]);
  });

  it('leaves a row whose answer was lost', async () => {
    const { undo, put, record, drafts } = setUp();
    put('new', null);
    record([change('new', 'Zoe')]);
    drafts.set('new', draftOf('new', { idempotencyKey: 'k', version: 0, fields: {} }));
    expect((await undo.undo()).words).toContain('the connection broke');
    expect(drafts.size).toBe(1);
  });

  it('says what the server says when a row cannot be deleted', async () => {
    const { undo, put, record, versions, screen } = setUp();
    put('new', null);
    record([change('new', 'Zoe')]);
    put('new', deal({}));
    versions.set('d1', 1);
    screen.failure = new Error('Network error');
    expect((await undo.undo()).words).toContain('Network error');
  });

  it('undoes a step where it was done and nowhere else', async () => {
    const { undo, put, record, screen, applied } = setUp();
    put('d1', deal({}));
    record([change('d1', 'Mine', 'Old')]);
    screen.view = 'december';
    expect((await undo.undo()).words).toContain('another month');
    expect(applied).toEqual([]);
    screen.view = 'november';
    await undo.undo();
    expect(applied).toHaveLength(1);
  });

  it('says that rows are gone, and goes on to the step before', async () => {
    const { undo, put, record, rows } = setUp();
    put('d1', deal({}));
    record([change('d1', 'Mine', 'Old')]);
    rows.delete('d1');
    expect((await undo.undo()).words).toContain('not here any more');
    expect((await undo.undo()).words).toBe('Nothing to undo');
  });

  it('brings back a row that its edit moved to the current month: value and month in one change', async () => {
    const { undo, put, record, rows, moves, sent, applied, screen } = setUp();
    put('d1', deal({ month: '2026-09' }));
    record([change('d1', 'Mine', 'Old')]);
    moves.answered('d1', deal({ version: 2, month: '2026-11' }));
    rows.delete('d1');
    screen.failure = new Error('Network error');
    expect(await undo.undo()).toMatchObject({ isWhole: false, isFailed: true });
    screen.failure = null;
    expect(await undo.undo()).toMatchObject({ isWhole: true, words: 'Undone: 1 cell' });
    expect(rows.get('d1')?.deal?.month).toBe('2026-09');
    expect(applied.flat()).toEqual([]);
    // Doing it again is an edit like the first one, for which the server moves the row.
    await undo.redo();
    expect(applied.at(-1)).toEqual([change('d1', 'Mine', 'Old')]);
    moves.answered('d1', deal({ version: 4, month: '2026-11' }));
    rows.delete('d1');
    await undo.undo();
    expect(sent).toEqual([
      { id: 'd1', version: 2, customerName: 'Old', month: '2026-09' },
      { id: 'd1', version: 4, customerName: 'Old', month: '2026-09' },
    ]);
  });

  it('leaves a moved row that somebody else has changed since, and says so', async () => {
    const { undo, put, record, rows, moves, screen } = setUp();
    put('d1', deal({ month: '2026-09' }));
    record([change('d1', 'Mine', 'Old')]);
    moves.answered('d1', deal({ version: 2, month: '2026-11' }));
    rows.delete('d1');
    screen.failure = new ApiError(409, 'Somebody was first', 'CONFLICT');
    expect((await undo.undo()).words).toContain('1 row left as they are');
  });
});
