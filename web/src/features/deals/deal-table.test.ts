import type { Deal } from '@forecourt/contract/deals';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRowStore, type RowStore } from '../../grid/grid.ts';
import { emptyDraft, type DealDraft } from './deal-draft.ts';
import type { DealRow } from './deal-row.ts';
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
    outbox: { draftOf: (key) => drafts.get(key) },
    newKey: () => `new-${(keys += 1)}`,
    belongs: (one) => one.month === month,
    isInSight: (draft) => draft.month === month,
  });
});

function typeInto(key: string): DealDraft {
  const draft = emptyDraft(key, null, '2026-11');
  drafts.set(key, draft);
  table.onDraft(key, draft);
  return draft;
}

describe('the blank row', () => {
  it('is followed by another one as soon as something is typed in it', () => {
    table.offerBlank(true);
    typeInto('new-1');
    expect(table.trailing.get()).toEqual(['new-1', 'new-2']);
    expect(table.blankKey()).toBe('new-2');
  });

  it('stays the last when rows of an earlier visit come back', () => {
    table.offerBlank(true);
    typeInto('restored');
    expect(table.trailing.get()).toEqual(['restored', 'new-1']);
  });

  it('is not there for those who may not add rows', () => {
    table.offerBlank(true);
    table.offerBlank(false);
    expect(table.trailing.get()).toEqual([]);
    expect(rows.get('new-1')).toBeUndefined();
  });
});

describe('a saved row', () => {
  it('has the new name of its status at once, where it stands and with what is typed in it', () => {
    table.replace([deal('d1', { status: 'Called' }), deal('d2', { status: 'Deal' })]);
    const draft = typeInto('d1');
    table.renameStatuses(new Map([['Called', 'Rung']]));
    expect(rows.getOrder()).toEqual(['d1', 'd2']);
    expect(rows.get('d1')).toMatchObject({ deal: { status: 'Rung', version: 1 }, draft });
    expect(rows.get('d2')?.deal?.status).toBe('Deal');
  });

  it('keeps the key under which it was typed, also when the live event was faster than the answer', () => {
    table.offerBlank(true);
    typeInto('new-1');
    table.refresh([deal('d1')]);
    table.onDeal('new-1', deal('d1'));
    expect(rows.getOrder()).toEqual(['new-1']);
    expect(table.trailing.get()).toEqual(['new-2']);
    table.refresh([deal('d1', { version: 2 })]);
    expect(rows.getOrder()).toEqual(['new-1']);
    expect(rows.get('new-1')?.deal?.version).toBe(2);
  });

  it('has what somebody else made of it before its answer came', () => {
    table.offerBlank(true);
    typeInto('new-1');
    table.refresh([deal('d1', { version: 2, vehicle: 'Theirs' })]);
    table.onDeal('new-1', deal('d1'));
    expect(rows.getOrder()).toEqual(['new-1']);
    expect(rows.get('new-1')?.deal).toMatchObject({ version: 2, vehicle: 'Theirs' });
  });

  it('never goes back to an older version that an overtaken answer brings', () => {
    table.replace([deal('d1'), deal('d2')]);
    table.refresh([deal('d1', { version: 3, vehicle: 'Kia' }), deal('d2', { version: 2 })]);
    table.refresh([deal('d1', { version: 2, vehicle: 'Audi', month: '2026-10' })]);
    table.append([deal('d1', { version: 2, vehicle: 'Audi' })]);
    table.onDeal('d1', deal('d1', { version: 2, vehicle: 'Audi' }));
    table.beginAgain().page([deal('d2')]);
    expect(rows.get('d1')?.deal).toMatchObject({ version: 3, vehicle: 'Kia' });
    expect(rows.get('d2')?.deal?.version).toBe(2);
  });

  it('leaves the view when somebody moves it to another month', () => {
    table.replace([deal('d1'), deal('d2')]);
    table.refresh([deal('d1', { month: '2026-10' }), deal('d3', { month: '2026-10' })]);
    expect(rows.getOrder()).toEqual(['d2']);
  });

  it('stays for whoever stands in it when their own edit has moved it, and goes when they leave it', () => {
    table.replace([deal('d1'), deal('d2')]);
    const leave = rows.standIn('d1');
    table.onDeal('d1', deal('d1', { month: '2026-10', version: 2 }));
    table.refresh([deal('d1', { month: '2026-10', version: 3 })]);
    expect(rows.getOrder()).toEqual(['d1', 'd2']);
    expect(rows.get('d1')?.deal?.version).toBe(3);
    leave();
    expect(rows.getOrder()).toEqual(['d2']);
  });

  it('that its own edit moves goes only with its last answer, when it was left before', () => {
    table.replace([deal('d1')]);
    const leave = rows.standIn('d1');
    table.onDeal('d1', deal('d1', { month: '2026-10', version: 2 }));
    drafts.set('d1', emptyDraft('d1', 'd1', '2026-11'));
    leave();
    expect(rows.getOrder()).toEqual(['d1']);
    drafts.delete('d1');
    table.onDeal('d1', deal('d1', { month: '2026-10', version: 3 }));
    expect(rows.getOrder()).toEqual([]);
  });

  it('goes at once when somebody else moves it while somebody stands in it', () => {
    table.replace([deal('d1'), deal('d2')]);
    rows.standIn('d1');
    table.refresh([deal('d1', { month: '2026-10', version: 2 })]);
    expect(rows.getOrder()).toEqual(['d2']);
  });

  it('stays when it is deleted elsewhere while something typed in it is not saved', () => {
    table.replace([deal('d1'), deal('d2')]);
    drafts.set('d1', emptyDraft('d1', 'd1', '2026-11'));
    table.remove(['d1', 'd2']);
    expect(rows.getOrder()).toEqual(['d1']);
    drafts.delete('d1');
    table.onDraft('d1', undefined);
    expect(rows.getOrder()).toEqual([]);
  });

  it('shows again what was typed in it before a reload', () => {
    const draft: DealDraft = {
      ...emptyDraft('d1', 'd1', '2026-11'),
      typed: { vehicle: { value: 'Kia', version: 1 } },
    };
    drafts.set('d1', draft);
    table.replace([deal('d1')]);
    expect(rows.get('d1')?.draft).toBe(draft);
  });
});

it('drops an unsaved row that was discarded', () => {
  table.offerBlank(true);
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
    table.sight();
  };

  it('is in its own month only, and back in its place there', () => {
    table.offerBlank(true);
    typeInto('new-1');
    typeInto('new-2');
    show('2026-10');
    expect(table.trailing.get()).toEqual(['new-3']);
    expect(rows.get('new-1')).toBeUndefined();
    show('2026-11');
    expect(table.trailing.get()).toEqual(['new-1', 'new-2', 'new-3']);
    expect(rows.get('new-1')?.draft).toBe(drafts.get('new-1'));
  });

  it('is not in sight when it comes back from an earlier visit while another month is', () => {
    month = '2026-10';
    table.offerBlank(true);
    typeInto('restored');
    expect(table.trailing.get()).toEqual(['new-1']);
    show('2026-11');
    expect(table.trailing.get()).toEqual(['restored', 'new-1']);
  });

  it('that is saved or discarded out of sight does not come back', () => {
    table.offerBlank(true);
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

it('keeps an unsaved row that was emptied until it is left', () => {
  table.offerBlank(true);
  const leave = rows.standIn('new-1');
  typeInto('new-1');
  drafts.delete('new-1');
  table.onDraft('new-1', undefined);
  expect(table.trailing.get()).toEqual(['new-1', 'new-2']);
  leave();
  expect(table.trailing.get()).toEqual(['new-2']);
});

describe('loading the same rows once more', () => {
  it('moves nothing: known rows stay in their places, new ones come to the end, missing ones go', () => {
    table.replace([deal('a'), deal('b'), deal('c')]);
    const again = table.beginAgain();
    again.page([deal('new'), deal('c', { version: 2 })]);
    again.page([deal('a')]);
    expect(rows.getOrder()).toEqual(['a', 'b', 'c', 'new']);
    expect(rows.get('c')?.deal?.version).toBe(2);
    again.end();
    expect(rows.getOrder()).toEqual(['a', 'c', 'new']);
  });

  it('keeps a row that was saved while the pages came, and one that somebody is typing in', () => {
    table.replace([deal('a'), deal('b')]);
    const again = table.beginAgain();
    again.page([deal('a')]);
    table.onDeal('typed', deal('saved'));
    typeInto('b');
    again.end();
    expect(rows.getOrder()).toEqual(['a', 'b', 'typed']);
  });
});
