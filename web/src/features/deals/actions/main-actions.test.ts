import type { Deal } from '@forecourt/contract/deals';
import type { DoNotContact } from '@forecourt/contract/do-not-contact';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DealOptions } from '../deal-fields.ts';
import type { DealRow } from '../deal-row.ts';
import { commentsOpen, dealDialog, findContact } from '../open-parts.ts';
import { mainActions, openActions, runAction, type ActionScope } from './main-actions.ts';
import { moreActions } from './more-actions.ts';

const allowed = { edit: true, email: true, share: true, transfer: true, delete: true };
const rowOf = (key: string, abilities: object = {}): DealRow => ({
  key,
  deal: { _id: key, ownerName: 'Ada', abilities: { ...allowed, ...abilities } } as unknown as Deal,
  draft: undefined,
});
const blank: DealRow = { key: 'blank', deal: null, draft: undefined };

function scopeOf(rows: readonly DealRow[], canBulk = true): ActionScope {
  return {
    rows,
    columnId: 'vehicle',
    onDeleted: () => {},
    blankKey: 'blank',
    permissions: { isAdmin: false, feature: () => canBulk, can: () => true },
    options: { columns: ['vehicle', 'status', 'items'] } as unknown as DealOptions,
  };
}
const abilitiesOf = (rows: readonly DealRow[], canBulk = true) =>
  Object.fromEntries(
    Object.entries({
      ...mainActions(scopeOf(rows, canBulk)),
      ...moreActions(scopeOf(rows, canBulk)),
    }).flatMap(([id, action]) => (action ? [[id, action.ability]] : [])),
  );

beforeEach(() => {
  dealDialog.set(null);
  commentsOpen.set(null);
});

describe('the actions on rows', () => {
  it('the actions on rows are all allowed on an own row', () => {
    expect(new Set(Object.values(abilitiesOf([rowOf('a')])))).toEqual(new Set([true]));
  });

  it('merge two saved rows or more that may be changed, if all of them but one may be deleted', () => {
    const abilityOf = (...rows: DealRow[]) => abilitiesOf(rows, false).merge;
    const kept = rowOf('b', { delete: 'NO_ROW_DELETE' });
    expect(abilityOf(rowOf('a'))).toBeUndefined();
    expect(abilityOf(rowOf('a'), kept)).toBe(true);
    expect(abilityOf(rowOf('a'), kept, kept)).toEqual(expect.any(String));
    expect(abilityOf(rowOf('a'), blank)).toEqual(expect.any(String));
    expect(abilityOf(rowOf('a'), rowOf('b', { edit: 'NOT_ROW_OWNER' }))).toContain('Ada');
    expect(abilityOf(...Array.from({ length: 22 }, (_, at) => rowOf(`${at}`)))).toContain('21');
  });

  it('the actions on rows merge a row with its possible duplicates on its page, if it may be deleted', () => {
    const duplicates = [{ _id: 'b', month: '2026-11' }];
    const mergeOf = (row: DealRow) => moreActions({ ...scopeOf([row]), duplicates }).merge;
    const merge = mergeOf(rowOf('a'));
    expect(merge).toMatchObject({ label: 'Merge…', ability: true });
    if (merge) merge.run();
    expect(dealDialog.get()).toMatchObject({ kind: 'merge', rows: [{ key: 'a' }], duplicates });
    expect(mergeOf(rowOf('a', { delete: 'NO_ROW_DELETE' }))).toMatchObject({
      ability: 'You do not have permission to delete rows',
    });
  });

  it('the actions on rows open the comments and the files of one saved row by a key, and otherwise show why not', () => {
    const { comments, attachments } = openActions({ rows: [rowOf('a')] });
    runAction(comments);
    expect(commentsOpen.get()).toBe('a');
    runAction(attachments);
    expect(dealDialog.get()).toMatchObject({ kind: 'attachments', rows: [{ key: 'a' }] });
    dealDialog.set(null);
    const { ability } = openActions({ rows: [blank] }).attachments;
    expect(ability).toBe('The row must be saved first: it needs a customer and a dealership');
    runAction(openActions({ rows: [] }).attachments);
    expect(dealDialog.get()).toBeNull();
  });

  it('the actions on rows open a dialog about their rows', () => {
    const rows = [rowOf('a'), rowOf('b')];
    mainActions(scopeOf(rows)).share.run();
    expect(dealDialog.get()).toMatchObject({ kind: 'share', rows });
    const { cellHistory } = moreActions(scopeOf(rows));
    if (cellHistory) cellHistory.run();
    expect(dealDialog.get()).toMatchObject({ kind: 'history', field: 'vehicle' });
  });

  it('the actions on rows add to the Do not contact list what is not listed yet, where such a column is visible', () => {
    const withContacts = (customerNumber: string, customerEmail: string): DealRow => {
      const row = rowOf('a');
      return { ...row, deal: { ...row.deal!, customerNumber, customerEmail } };
    };
    const abilityOf = (...rows: DealRow[]) => {
      const scope = scopeOf(rows);
      const { doNotContact } = moreActions({
        ...scope,
        options: { ...scope.options!, columns: ['customerEmail'] },
      });
      return doNotContact && doNotContact.ability;
    };
    findContact.set((text) => (text === '(0412) 345 678' ? ({} as DoNotContact) : undefined));
    expect(moreActions(scopeOf([withContacts('(0412) 345 678', '')])).doNotContact).toBe(false);
    expect(abilityOf(withContacts('(0412) 345 678', ''))).toBe('Already on the Do Not Contact list');
    expect(abilityOf(withContacts('(0412) 345 678', 'ann@buyer.example'))).toBe(true);
    expect(abilityOf(withContacts('', ''))).toBe('There is no phone number or email address here');
    findContact.set(() => undefined);
  });

  it('the actions on rows are refused with the reason of the first row that does not allow them', () => {
    const rows = [
      rowOf('a'),
      rowOf('b', { edit: 'NOT_ROW_OWNER', transfer: 'NO_OWNER_CHANGE', delete: 'NO' }),
    ];
    expect(abilitiesOf(rows)).toMatchObject({
      status: 'This row is owned by Ada. Please contact Ada if you need edit rights.',
      transfer: 'You do not have permission to transfer rows',
      delete: 'You do not have permission to delete rows',
      history: 'Choose one row',
      share: true,
    });
  });

  it('the actions on rows are refused on several rows without the permission', () => {
    const refused = abilitiesOf([rowOf('a'), rowOf('b')], false);
    expect(refused).toMatchObject({
      email: 'You do not have permission to email several rows at once',
      transfer: 'You do not have permission to transfer several rows at once',
      status: 'You do not have permission to change several rows at once',
      delete: 'You do not have permission to delete several rows at once',
    });
    expect(abilitiesOf([rowOf('a')], false)).toMatchObject({ email: true, status: true, delete: true });
  });

  it('the actions on rows need a saved row, except its items', () => {
    expect(abilitiesOf([blank])).toMatchObject({
      email: 'The row is sent once it is saved: it needs a customer and a dealership',
      share: 'The row must be saved first: it needs a customer and a dealership',
      delete: 'Choose a row first',
      items: true,
      status: 'The row must be saved first: it needs a customer and a dealership',
      xlsx: 'The row must be saved first: it needs a customer and a dealership',
    });
    expect(abilitiesOf([rowOf('a'), blank])).toMatchObject({
      status: 'The row must be saved first: it needs a customer and a dealership',
      items: 'Choose one row',
    });
  });

  it('the actions on rows need a row, and no more rows than one request can have', () => {
    expect(new Set(Object.values(abilitiesOf([])))).toEqual(new Set(['Choose a row first']));
    const many = Array.from({ length: 10_001 }, () => rowOf('a'));
    const refused = abilitiesOf(many);
    for (const id of ['email', 'share', 'transfer', 'delete', 'status', 'xlsx'])
      expect(refused[id], id).toMatch(/10,001/);
    const { email, status } = abilitiesOf(many.slice(0, 501));
    expect([email, status]).toEqual([expect.stringMatching(/^501 rows .* at most 500 /), true]);
    expect(abilitiesOf(many.slice(0, 500))['email']).toBe(true);
  });

  it('the actions on rows are refused with the reason of the row', () => {
    const one = (abilities: object, change: Partial<DealRow> = {}) =>
      abilitiesOf([{ ...rowOf('a', abilities), ...change }]);
    const draft = {} as DealRow['draft'];
    expect(one({}, { draft })['email']).toContain('has changes that are not saved yet');
    expect(one({ email: 'COLUMN_HIDDEN' })['email']).toBe('You do not have permission to send emails');
    expect(one({ delete: 'NOT_ROW_OWNER' })['delete']).toMatch(/^This row is owned by Ada/);
  });

  it('the actions on rows are of administrators for deleted rows, and of the page for its panel', () => {
    const scope = scopeOf([rowOf('a')]);
    const opened: string[] = [];
    const { deleted, open } = moreActions({
      ...scope,
      permissions: { ...scope.permissions, isAdmin: true },
      onOpen: (id) => void opened.push(id),
    });
    if (deleted) deleted.run();
    expect(dealDialog.get()).toMatchObject({ kind: 'deleted' });
    if (open) open.run();
    expect(opened).toEqual(['a']);
  });

  it('the actions on rows do not exist for columns, months and exports that the user does not have', () => {
    const scope = scopeOf([rowOf('a')]);
    const actions = moreActions({
      ...scope,
      columnId: 'costAmount',
      permissions: { isAdmin: false, feature: () => false, can: () => false },
      options: { columns: [] } as unknown as DealOptions,
    });
    const idsOf = (of: object) => Object.entries(of).flatMap(([id, action]) => (action ? [id] : []));
    expect(idsOf(actions)).toEqual(['comments', 'attachments', 'history']);
    // An export requires both.
    for (const permissions of [
      { isAdmin: false, feature: () => true, can: () => false },
      { isAdmin: false, feature: () => false, can: () => true },
    ])
      expect(idsOf(moreActions({ ...scope, permissions }))).not.toContain('csv');
  });
});
