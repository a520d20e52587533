import type { Deal } from '@forecourt/contract/deals';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRowStore, type RowStore } from '../../../grid/grid.ts';
import type { DealDraft, DealRow } from '../deal-row.ts';
import { emptyDraft } from '../sync/draft.ts';
import { createDealTable, type DealTable } from './deal-table.ts';

const deal = (id: string, part: Partial<Deal> = {}): Deal =>
  ({ _id: id, month: '2026-11', customerName: id, version: 1, ...part }) as Deal;

let rows: RowStore<DealRow>;
let drafts: Map<string, DealDraft>;
let table: DealTable;
let month: string;

beforeEach(() => {
  let keys = 0;
  rows = createRowStore<DealRow>((announce) => announce());
  drafts = new Map();
  month = '2026-11';
  table = createDealTable({
    rows,
    draftSync: { draftOf: (key) => drafts.get(key) },
    newKey: () => `new-${(keys += 1)}`,
    isInView: (one) => one.month === month,
    isVisible: (draft) => draft.month === month,
  });
});

function typeInto(key: string): DealDraft {
  const draft = emptyDraft(key, null, '2026-11');
  drafts.set(key, draft);
  table.onDraft(key, draft);
  return draft;
}

it('the table of deals removes by a further condition also the rows that no longer meet the one before', () => {
  table.replace([deal('d1', { status: 'Called' }), deal('d2', { status: 'Called' }), deal('d3')]);
  const isCalled = ({ status }: Deal): boolean => status === 'Called';
  table.narrow(isCalled);
  // A changed row stays until the next filter, and one that now meets the condition is added.
  table.refresh([deal('d2', { status: 'Sold', version: 2 }), deal('d3', { status: 'Called', version: 2 })]);
  expect(rows.getOrder()).toEqual(['d1', 'd2', 'd3']);
  table.narrow((one) => isCalled(one) && one.customerName !== 'd1');
  expect(rows.getOrder()).toEqual(['d3']);
  expect(rows.get('d2')).toBeUndefined();
});

describe('a row of another month, on its page', () => {
  const old = deal('d9', { month: '2026-03' });

  it('a row of another month, on its page, can be changed, and leaves with the page, without being shown in the table', () => {
    table.replace([deal('d1')]);
    const takeBack = table.holdForPage(old);
    expect(rows.get('d9')?.deal).toBe(old);
    typeInto('d9');
    drafts.delete('d9');
    table.onDraft('d9', undefined);
    table.onDeal('d9', { ...old, version: 2 });
    table.refresh([{ ...old, version: 3 }]);
    expect(rows.get('d9')?.deal?.version).toBe(3);
    expect(rows.getOrder()).toEqual(['d1']);
    takeBack();
    expect(rows.get('d9')).toBeUndefined();
    expect(rows.getOrder()).toEqual(['d1']);
  });

  it('a row of another month, on its page, stays while its form is open, and joins the table if it was moved there', () => {
    table.replace([deal('d1')]);
    const takeBack = table.holdForPage(old);
    const close = rows.hold('d9');
    takeBack();
    expect(rows.get('d9')?.deal).toBe(old);
    const takeBackAgain = table.holdForPage(old);
    close();
    expect(rows.get('d9')?.deal).toBe(old);
    table.onDeal('d9', { ...old, month, version: 2 });
    takeBackAgain();
    expect(rows.getOrder()).toEqual(['d1', 'd9']);
  });

  it('a row of another month on its page is not held where the table has it, and stays in a month that was opened meanwhile', () => {
    table.replace([deal('d1')]);
    table.holdForPage(deal('d1'))();
    expect(rows.getOrder()).toEqual(['d1']);
    const takeBack = table.holdForPage(old);
    month = '2026-03';
    table.replace([old]);
    takeBack();
    expect(rows.getOrder()).toEqual(['d9']);
  });
});

describe('the blank row', () => {
  it('the blank row is followed by another one as soon as it has an edit', () => {
    table.setBlankRow(true);
    typeInto('new-1');
    expect(table.trailing.get()).toEqual(['new-1', 'new-2']);
    expect(table.blankKey()).toBe('new-2');
  });

  it('the blank row stays the last when drafts of an earlier page are restored', () => {
    table.setBlankRow(true);
    typeInto('restored');
    expect(table.trailing.get()).toEqual(['restored', 'new-1']);
  });

  it('the blank row is added once, however often it is enabled, and removed only where it was', () => {
    expect(table.trailing.get()).toEqual([]);
    table.setBlankRow(false);
    table.setBlankRow(true);
    table.setBlankRow(true);
    expect(table.trailing.get()).toEqual(['new-1']);
    expect(rows.get('new-1')).toEqual({ key: 'new-1', deal: null, draft: undefined });
    // Discarding its edits adds no other one.
    table.onDraft('new-1', undefined);
    expect(table.trailing.get()).toEqual(['new-1']);
  });

  it('the blank row is not part of the order of the saved rows', () => {
    table.setBlankRow(true);
    table.replace([deal('d1')]);
    table.append([deal('d2'), deal('d3')]);
    expect(rows.getOrder()).toEqual(['d1', 'd2', 'd3']);
    typeInto('new-1');
    expect(rows.getOrder()).toEqual(['d1', 'd2', 'd3']);
    expect(rows.get('new-1')?.draft).toBe(drafts.get('new-1'));
  });

  it('the blank row is absent for users who may not add rows', () => {
    table.setBlankRow(true);
    table.setBlankRow(false);
    expect(table.trailing.get()).toEqual([]);
    expect(rows.get('new-1')).toBeUndefined();
  });
});

describe('a saved row', () => {
  it('a saved row shows the new name of its status at once, in its place and with its draft', () => {
    table.replace([deal('d1', { status: 'Called' }), deal('d2', { status: 'Deal' })]);
    const draft = typeInto('d1');
    table.renameStatuses(new Map([['Called', 'Rung']]));
    expect(rows.getOrder()).toEqual(['d1', 'd2']);
    expect(rows.get('d1')).toMatchObject({ deal: { status: 'Rung', version: 1 }, draft });
    expect(rows.get('d2')?.deal?.status).toBe('Deal');
  });

  it('a saved row keeps the key under which it was typed, also when the live event arrives before the response', () => {
    table.setBlankRow(true);
    typeInto('new-1');
    table.refresh([deal('d1')]);
    table.onDeal('new-1', deal('d1'));
    expect(rows.getOrder()).toEqual(['new-1']);
    expect(table.trailing.get()).toEqual(['new-2']);
    table.refresh([deal('d1', { version: 2 })]);
    expect(rows.getOrder()).toEqual(['new-1']);
    expect(rows.get('new-1')?.deal?.version).toBe(2);
  });

  it("a saved row keeps another user's change that arrives before the response", () => {
    table.setBlankRow(true);
    typeInto('new-1');
    table.refresh([deal('d1', { version: 2, vehicle: 'Theirs' })]);
    table.onDeal('new-1', deal('d1'));
    expect(rows.getOrder()).toEqual(['new-1']);
    expect(rows.get('new-1')?.deal).toMatchObject({ version: 2, vehicle: 'Theirs' });
  });

  it('a saved row ignores older versions from late responses', () => {
    table.replace([deal('d1'), deal('d2')]);
    table.refresh([deal('d1', { version: 3, vehicle: 'Kia' }), deal('d2', { version: 2 })]);
    table.refresh([deal('d1', { version: 2, vehicle: 'Audi', month: '2026-10' })]);
    table.append([deal('d1', { version: 2, vehicle: 'Audi' })]);
    table.onDeal('d1', deal('d1', { version: 2, vehicle: 'Audi' }));
    table.beginAgain().page([deal('d2')]);
    expect(rows.get('d1')?.deal).toMatchObject({ version: 3, vehicle: 'Kia' });
    expect(rows.get('d2')?.deal?.version).toBe(2);
  });

  it('a saved row leaves the view when another user moves it to another month', () => {
    table.replace([deal('d1'), deal('d2')]);
    drafts.set('d4', emptyDraft('d4', 'd4', '2026-10'));
    table.refresh(['d1', 'd3', 'd4'].map((id) => deal(id, { month: '2026-10' })));
    expect(rows.getOrder()).toEqual(['d2']);
  });

  it('a saved row stays while its cell is active after its own edit moved it, and leaves afterwards', () => {
    table.replace([deal('d1'), deal('d2')]);
    const leave = rows.markActive('d1');
    table.onDeal('d1', deal('d1', { month: '2026-10', version: 2 }));
    table.refresh([deal('d1', { month: '2026-10', version: 3 })]);
    expect(rows.getOrder()).toEqual(['d1', 'd2']);
    expect(rows.get('d1')?.deal?.version).toBe(3);
    leave();
    expect(rows.getOrder()).toEqual(['d2']);
  });

  it('a saved row moved by its own edit leaves with the last response if its cell was left before', () => {
    table.replace([deal('d1')]);
    const leave = rows.markActive('d1');
    table.onDeal('d1', deal('d1', { month: '2026-10', version: 2 }));
    drafts.set('d1', emptyDraft('d1', 'd1', '2026-11'));
    leave();
    expect(rows.getOrder()).toEqual(['d1']);
    drafts.delete('d1');
    table.onDeal('d1', deal('d1', { month: '2026-10', version: 3 }));
    expect(rows.getOrder()).toEqual([]);
  });

  it('a saved row leaves at once when another user moves it while its cell is active', () => {
    table.replace([deal('d1'), deal('d2')]);
    rows.markActive('d1');
    table.refresh([deal('d1', { month: '2026-10', version: 2 })]);
    expect(rows.getOrder()).toEqual(['d2']);
  });

  it('a saved row deleted with an unsaved draft stays when it is restored', () => {
    const bringsBack: (() => void)[] = [
      () => table.refresh([deal('d1', { version: 3 })]),
      () => table.beginAgain().page([deal('d1', { version: 3 })]),
    ];
    for (const bringBack of bringsBack) {
      table.replace([deal('d1')]);
      drafts.set('d1', emptyDraft('d1', 'd1', '2026-11'));
      table.remove(['d1', 'unknown']);
      bringBack();
      drafts.delete('d1');
      table.onDraft('d1', undefined);
      expect(rows.getOrder()).toEqual(['d1']);
    }
  });

  it('a saved row with a draft keeps its place', () => {
    table.replace([deal('d1'), deal('d2')]);
    typeInto('d1');
    expect(rows.getOrder()).toEqual(['d1', 'd2']);
    drafts.delete('d1');
    table.onDraft('d1', undefined);
    expect(rows.getOrder()).toEqual(['d1', 'd2']);
  });

  it('a saved row moved with an unsaved draft stays until the draft is saved', () => {
    table.replace([deal('d1'), deal('d2')]);
    typeInto('d1');
    table.refresh([deal('d1', { month: '2026-10', version: 2 })]);
    expect(rows.getOrder()).toEqual(['d1', 'd2']);
    drafts.delete('d1');
    table.onDraft('d1', undefined);
    expect(rows.getOrder()).toEqual(['d2']);
  });

  it('a saved row saved from another view is not added to this one', () => {
    table.replace([deal('d1')]);
    let notified = 0;
    rows.subscribeOrder(() => (notified += 1));
    table.onDeal('d9', deal('d9', { month: '2026-10' }));
    expect(rows.getOrder()).toEqual(['d1']);
    expect(notified).toBe(0);
    table.onDeal('d8', deal('d8'));
    expect(rows.getOrder()).toEqual(['d1', 'd8']);
  });

  it('a saved row is known to be in creation while its request is in flight', () => {
    table.setBlankRow(true);
    const draft = typeInto('new-1');
    expect(table.isCreating()).toBe(false);
    const attempt = { idempotencyKey: 'k', version: 1, fields: {} };
    drafts.set('new-1', { ...draft, attempt } as DealDraft);
    expect(table.isCreating()).toBe(true);
  });

  it('a saved row deleted elsewhere with an unsaved draft stays', () => {
    table.replace([deal('d1'), deal('d2')]);
    drafts.set('d1', emptyDraft('d1', 'd1', '2026-11'));
    table.remove(['d1', 'd2']);
    expect(rows.getOrder()).toEqual(['d1']);
    drafts.delete('d1');
    table.onDraft('d1', undefined);
    expect(rows.getOrder()).toEqual([]);
  });

  it('a saved row shows its stored draft after a reload', () => {
    const draft: DealDraft = {
      ...emptyDraft('d1', 'd1', '2026-11'),
      typed: { vehicle: { value: 'Kia', version: 1 } },
    };
    drafts.set('d1', draft);
    table.replace([deal('d1')]);
    expect(rows.get('d1')?.draft).toBe(draft);
  });
});

it('the table of deals removes an unsaved row that was discarded', () => {
  table.setBlankRow(true);
  typeInto('new-1');
  drafts.delete('new-1');
  table.onDraft('new-1', undefined);
  expect(table.trailing.get()).toEqual(['new-2']);
  expect(rows.get('new-1')).toBeUndefined();
});

describe('an unsaved row', () => {
  const show = (next: string): void => {
    month = next;
    table.replace([]);
    table.updateVisibility();
  };

  it('an unsaved row is in its own month only, and keeps its place there', () => {
    table.setBlankRow(true);
    typeInto('new-1');
    typeInto('new-2');
    show('2026-10');
    expect(table.trailing.get()).toEqual(['new-3']);
    expect(rows.get('new-1')).toBeUndefined();
    show('2026-11');
    expect(table.trailing.get()).toEqual(['new-1', 'new-2', 'new-3']);
    expect(rows.get('new-1')?.draft).toBe(drafts.get('new-1'));
  });

  it('an unsaved row is not visible when it is restored while another month is shown', () => {
    month = '2026-10';
    table.setBlankRow(true);
    typeInto('restored');
    expect(table.trailing.get()).toEqual(['new-1']);
    show('2026-11');
    expect(table.trailing.get()).toEqual(['restored', 'new-1']);
  });

  it('an unsaved row saved or discarded while not visible does not return', () => {
    table.setBlankRow(true);
    typeInto('new-1');
    typeInto('new-2');
    show('2026-10');
    table.onDeal('new-1', deal('d1'));
    drafts.clear();
    table.onDraft('new-1', undefined);
    table.onDraft('new-2', undefined);
    show('2026-11');
    expect(table.trailing.get()).toEqual(['new-3']);
  });
});

it('the table of deals keeps an emptied unsaved row until its cell is left', () => {
  table.setBlankRow(true);
  const leave = rows.markActive('new-1');
  typeInto('new-1');
  drafts.delete('new-1');
  table.onDraft('new-1', undefined);
  expect(table.trailing.get()).toEqual(['new-1', 'new-2']);
  leave();
  expect(table.trailing.get()).toEqual(['new-2']);
});

describe('rows for a paste', () => {
  it('rows for a paste are added below the others: the blank one is filled first, and the last one is the new blank one', () => {
    expect(table.addRows(2)).toEqual([]);
    table.setBlankRow(true);
    expect(table.addRows(2)).toEqual(['new-2', 'new-3']);
    expect(table.trailing.get()).toEqual(['new-1', 'new-2', 'new-3']);
    expect(table.blankKey()).toBe('new-3');
    expect(rows.getOrder()).toEqual([]);
  });

  it('rows for a paste without edits are removed, except the blank one', () => {
    table.setBlankRow(true);
    table.addRows(3);
    typeInto('new-2');
    table.dropEmpty(['new-1', 'new-2', 'new-4']);
    expect(table.trailing.get()).toEqual(['new-2', 'new-3', 'new-4']);
    expect(rows.get('new-1')).toBeUndefined();
    drafts.clear();
    table.onDeal('new-2', deal('d2'));
    table.dropEmpty(['new-2', 'new-4', 'unknown']);
    expect(rows.get('new-4')).toBeDefined();
    expect(rows.get('new-2')?.deal?._id).toBe('d2');
  });
});

it('an undone row leaves its key free', () => {
  table.setBlankRow(true);
  typeInto('new-1');
  drafts.clear();
  table.onDeal('new-1', deal('d1'));
  expect(table.keyOf('d1')).toBe('new-1');
  table.undoCreate('d1');
  expect(table.keyOf('d1')).toBe('d1');
  expect(rows.getOrder()).toEqual([]);
});

it('an undone row that is typed and emptied again stays until its cell is left', () => {
  table.setBlankRow(true);
  typeInto('new-1');
  drafts.clear();
  table.onDeal('new-1', deal('d1'));
  table.remove(['d1']);
  table.undoCreate('d1');
  typeInto('new-1');
  rows.markActive('new-1');
  drafts.clear();
  table.onDraft('new-1', undefined);
  expect(rows.get('new-1')).toBeDefined();
});

it('notifies nobody of the unsaved rows while none is added or removed', () => {
  table.setBlankRow(true);
  table.replace([deal('d1')]);
  let notified = 0;
  table.trailing.subscribe(() => (notified += 1));
  table.onDeal('d1', deal('d1', { version: 2 }));
  table.dropEmpty(['d1', 'new-1']);
  expect(notified).toBe(0);
});

describe('reloading the same rows', () => {
  it('reloading the same rows moves nothing: known rows keep their places, new ones are added at the end, missing ones are removed', () => {
    table.replace([deal('a'), deal('b'), deal('c')]);
    const again = table.beginAgain();
    again.page([deal('new'), deal('c', { version: 2 })]);
    again.page([deal('a')]);
    expect(rows.getOrder()).toEqual(['a', 'b', 'c', 'new']);
    expect(rows.get('c')?.deal?.version).toBe(2);
    again.end();
    expect(rows.getOrder()).toEqual(['a', 'c', 'new']);
  });

  it('reloading the same rows keeps a row that was restored after the server had read the page without it', () => {
    table.replace([deal('a'), deal('b'), deal('c')]);
    const again = table.beginAgain();
    again.page([deal('a')]);
    table.refresh([deal('b', { version: 3 })]);
    again.end();
    expect(rows.getOrder()).toEqual(['a', 'b']);
  });

  it('reloading the same rows keeps rows that were saved while pages loaded, and rows with a draft', () => {
    table.replace([deal('a'), deal('b')]);
    const again = table.beginAgain();
    again.page([deal('a')]);
    table.onDeal('typed', deal('saved'));
    typeInto('b');
    again.end();
    expect(rows.getOrder()).toEqual(['a', 'b', 'typed']);
  });
});

describe('an unsaved row of another tab', () => {
  const inMonth = (key: string, of: string): void => {
    const draft = emptyDraft(key, null, of);
    drafts.set(key, draft);
    table.onDraft(key, draft);
  };

  it('an unsaved row of another tab is shown above the blank row, once, in its own month', () => {
    table.setBlankRow(true);
    inMonth('here', '2026-11');
    inMonth('elsewhere', '2026-10');
    inMonth('elsewhere', '2026-10');
    expect(rows.get('here')?.draft).toBeDefined();
    expect(rows.get('elsewhere')).toBeUndefined();
    expect(table.trailing.get()).toEqual(['here', 'new-1']);
    month = '2026-10';
    table.updateVisibility();
    expect(rows.get('here')).toBeUndefined();
    expect(rows.get('elsewhere')?.draft).toBeDefined();
    expect(table.trailing.get()).toEqual(['elsewhere', 'new-1']);
  });

  it('an unsaved row of another tab is the last one for users who may not add rows', () => {
    inMonth('here', '2026-11');
    expect(table.trailing.get()).toEqual(['here']);
  });

  it('an unsaved row of another tab stays above the rows that a paste adds', () => {
    table.setBlankRow(true);
    inMonth('here', '2026-11');
    table.addRows(2);
    expect(table.trailing.get()).toEqual(['here', 'new-1', 'new-2', 'new-3']);
  });

  it('an unsaved row of another tab is not shown by a response when it belongs to another month', () => {
    table.onDeal('x', deal('d9', { month: '2026-12' }));
    expect(rows.get('x')).toBeUndefined();
  });
});

describe('a row that was deleted on the server', () => {
  const clear = (key: string): void => {
    drafts.delete(key);
    table.onDraft(key, undefined);
  };

  it('a row that was deleted on the server stays during more edits and leaves when its draft is discarded', () => {
    table.replace([deal('d1')]);
    typeInto('d1');
    table.remove(['d1']);
    typeInto('d1');
    expect(rows.get('d1')).toBeDefined();
    clear('d1');
    expect(rows.get('d1')).toBeUndefined();
    // Restored since: discarding another draft leaves the row.
    table.append([deal('d1')]);
    typeInto('d1');
    clear('d1');
    expect(rows.get('d1')).toBeDefined();
  });

  it('a row that was deleted on the server is not marked as deleted if it was not in the table', () => {
    table.remove(['later']);
    table.append([deal('later')]);
    typeInto('later');
    clear('later');
    expect(rows.get('later')).toBeDefined();
  });
});

it('a row that an edit moved to another month leaves when its cell is left', () => {
  table.replace([deal('d1')]);
  typeInto('d1');
  const release = rows.hold('d1');
  table.refresh([deal('d1', { month: '2026-12', version: 2 })]);
  drafts.clear();
  expect(rows.get('d1')).toBeDefined();
  release();
  expect(rows.get('d1')).toBeUndefined();
});
