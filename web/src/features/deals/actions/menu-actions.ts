import type { CustomTypes } from '@forecourt/contract/deal-fields';
import type { ColumnFilter, FilterField } from '@forecourt/contract/deal-filter-fields';
import { isGroupField, type GroupField } from '@forecourt/contract/deal-groups';
import type { Ability } from '@forecourt/contract/route';
import ArrowDownAZ from 'lucide-react/icons/arrow-down-a-z';
import ArrowDownZA from 'lucide-react/icons/arrow-down-z-a';
import ArrowLeftToLine from 'lucide-react/icons/arrow-left-to-line';
import ArrowRightToLine from 'lucide-react/icons/arrow-right-to-line';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronRight from 'lucide-react/icons/chevron-right';
import ChevronsDownUp from 'lucide-react/icons/chevrons-down-up';
import ChevronsLeftRight from 'lucide-react/icons/chevrons-left-right';
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down';
import ClipboardPaste from 'lucide-react/icons/clipboard-paste';
import Columns3 from 'lucide-react/icons/columns-3';
import Copy from 'lucide-react/icons/copy';
import CornerRightDown from 'lucide-react/icons/corner-right-down';
import Eraser from 'lucide-react/icons/eraser';
import EyeOff from 'lucide-react/icons/eye-off';
import Funnel from 'lucide-react/icons/funnel';
import FunnelX from 'lucide-react/icons/funnel-x';
import Group from 'lucide-react/icons/group';
import ListRestart from 'lucide-react/icons/list-restart';
import Pencil from 'lucide-react/icons/pencil';
import PinOff from 'lucide-react/icons/pin-off';
import Plus from 'lucide-react/icons/plus';
import Ungroup from 'lucide-react/icons/ungroup';
import {
  gridKeys,
  pinColumn,
  type ColumnState,
  type GridColumn,
  type GridCommand,
  type GridMenuTarget,
  type SetColumnState,
} from '../../../grid/grid.ts';
import { texts as groupTexts } from '../../../texts/deal-groups.ts';
import { texts } from '../../../texts/deal-menu.ts';
import { texts as windowTexts } from '../../../texts/deal-window.ts';
import { texts as common } from '../../../texts/deals.ts';
import { actionKeys } from '../action-keys.ts';
import type { ShownGroups } from '../data-entry-context.ts';
import type { DealRow } from '../deal-row.ts';
import type { DealSort } from '../deal-view.ts';
import { nextDealSort } from '../store/sort.ts';
import { isColumnShown } from '../views/arrangement.ts';
import { withCellCondition } from '../views/cell-filter.ts';
import type { FilterPart } from '../views/filter.ts';
import { createAction, type DealAction } from './main-actions.ts';

type CellsTarget = Extract<GridMenuTarget, { kind: 'cells' }>;
type CellScope = {
  readonly target: CellsTarget;
  readonly column: GridColumn<DealRow>;
  readonly row: DealRow;
  /** Whether the page may read the clipboard, which browsers permit only over https. */
  readonly canPaste: boolean;
  readonly run: (command: GridCommand) => void;
};

/** The grid's commands on a cell or a block. In a block, cells that may not be changed are skipped. */
export function cellActions({ target, column, row, canPaste, run }: CellScope): readonly DealAction[] {
  const edit: Ability = column.readOnly ? texts.computed : (column.blockedReason?.(row) ?? true);
  const change = target.isBlock || edit;
  const command = (id: GridCommand, icon: DealAction['icon'], ability: Ability): DealAction =>
    createAction(id, texts.commands[id], icon, () => run(id), { keys: gridKeys[id], ability });
  return [
    command('edit', Pencil, edit),
    command('copy', Copy, true),
    ...(canPaste ? [command('paste', ClipboardPaste, change)] : []),
    command('clear', Eraser, change),
    command('fillDown', CornerRightDown, target.canFillDown ? change : texts.nothingAbove),
  ];
}

type CellFilterScope = {
  readonly filter: ColumnFilter | null;
  /** Returns the condition on the cell's value, or its negation; null if there is none. */
  readonly condition: (isNot: boolean) => FilterPart | null;
  readonly onFilter: (filter: ColumnFilter) => void;
};

/** The actions that add a condition on the value of a cell to the filter. */
export function cellFilterActions({ filter, condition, onFilter }: CellFilterScope): readonly DealAction[] {
  return [false, true].flatMap((isNot) => {
    const part = condition(isNot);
    if (part === null) return [];
    const next = withCellCondition(filter, part);
    const [id, label, icon] = isNot
      ? (['notValue', texts.notValue, FunnelX] as const)
      : (['onlyValue', texts.onlyValue, Funnel] as const);
    return createAction(id, label, icon, () => next && onFilter(next), {
      ability: next !== null || texts.filterFull,
    });
  });
}

type ColumnScope = {
  readonly column: GridColumn<DealRow>;
  /** All columns that the user may see. */
  readonly columnIds: readonly string[];
  readonly customFields: CustomTypes;
  readonly state: ColumnState;
  readonly sort: DealSort | null;
  /** Names of the statuses in their order. */
  readonly statuses: readonly string[];
  /** Whether rows of all months are in view; the month column is then always visible. */
  readonly isOverMonths: boolean;
  /** Whether the server sorts the rows, which is possible only within a month. */
  readonly isMonthOnly: boolean;
  /** The field to filter the column by; undefined if there is none. */
  readonly field: FilterField | undefined;
  readonly group: GroupField | null;
  /** `true`, or the reason why rows cannot be grouped. */
  readonly groupable: Ability;
  readonly onFilter: (field: FilterField) => void;
  readonly onGroup: (group: GroupField | null) => void;
  readonly onSort: (sort: DealSort | null) => void;
  readonly onColumns: SetColumnState;
  readonly onFit: (columnId: string) => void;
  readonly onPanel: () => void;
};

/** Returns the group field of a column; undefined if rows cannot be grouped by it. */
function groupOf(columnId: string, customFields: CustomTypes): GroupField | undefined {
  const field = columnId === 'emailStatus' ? 'emailState' : columnId;
  return isGroupField(field, customFields) ? field : undefined;
}

/** Groups the rows by a column or ends the grouping. By month only if several months are in view. */
function groupActions({
  column,
  customFields,
  group,
  groupable,
  isOverMonths,
  onGroup,
}: ColumnScope): DealAction[] {
  const field = groupOf(column.id, customFields);
  const isOffered = field !== undefined && (field !== 'month' || isOverMonths);
  const by = (id: string, label: string, icon: DealAction['icon'], next: GroupField | null): DealAction =>
    createAction(id, label, icon, () => onGroup(next), { ability: groupable });
  return [
    ...(isOffered && field !== group ? [by('group', groupTexts.byColumn, Group, field)] : []),
    ...(group === null ? [] : [by('ungroup', groupTexts.ungroup, Ungroup, null)]),
  ];
}

/** Opens the filter with a condition on a column. */
const filterActions = ({ field, onFilter }: ColumnScope): DealAction[] =>
  field === undefined ? [] : [createAction('filter', texts.filter, Funnel, () => onFilter(field))];

/** The actions on a column: order, filter, group, position and width. */
export function columnActions(scope: ColumnScope): readonly (readonly DealAction[])[] {
  const { column, state, sort, onSort, onColumns } = scope;
  const { id: columnId } = column;
  const sortable: Ability = !scope.isMonthOnly || columnId === 'month' || windowTexts.unsorted;
  const sortTo = (direction: 'ascending' | 'descending', icon: DealAction['icon']): DealAction =>
    createAction(direction, texts[direction], icon, () => onSort({ columnId, direction }), {
      ability: sortable,
    });
  const next = nextDealSort(sort, columnId, scope.statuses);
  const statusFirst = texts.statusFirst(next?.first ?? '');
  const byStatus = createAction('status', statusFirst, ArrowDownAZ, () => onSort(next), {
    ability: sortable,
  });
  const isPinned = (side: 'start' | 'end'): boolean => state.columnPinning[side].includes(columnId);
  const pin = (side: 'left' | 'right' | null, icon: DealAction['icon']): DealAction =>
    createAction(side ?? 'unpin', texts.pin[side ?? 'none'], icon, () =>
      onColumns((old) => pinColumn(old, columnId, side)),
    );
  const hide = (): void =>
    onColumns((old) => ({ ...old, columnVisibility: { ...old.columnVisibility, [columnId]: false } }));
  const sorting =
    columnId === 'status'
      ? next === null
        ? []
        : [byStatus]
      : [sortTo('ascending', ArrowDownAZ), sortTo('descending', ArrowDownZA)];
  return [
    [
      ...sorting,
      createAction('clearSort', texts.clearSort, ListRestart, () => onSort(null), {
        ability: sort?.columnId === columnId || texts.notSorted,
      }),
    ],
    [...filterActions(scope), ...groupActions(scope)],
    [
      ...(isPinned('start') ? [] : [pin('left', ArrowLeftToLine)]),
      ...(isPinned('end') ? [] : [pin('right', ArrowRightToLine)]),
      ...(isPinned('start') || isPinned('end') ? [pin(null, PinOff)] : []),
      createAction('fit', texts.fit, ChevronsLeftRight, () => scope.onFit(columnId)),
      createAction('hide', texts.hide, EyeOff, hide, { ability: hideAbility(scope) }),
    ],
    [createAction('columns', `${common.columnsMenu}…`, Columns3, scope.onPanel)],
  ];
}

/** Collapses or expands all groups. */
export const allGroupsActions = ({ toggleAll }: Pick<ShownGroups, 'toggleAll'>): readonly DealAction[] => [
  createAction('collapseAll', groupTexts.collapseAll, ChevronsDownUp, () => toggleAll(false), {
    keys: actionKeys.collapseAll,
  }),
  createAction('expandAll', groupTexts.expandAll, ChevronsUpDown, () => toggleAll(true), {
    keys: actionKeys.expandAll,
  }),
];

export function groupHeadActions(
  { key, isExpanded, ability }: ShownGroups['list'][number],
  { toggle, toggleAll, addAt }: Pick<ShownGroups, 'toggle' | 'toggleAll' | 'addAt'>,
  onUngroup: () => void,
): readonly (readonly DealAction[])[] {
  return [
    [createAction('newRow', groupTexts.newRow, Plus, () => addAt(key), { keys: actionKeys.newRow, ability })],
    [
      isExpanded
        ? createAction('collapse', groupTexts.collapse, ChevronRight, () => toggle(key, false))
        : createAction('expand', groupTexts.expand, ChevronDown, () => toggle(key, true)),
      ...allGroupsActions({ toggleAll }),
    ],
    [createAction('ungroup', groupTexts.ungroup, Ungroup, onUngroup)],
  ];
}

function hideAbility({ column, columnIds, state, isOverMonths }: ColumnScope): Ability {
  if (isOverMonths && column.id === 'month') return texts.monthIsNeeded;
  return columnIds.filter((id) => isColumnShown(state, id)).length > 1 || texts.lastColumn;
}
