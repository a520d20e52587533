import type { Ability } from '@forecourt/contract/route';
import { Menu } from '@mantine/core';
import CalendarArrowDown from 'lucide-react/icons/calendar-arrow-down';
import Download from 'lucide-react/icons/download';
import History from 'lucide-react/icons/history';
import Package from 'lucide-react/icons/package';
import Tag from 'lucide-react/icons/tag';
import Undo2 from 'lucide-react/icons/undo-2';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useMay } from '../../platform/permissions.ts';
import { texts } from '../../texts/deal-actions.ts';
import { texts as common } from '../../texts/deals.ts';
import { texts as deleted } from '../../texts/deleted-deals.ts';
import { ButtonMenu } from '../../ui/ButtonPopover.tsx';
import { toastWarning } from '../../ui/toasts.ts';
import type { Opened } from '../../ui/use-opener.ts';
import { existsFor, type DealOptions } from './deal-options.ts';
import type { DealRow } from './deal-row.ts';
import { fitsOneCall, manyAbility } from './many-rows.ts';
import type { Deals } from './use-deals.ts';

export type MoreActionsProps = {
  deals: Deals;
  rows: readonly DealRow[];
  options: DealOptions | undefined;
  /** The column that somebody is in: its history can be asked for alone. */
  columnId?: string | undefined;
  /** Opens the items of a row; absent where a form has them. */
  onItems?: ((row: DealRow) => void) | undefined;
};

const SetStatus = lazy(async () => ({ default: (await import('./ChangeDeals.tsx')).SetStatus }));
const SetMonth = lazy(async () => ({ default: (await import('./ChangeDeals.tsx')).SetMonth }));
const DeletedRows = lazy(async () => ({ default: (await import('./DeletedRows.tsx')).DeletedRows }));
const RowHistory = lazy(async () => ({ default: (await import('./RowHistory.tsx')).RowHistory }));

type Open = { kind: 'status' | 'month' | 'history' | 'cell' | 'deleted'; rows: readonly DealRow[] };

/** The menu below the button for more, and the dialogs to which it leads. */
export default function MoreMenu({
  part,
  deals,
  rows,
  options,
  columnId,
  onItems,
}: MoreActionsProps & { part: Opened }): ReactNode {
  const may = useMay();
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const [first] = rows;
  const change = changeAbility(rows, may.feature('bulkEdit'));
  const edit: Ability = rows.length > 1 ? texts.oneRow : changeAbility(rows, true, false);
  const read: Ability = rows.length > 1 ? texts.oneRow : saved(rows);

  const item = (ability: Ability, icon: ReactNode, label: string, act: () => void): ReactNode => (
    <Menu.Item
      leftSection={icon}
      {...(ability !== true && { 'aria-disabled': true, 'data-disabled': true, title: ability })}
      onClick={() => (ability === true ? act() : toastWarning(ability))}
    >
      {label}
    </Menu.Item>
  );
  const fits = fitsOneCall(rows.length);
  const exportable = fits === true ? saved(rows) : fits;
  const exporting = (format: 'csv' | 'xlsx', label: string): ReactNode =>
    item(exportable, <Download />, label, () => {
      const ids = rows.flatMap(({ deal }) => deal?._id ?? []);
      void import('./export-rows.ts').then(({ exportRows }) => exportRows(ids, format));
    });
  const has = (id: string): boolean => options !== undefined && existsFor(options, id);

  return (
    <>
      <ButtonMenu part={part} position="bottom-end">
        {onItems && has('items') && item(edit, <Package />, texts.items, () => first && onItems(first))}
        {has('status') && item(change, <Tag />, texts.setStatus, () => setOpen({ kind: 'status', rows }))}
        {may.do('dataEntry', 'canAccessAllMonths') &&
          item(change, <CalendarArrowDown />, texts.setMonth, () => setOpen({ kind: 'month', rows }))}
        {item(read, <History />, texts.history, () => setOpen({ kind: 'history', rows }))}
        {columnId !== undefined &&
          has(columnId) &&
          item(read, <History />, texts.cellHistory, () => setOpen({ kind: 'cell', rows }))}
        {may.feature('export') && may.do('dataEntry', 'canExport') && (
          <>
            {exporting('xlsx', texts.exportExcel)}
            {exporting('csv', texts.exportCsv)}
          </>
        )}
        {may.admin && item(true, <Undo2 />, deleted.open, () => setOpen({ kind: 'deleted', rows }))}
      </ButtonMenu>
      <Suspense>
        {open?.kind === 'status' && (
          <SetStatus deals={deals} rows={open.rows} statuses={options?.statuses ?? []} onClose={close} />
        )}
        {open?.kind === 'month' && <SetMonth deals={deals} rows={open.rows} onClose={close} />}
        {open?.kind === 'deleted' && <DeletedRows deals={deals} onClose={close} />}
        {(open?.kind === 'history' || open?.kind === 'cell') && (
          <RowHistory
            rows={open.rows}
            field={open.kind === 'cell' && columnId !== undefined ? columnId : null}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
}

/** Whether all of the rows are with the server, or why not. */
function saved(rows: readonly DealRow[]): Ability {
  if (rows.length === 0) return common.chooseRow;
  return rows.every(({ deal }) => deal !== null) || common.saveFirst;
}

/** Whether all of the rows may be changed, or the first reason why not. */
function changeAbility(rows: readonly DealRow[], mayBulk: boolean, mustBeSaved = true): Ability {
  const there = mustBeSaved || rows.length === 0 ? saved(rows) : true;
  if (there !== true) return there;
  const many = manyAbility(rows.length, mayBulk);
  if (many !== true) return many;
  const blocked = rows.find(({ deal }) => deal !== null && deal.abilities.edit !== true);
  return blocked ? common.ownedBy(blocked.deal?.ownerName) : true;
}
