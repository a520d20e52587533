import type { FilterField } from '@forecourt/contract/deal-filter-fields';
import { Menu } from '@mantine/core';
import ExternalLink from 'lucide-react/icons/external-link';
import Phone from 'lucide-react/icons/phone';
import { Fragment, useState, type ReactNode } from 'react';
import type { GridMenuTarget } from '../../../grid/grid.ts';
import { useTimeZone } from '../../../platform/deal-options.ts';
import { useScreenCommands } from '../../../platform/screen-commands.ts';
import type { Point } from '../../../platform/use-menu-gesture.ts';
import { texts as customTexts } from '../../../texts/custom-values.ts';
import { texts } from '../../../texts/deals.ts';
import { ButtonMenu, MenuAction } from '../../../ui/ButtonMenu.tsx';
import type { Opened } from '../../../ui/use-opener.ts';
import { safeAddress } from '../custom/custom-values.ts';
import { useDataEntry } from '../data-entry-context.ts';
import { activeNames } from '../deal-fields.ts';
import { rowName } from '../deal-row.ts';
import { type DealSort, isOverMonths } from '../deal-view.ts';
import { cellCondition, filterFieldOf } from '../views/cell-filter.ts';
import {
  createAction,
  mainActions,
  useActionScope,
  type ActionTarget,
  type DealAction,
} from './main-actions.ts';
import { cellActions, cellFilterActions, columnActions, groupHeadActions } from './menu-actions.ts';
import { moreActions } from './more-actions.ts';

/** Position and target of an open context menu. */
export type OpenDealMenu = { readonly target: GridMenuTarget; readonly at: Point };

type DealMenuProps = {
  /** Null while the menu is closed. */
  open: OpenDealMenu | null;
  onSort: (sort: DealSort | null) => void;
  onFilter: (field: FilterField) => void;
  onPanel: () => void;
  onClose: () => void;
};

/** The context menu. Mounted before it is opened, so that it is focused as soon as it is visible. */
export default function DealMenu(props: DealMenuProps): ReactNode {
  const { open, onClose } = props;
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  // An element without a size, because a menu is positioned beside an element.
  const at = { position: 'fixed', left: open?.at.x ?? 0, top: open?.at.y ?? 0 } as const;
  const part = anchor && { id: 'deal-menu', target: anchor, opened: true, onChange: onClose };
  return (
    <>
      <span ref={setAnchor} style={at} />
      {part && open?.target.kind === 'header' && <ColumnMenu {...props} target={open.target} part={part} />}
      {part && open?.target.kind === 'group' && <GroupMenu {...props} target={open.target} part={part} />}
      {part && (open?.target.kind === 'cells' || open?.target.kind === 'row') && (
        <RowMenu {...props} target={open.target} part={part} />
      )}
    </>
  );
}

type OpenMenuProps<K extends GridMenuTarget['kind']> = DealMenuProps & {
  target: Extract<GridMenuTarget, { kind: K }>;
  part: Opened;
};

function ColumnMenu({ target, part, onSort, onFilter, onPanel }: OpenMenuProps<'header'>): ReactNode {
  const { deals, view, columns, options, grid, arrangement, group, groupable } = useDataEntry();
  const column = columns.find(({ id }) => id === target.columnId);
  if (!column) return null;
  const groups = columnActions({
    column,
    columnIds: columns.map(({ id }) => id),
    customFields: options?.customFields ?? [],
    state: arrangement.columns,
    sort: arrangement.sort,
    statuses: activeNames(options?.statuses),
    isOverMonths: isOverMonths(view),
    isMonthOnly: isOverMonths(view) && deals.loading.inWindow.get() !== null,
    field: options && filterFieldOf(column.id, options),
    group,
    groupable,
    onFilter,
    onGroup: arrangement.setGroup,
    onSort,
    onColumns: arrangement.setColumns,
    onFit: (columnId) => grid.current?.fitColumn(columnId),
    onPanel,
  });
  return <ActionMenu part={part} label={column.header} groups={groups} />;
}

function GroupMenu({ target, part }: OpenMenuProps<'group'>): ReactNode {
  const { groups: store, arrangement } = useDataEntry();
  const current = store.get();
  const group = current?.list.find(({ key }) => key === target.key);
  if (!current || !group) return null;
  const groups = groupHeadActions(group, current, () => arrangement.setGroup(null));
  return <ActionMenu part={part} label={group.label} groups={groups} />;
}

/** The menu of cells, a row or a card. On one of the selected rows it concerns all of them. */
function RowMenu({ target, part }: OpenMenuProps<'cells' | 'row'>): ReactNode {
  const { deals, view, columns, options, grid, arrangement, selected, setSelected, openDeal } =
    useDataEntry();
  const timeZone = useTimeZone();
  const cell = target.kind === 'cells' ? target.cell : undefined;
  const key = target.kind === 'cells' ? target.cell.key : target.key;
  const block = target.kind === 'cells' ? target.keys : [key];
  const inBlock = block.length > 1 ? block.filter((each) => each !== deals.table.blankKey()) : block;
  const rows = (selected.has(key) ? [...selected] : inBlock).flatMap((each) => deals.rows.get(each) ?? []);
  const scope = useActionScope({
    rows,
    columnId: cell?.columnId,
    onOpen: openDeal,
    onDeleted: () => setSelected(new Set()),
  });
  const row = deals.rows.get(key);
  const column = columns.find(({ id }) => id === cell?.columnId);
  const cells =
    target.kind === 'cells' && row && column
      ? cellActions({
          target,
          column,
          row,
          canPaste: window.isSecureContext,
          run: (command) => grid.current?.run(command),
        })
      : [];
  const field = column && options && filterFieldOf(column.id, options);
  const deal = row?.deal;
  const filters =
    field && deal
      ? cellFilterActions({
          filter: view.filter,
          condition: (isNot) =>
            cellCondition({ field, value: column.get(row), deal }, isNot, options, timeZone),
          onFilter: arrangement.setFilter,
        })
      : [];
  const isLink = options?.customFields.some(({ key: id, type }) => id === column?.id && type === 'link');
  const address = isLink && row && column ? safeAddress(column.get(row)) : null;
  const openLink =
    address !== null &&
    createAction('openLink', customTexts.openLink, ExternalLink, () =>
      window.open(address, '_blank', 'noopener,noreferrer'),
    );
  const link = (row && column?.link?.(row)) ?? null;
  const call =
    link !== null && createAction('call', link.label, Phone, () => window.location.assign(link.href));
  const main = mainActions(scope);
  const { open, items, status, month, merge, comments, attachments, ...rest } = moreActions(scope);
  const { doNotContact, history, cellHistory, xlsx, csv } = rest;
  const groups = [
    [open, openLink, call],
    [...cells, cellHistory],
    filters,
    [
      main.email,
      status,
      items,
      month,
      merge,
      main.share,
      main.transfer,
      comments,
      attachments,
      doNotContact,
      history,
    ],
    [xlsx, csv],
    [main.delete],
  ];
  const [only] = rows.length === 1 ? rows : [];
  const label = only ? rowName(only) || texts.unsavedRow : texts.rows(rows.length);
  return <ActionMenu part={part} label={label} groups={groups} />;
}

type ActionMenuProps = {
  part: Opened;
  label: string;
  /** Actions that the user does not have are absent. */
  groups: readonly (readonly (DealAction | false | undefined)[])[];
};

export function ActionMenu({ part, label, groups }: ActionMenuProps): ReactNode {
  const visibleGroups = groups
    .map((group) => group.flatMap((action) => action || []))
    .filter((group) => group.length > 0);
  return (
    <ButtonMenu part={part} label={label} position="bottom-start" offset={0}>
      <Menu.Label>{label}</Menu.Label>
      {visibleGroups.map((group, at) => (
        <Fragment key={group[0]?.id}>
          {at > 0 && <Menu.Divider />}
          {group.map((action, index) => (
            <MenuAction
              key={action.id}
              icon={<action.icon />}
              keys={action.keys}
              ability={action.ability}
              isReasonKnown={action.ability === group[index - 1]?.ability}
              onRun={action.run}
            >
              {action.label}
            </MenuAction>
          ))}
        </Fragment>
      ))}
    </ButtonMenu>
  );
}

/** Offers the actions on rows in the command palette. */
export function RowCommands(target: ActionTarget): null {
  const scope = useActionScope(target);
  useScreenCommands(() => [
    ...Object.values(mainActions(scope)),
    ...Object.values(moreActions(scope)).flatMap((action) => action || []),
  ]);
  return null;
}

export function MoreMenu({ part, target }: { part: Opened; target: ActionTarget }): ReactNode {
  const actions = Object.values(moreActions(useActionScope(target)));
  return (
    <ButtonMenu part={part} position="bottom-end">
      {actions.map(
        (action) =>
          action && (
            <MenuAction key={action.id} icon={<action.icon />} ability={action.ability} onRun={action.run}>
              {action.label}
            </MenuAction>
          ),
      )}
    </ButtonMenu>
  );
}
