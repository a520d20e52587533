import type { Deal } from '@forecourt/contract/deals';
import { beforeEach, describe, expect, it } from 'vitest';
import { dealDialog } from '../data-entry-context.ts';
import type { DealOptions } from '../deal-fields.ts';
import type { DealRow } from '../deal-row.ts';
import { mainActions, type ActionScope } from './main-actions.ts';
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
    onItems: () => {},
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

beforeEach(() => dealDialog.set(null));

describe('the actions on rows', () => {
  it('are all allowed on an own row', () => {
    expect(new Set(Object.values(abilitiesOf([rowOf('a')])))).toEqual(new Set([true]));
  });

  it('open a dialog about their rows', () => {
    const rows = [rowOf('a'), rowOf('b')];
    mainActions(scopeOf(rows)).share.run();
    expect(dealDialog.get()).toMatchObject({ kind: 'share', rows });
    const { cellHistory } = moreActions(scopeOf(rows));
    if (cellHistory) cellHistory.run();
    expect(dealDialog.get()).toMatchObject({ kind: 'history', field: 'vehicle' });
  });

  it('are refused with the reason of the first row that does not allow them', () => {
    const rows = [
      rowOf('a'),
      rowOf('b', { edit: 'NOT_ROW_OWNER', transfer: 'NO_OWNER_CHANGE', delete: 'NO' }),
    ];
    expect(abilitiesOf(rows)).toMatchObject({
      status: 'This row is owned by Ada. Please contact Ada if you need edit rights.',
      transfer: 'You do not have permission to hand over rows',
      delete: 'You do not have permission to delete rows',
      history: 'Choose one row',
      share: true,
    });
  });

  it('are refused on several rows without the permission', () => {
    const refused = abilitiesOf([rowOf('a'), rowOf('b')], false);
    expect(refused).toMatchObject({
      email: 'You do not have permission to email several rows at once',
      transfer: 'You do not have permission to hand over several rows at once',
      status: 'You do not have permission to change several rows at once',
      delete: 'You do not have permission to delete several rows at once',
    });
    expect(abilitiesOf([rowOf('a')], false)).toMatchObject({ email: true, status: true, delete: true });
  });

  it('need a saved row, except its items', () => {
    expect(abilitiesOf([blank])).toMatchObject({
      email: 'The row is sent once it is saved: it needs a customer and a dealership',
      share: 'The row must be saved first: it needs a customer and a dealership',
      delete: 'Choose a row first',
      items: true,
    });
  });

  it('do not exist for columns, months and exports that the user does not have', () => {
    const scope = scopeOf([rowOf('a')]);
    const actions = moreActions({
      ...scope,
      columnId: 'costAmount',
      permissions: { isAdmin: false, feature: () => false, can: () => false },
      options: { columns: [] } as unknown as DealOptions,
    });
    const present = Object.entries(actions).flatMap(([id, action]) => (action ? [id] : []));
    expect(present).toEqual(['comments', 'attachments', 'history']);
  });
});
