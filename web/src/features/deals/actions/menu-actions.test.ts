import type { ColumnFilter, FilterCondition, FilterField } from '@forecourt/contract/deal-filter-fields';
import type { GroupField } from '@forecourt/contract/deal-groups';
import { describe, expect, it, vi } from 'vitest';
import { emptyColumnState, type ColumnState, type GridColumn } from '../../../grid/grid.ts';
import type { DealRow } from '../deal-row.ts';
import type { DealSort } from '../deal-view.ts';
import { cellActions, cellFilterActions, columnActions, groupHeadActions } from './menu-actions.ts';

const row: DealRow = { key: 'a', deal: null, draft: undefined };
const columnOf = (rest: Partial<GridColumn<DealRow>> = {}): GridColumn<DealRow> => ({
  id: 'vehicle',
  header: 'Vehicle',
  type: 'text',
  get: () => null,
  ...rest,
});

describe('the actions on a cell', () => {
  const cell = { key: 'a', columnId: 'vehicle' };
  const target = { kind: 'cells', cell, keys: ['a'], isBlock: false, canFillDown: true } as const;
  const abilities = (change: Partial<Parameters<typeof cellActions>[0]>) =>
    Object.fromEntries(
      cellActions({ target, column: columnOf(), row, canPaste: false, run: () => {}, ...change }).map(
        ({ id, ability }) => [id, ability],
      ),
    );

  it('run the commands of the grid and show their keys', () => {
    const run = vi.fn<(command: string) => void>();
    const actions = cellActions({ target, column: columnOf(), row, canPaste: true, run });
    actions.forEach((action) => action.run());
    expect(run.mock.calls.flat()).toEqual(['edit', 'copy', 'paste', 'clear', 'fillDown']);
    expect(actions.map(({ keys }) => keys)).toEqual(['F2', 'Ctrl+C', 'Ctrl+V', 'Delete', 'Ctrl+D']);
  });

  it('the actions on a cell leave out a paste where the page may not read the clipboard', () => {
    expect(abilities({})).not.toHaveProperty('paste');
  });

  it('the actions on a cell are refused with the reason of the cell, except copying', () => {
    const column = columnOf({ blockedReason: () => 'owned by Ada' });
    const refused = { edit: 'owned by Ada', copy: true, clear: 'owned by Ada', fillDown: 'owned by Ada' };
    expect(abilities({ column })).toEqual(refused);
    expect(abilities({ column: columnOf({ readOnly: true }) })['edit']).toBe('This column is computed');
  });

  it('the actions on a cell apply to the other cells of a block', () => {
    const column = columnOf({ blockedReason: () => 'owned by Ada' });
    const block = abilities({ column, target: { ...target, isBlock: true } });
    expect(block).toEqual({ edit: 'owned by Ada', copy: true, clear: true, fillDown: true });
  });

  it('the actions on a cell do not fill the first row', () => {
    expect(abilities({ target: { ...target, canFillDown: false } })['fillDown']).toBe(
      'There is no row above',
    );
  });
});

describe('the actions that filter by the value of a cell', () => {
  const part = (isNot: boolean): FilterCondition => ({
    field: 'notes',
    operator: isNot ? 'isNot' : 'is',
    value: 'ring',
  });

  it('the actions that filter by the value of a cell add the condition or its opposite', () => {
    const onFilter = vi.fn<(filter: ColumnFilter) => void>();
    const actions = cellFilterActions({ filter: null, condition: part, onFilter });
    expect(actions.map(({ label, ability }) => [label, ability])).toEqual([
      ['Only this value', true],
      ['Not this value', true],
    ]);
    actions[1]?.run();
    expect(onFilter.mock.calls).toEqual([[{ match: 'all', conditions: [part(true)] }]]);
  });

  it('the actions that filter by the value of a cell give the reason where the filter cannot have it, and are absent without a condition', () => {
    const group = { match: 'all' as const, conditions: [part(false)] };
    const filter: ColumnFilter = { match: 'any', conditions: [part(true), group] };
    const scope = { filter, onFilter: () => undefined };
    expect(cellFilterActions({ ...scope, condition: part })[0]?.ability).toMatch(/^The filter cannot/);
    expect(cellFilterActions({ ...scope, condition: () => null })).toEqual([]);
  });
});

describe('the actions on a column', () => {
  function setUp(change: Partial<Parameters<typeof columnActions>[0]> = {}) {
    let state: ColumnState = change.state ?? emptyColumnState;
    const onSort = vi.fn<(sort: DealSort | null) => void>();
    const onGroup = vi.fn<(group: GroupField | null) => void>();
    const onFit = vi.fn<(columnId: string) => void>();
    const onPanel = vi.fn<() => void>();
    const onFilter = vi.fn<(field: FilterField) => void>();
    const actions = columnActions({
      column: columnOf(),
      columnIds: ['vehicle', 'status', 'month'],
      customFields: [
        { key: 'custom1', type: 'select' },
        { key: 'custom2', type: 'multiSelect' },
      ],
      state,
      sort: null,
      statuses: ['Entered', 'Called'],
      isOverMonths: false,
      isMonthOnly: false,
      field: 'vehicle',
      group: null,
      groupable: true,
      onFilter,
      onGroup,
      onSort,
      onColumns: (update) => {
        state = update(state);
      },
      onFit,
      onPanel,
      ...change,
    }).flat();
    const action = (id: string) => actions.find((each) => each.id === id);
    const ids = actions.map(({ id }) => id);
    return { ids, action, onSort, onFilter, onGroup, onFit, onPanel, stateNow: () => state };
  }

  it('the actions on a column are its order, its filter, its place, its width and the panel', () => {
    const { ids, action, onFilter, onFit, onPanel } = setUp();
    expect(ids).toEqual([
      'ascending',
      'descending',
      'clearSort',
      'filter',
      'left',
      'right',
      'fit',
      'hide',
      'columns',
    ]);
    action('filter')?.run();
    expect(onFilter.mock.calls).toEqual([['vehicle']]);
    expect(setUp({ field: undefined }).ids).not.toContain('filter');
    for (const id of ['fit', 'columns']) action(id)?.run();
    expect(onFit.mock.calls).toEqual([['vehicle']]);
    expect(onPanel).toHaveBeenCalledOnce();
    for (const id of ['left', 'fit', 'hide', 'columns']) expect(action(id)?.ability, id).toBe(true);
  });

  it('group by it where its values make groups, and end that', () => {
    expect(setUp().ids).not.toContain('group');
    const email = setUp({ column: columnOf({ id: 'emailStatus' }), groupable: 'too many' });
    expect(email.action('group')?.ability).toBe('too many');
    email.action('group')?.run();
    expect(email.onGroup).toHaveBeenCalledWith('emailState');
    const current = setUp({ column: columnOf({ id: 'owner' }), group: 'owner' });
    expect(current.ids).not.toContain('group');
    current.action('ungroup')?.run();
    expect(current.onGroup).toHaveBeenCalledWith(null);
    expect(setUp({ column: columnOf({ id: 'month' }) }).ids).not.toContain('group');
    expect(setUp({ column: columnOf({ id: 'custom1' }) }).ids).toContain('group');
    expect(setUp({ column: columnOf({ id: 'custom2' }) }).ids).not.toContain('group');
    expect(setUp({ column: columnOf({ id: 'month' }), isOverMonths: true }).ids).toContain('group');
  });

  it('the actions on a column sort it in either direction, and restore the default order', () => {
    const { action, onSort } = setUp({ sort: { columnId: 'vehicle', direction: 'ascending' } });
    for (const id of ['ascending', 'descending', 'clearSort']) action(id)?.run();
    expect(onSort.mock.calls.flat()).toEqual([
      { columnId: 'vehicle', direction: 'ascending' },
      { columnId: 'vehicle', direction: 'descending' },
      null,
    ]);
    expect(action('clearSort')?.ability).toBe(true);
    expect(setUp().action('clearSort')?.ability).toBe('The rows are not sorted by this column');
  });

  it('the actions on a column move the next status to the top, as a click on the header does', () => {
    const { action, ids, onSort } = setUp({
      column: columnOf({ id: 'status' }),
      sort: { columnId: 'status', direction: 'other', first: 'Entered' },
    });
    expect(ids).not.toContain('ascending');
    expect(action('status')?.label).toBe('Show Called first');
    action('status')?.run();
    expect(onSort).toHaveBeenCalledWith({ columnId: 'status', direction: 'other', first: 'Called' });
  });

  it('the actions on a column are refused where the server sorts by month only', () => {
    expect(setUp({ isMonthOnly: true }).action('ascending')?.ability).toContain('sorted by month only');
    const month = setUp({ isMonthOnly: true, column: columnOf({ id: 'month' }) });
    expect(month.action('ascending')?.ability).toBe(true);
  });

  it('pin it to the other side and unpin it', () => {
    const pinned = { ...emptyColumnState, columnPinning: { start: ['vehicle'], end: [] } };
    const { ids, action, stateNow } = setUp({ state: pinned });
    expect(ids).not.toContain('left');
    action('right')?.run();
    expect(stateNow().columnPinning).toEqual({ start: [], end: ['vehicle'] });
    action('unpin')?.run();
    expect(stateNow().columnPinning).toEqual({ start: [], end: [] });
  });

  it('hide it, unless it is the last one or the month of results of all months', () => {
    const { action, stateNow } = setUp();
    action('hide')?.run();
    expect(stateNow().columnVisibility).toEqual({ vehicle: false });
    const last = { ...emptyColumnState, columnVisibility: { status: false, month: false } };
    expect(setUp({ state: last }).action('hide')?.ability).toBe('One column must be visible');
    expect(setUp({ isOverMonths: true }).action('hide')?.ability).toBe(true);
    expect(setUp({ column: columnOf({ id: 'month' }) }).action('hide')?.ability).toBe(true);
    const month = setUp({ isOverMonths: true, column: columnOf({ id: 'month' }) });
    expect(month.action('hide')?.ability).toBe('Results of all months show their month');
  });
});

describe('the actions on the head of a group', () => {
  function setUp(change: Partial<Parameters<typeof groupHeadActions>[0]> = {}) {
    const calls: unknown[][] = [];
    const record =
      (name: string) =>
      (...given: unknown[]): boolean =>
        calls.push([name, ...given]) > 0;
    const actions = groupHeadActions(
      { key: 'Deal', isExpanded: true, ability: true, ...change } as Parameters<typeof groupHeadActions>[0],
      { toggle: record('toggle'), toggleAll: record('toggleAll'), addAt: record('addAt') },
      record('ungroup'),
    );
    return { blocks: actions.map((block) => block.map(({ id }) => id)), actions: actions.flat(), calls };
  }

  it('the actions on the head of a group add a row to it, collapse it, collapse and expand all, and end the groups', () => {
    const { blocks, actions, calls } = setUp();
    expect(blocks).toEqual([['newRow'], ['collapse', 'collapseAll', 'expandAll'], ['ungroup']]);
    expect(actions.map(({ keys }) => keys)).toEqual(['Alt+N', undefined, 'Ctrl+←', 'Ctrl+→', undefined]);
    actions.forEach(({ run }) => run());
    expect(calls).toEqual([
      ['addAt', 'Deal'],
      ['toggle', 'Deal', false],
      ['toggleAll', false],
      ['toggleAll', true],
      ['ungroup'],
    ]);
  });

  it('expand a collapsed one, and say why it takes no row', () => {
    const { actions, calls } = setUp({ isExpanded: false, ability: 'not yours' });
    expect(actions.map(({ id, ability }) => [id, ability]).slice(0, 2)).toEqual([
      ['newRow', 'not yours'],
      ['expand', true],
    ]);
    actions[1]?.run();
    expect(calls).toEqual([['toggle', 'Deal', true]]);
  });
});
