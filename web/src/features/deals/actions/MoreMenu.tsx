import type { ExportFormat } from '@forecourt/contract/exports';
import type { Ability } from '@forecourt/contract/route';
import { Menu } from '@mantine/core';
import CalendarArrowDown from 'lucide-react/icons/calendar-arrow-down';
import Download from 'lucide-react/icons/download';
import History from 'lucide-react/icons/history';
import Package from 'lucide-react/icons/package';
import Tag from 'lucide-react/icons/tag';
import Undo2 from 'lucide-react/icons/undo-2';
import { Suspense, useState, type ReactNode } from 'react';
import { usePermissions } from '../../../platform/permissions.ts';
import { texts } from '../../../texts/deal-actions.ts';
import { texts as common } from '../../../texts/deals.ts';
import { texts as deleted } from '../../../texts/deleted-deals.ts';
import { texts as exportTexts } from '../../../texts/exports.ts';
import { ButtonMenu } from '../../../ui/ButtonPopover.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { toastWarning, toastDone, toastFailed } from '../../../ui/toasts.ts';
import type { Opened } from '../../../ui/use-opener.ts';
import { exportSelection } from '../../exports/exports.queries.ts';
import { useDataEntry } from '../data-entry-context.ts';
import { existsFor } from '../deal-fields.ts';
import type { DealRow } from '../deal-row.ts';
import { fitsOneCall, manyAbility } from './row-actions.ts';

export type MoreActionsProps = {
  rows: readonly DealRow[];
  /** The active column, whose history can be shown alone. */
  columnId?: string | undefined;
  /** Opens the items of a row. Absent where a form shows them. */
  onItems?: ((row: DealRow) => void) | undefined;
};

const SetStatus = lazyPart(async () => ({ default: (await import('./ChangeDeals.tsx')).SetStatus }));
const SetMonth = lazyPart(async () => ({ default: (await import('./ChangeDeals.tsx')).SetMonth }));
const DeletedRows = lazyPart(async () => ({ default: (await import('./DeletedRows.tsx')).DeletedRows }));
const RowHistory = lazyPart(async () => ({
  default: (await import('../history/RowHistory.tsx')).RowHistory,
}));

type Open = { kind: 'status' | 'month' | 'history' | 'cell' | 'deleted'; rows: readonly DealRow[] };

/** The menu of further actions, and their dialogs. */
export default function MoreMenu({
  part,
  rows,
  columnId,
  onItems,
}: MoreActionsProps & { part: Opened }): ReactNode {
  const permissions = usePermissions();
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const [first] = rows;
  const change = changeAbility(rows, permissions.feature('bulkEdit'));
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
      void exportRows(ids, format);
    });
  const { options } = useDataEntry();
  const has = (id: string): boolean => options !== undefined && existsFor(options, id);

  return (
    <>
      <ButtonMenu part={part} position="bottom-end">
        {onItems && has('items') && item(edit, <Package />, texts.items, () => first && onItems(first))}
        {has('status') && item(change, <Tag />, texts.setStatus, () => setOpen({ kind: 'status', rows }))}
        {permissions.can('dataEntry', 'canAccessAllMonths') &&
          item(change, <CalendarArrowDown />, texts.setMonth, () => setOpen({ kind: 'month', rows }))}
        {item(read, <History />, texts.history, () => setOpen({ kind: 'history', rows }))}
        {columnId !== undefined &&
          has(columnId) &&
          item(read, <History />, texts.cellHistory, () => setOpen({ kind: 'cell', rows }))}
        {permissions.feature('export') && permissions.can('dataEntry', 'canExport') && (
          <>
            {exporting('xlsx', texts.exportExcel)}
            {exporting('csv', texts.exportCsv)}
          </>
        )}
        {permissions.isAdmin && item(true, <Undo2 />, deleted.open, () => setOpen({ kind: 'deleted', rows }))}
      </ButtonMenu>
      <Suspense>
        {open?.kind === 'status' && (
          <SetStatus rows={open.rows} statuses={options?.statuses ?? []} onClose={close} />
        )}
        {open?.kind === 'month' && <SetMonth rows={open.rows} onClose={close} />}
        {open?.kind === 'deleted' && <DeletedRows onClose={close} />}
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

/** Returns whether all of the rows are saved, or why not. */
function saved(rows: readonly DealRow[]): Ability {
  if (rows.length === 0) return common.chooseRow;
  return rows.every(({ deal }) => deal !== null) || common.saveFirst;
}

/** Returns whether all of the rows may be changed, or the first reason why not. */
function changeAbility(rows: readonly DealRow[], canBulk: boolean, mustBeSaved = true): Ability {
  const there = mustBeSaved || rows.length === 0 ? saved(rows) : true;
  if (there !== true) return there;
  const many = manyAbility(rows.length, canBulk, 'change');
  if (many !== true) return many;
  const blocked = rows.find(({ deal }) => deal !== null && deal.abilities.edit !== true);
  return blocked ? common.ownedBy(blocked.deal?.ownerName) : true;
}

/** Creates a file of these rows and downloads it when it is ready. Shows the progress in toasts. */
async function exportRows(ids: string[], format: ExportFormat): Promise<void> {
  toastDone(exportTexts.exporting(ids.length));
  try {
    const made = await exportSelection(ids, format);
    if (made.state === 'ready') toastDone(exportTexts.ready(made.name, made.rows));
    else toastWarning(made.message ?? exportTexts.notMade);
  } catch (failure) {
    toastFailed(failure, exportTexts.notMade);
  }
}
