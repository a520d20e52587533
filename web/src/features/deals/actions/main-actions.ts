import type { ExistingDeal } from '@forecourt/contract/deal-import';
import { MAX_BULK_RECORDS, MAX_MERGED_ROWS } from '@forecourt/contract/deal-limits';
import type { Ability } from '@forecourt/contract/route';
import ArrowRightLeft from 'lucide-react/icons/arrow-right-left';
import Mail from 'lucide-react/icons/mail';
import Share2 from 'lucide-react/icons/share-2';
import Trash2 from 'lucide-react/icons/trash-2';
import type { ComponentType } from 'react';
import { usePermissions } from '../../../platform/permissions.ts';
import { texts } from '../../../texts/deals.ts';
import { toastWarning } from '../../../ui/toasts.ts';
import { actionKeys } from '../action-keys.ts';
import { useDataEntry } from '../data-entry-context.ts';
import type { DealOptions } from '../deal-fields.ts';
import type { DealRow } from '../deal-row.ts';
import { dealDialog, openComments, openFiles, type DealDialog } from '../open-parts.ts';

/** An action on many rows, as a verb for texts. */
type ManyAction = 'change' | 'delete' | 'email' | 'transfer';

/**
 * Returns `true` if one call may change this many rows, otherwise what to do instead. A call changes all rows or none
 * (docs/product/api.md, All or nothing).
 */
export const fitsOneCall = (rows: number, most = MAX_BULK_RECORDS): Ability =>
  rows <= most || texts.tooManyRows(rows, most);

/** Returns `true` if the user may act on this many rows at once, otherwise the reason. */
export const manyAbility = (rows: number, canBulk: boolean, action: ManyAction): Ability =>
  rows > 1 && !canBulk
    ? texts.mayNotBulk(action)
    : fitsOneCall(rows, action === 'email' ? MAX_MERGED_ROWS : undefined);

/** What a key needs of an action. */
type Runnable = {
  /** Its key, of `actionKeys` or the grid. */
  readonly keys?: string;
  /** `true`, or why it cannot run. */
  readonly ability: Ability;
  readonly run: () => void;
};

/** An action of the toolbar, the menus and the keyboard. */
export type DealAction = Runnable & {
  readonly id: string;
  readonly label: string;
  readonly icon: ComponentType<{ size?: number }>;
};

/** Runs an action, or shows why it cannot run. */
export const runAction = ({ ability, run }: Runnable): void =>
  ability === true ? run() : toastWarning(ability);

/** Creates an action that can run, unless `rest` has another ability. */
export const createAction = (
  id: string,
  label: string,
  icon: DealAction['icon'],
  run: () => void,
  rest: Partial<DealAction> = {},
): DealAction => ({ id, label, icon, ability: true, run, ...rest });

export type ActionTarget = {
  readonly rows: readonly DealRow[];
  /** The active column: its history can be shown. */
  readonly columnId?: string | undefined;
  /** The possible duplicates of the row, on its page. */
  readonly duplicates?: readonly ExistingDeal[] | undefined;
  /** Opens the page of a deal. Absent on the page itself. */
  readonly onOpen?: ((dealId: string) => void) | undefined;
  readonly onDeleted: () => void;
};

export type ActionScope = ActionTarget & {
  readonly blankKey: string | null;
  readonly permissions: Pick<ReturnType<typeof usePermissions>, 'isAdmin' | 'feature' | 'can'>;
  readonly options: DealOptions | undefined;
};

/** Adds the state on which the abilities of the actions depend. */
export function useActionScope(target: ActionTarget): ActionScope {
  const { deals, options } = useDataEntry();
  const permissions = usePermissions();
  return { ...target, permissions, options, blankKey: deals.table.blankKey() };
}

export const openerOf =
  ({ rows, duplicates, onDeleted }: ActionTarget) =>
  (kind: DealDialog['kind'], field: string | null = null) =>
  (): void =>
    dealDialog.set({ kind, rows, field, duplicates, onDeleted });

export function mainActions(scope: ActionScope) {
  const { rows, permissions } = scope;
  const canBulk = permissions.feature('bulkEdit');
  const open = openerOf(scope);
  return {
    email: createAction('email', texts.sendEmail, Mail, open('email'), {
      keys: actionKeys.email,
      ability: emailAbility(rows, canBulk),
    }),
    share: createAction('share', texts.share, Share2, open('share'), {
      ability: sharingAbility(rows, 'share'),
    }),
    transfer: createAction('transfer', texts.transfer, ArrowRightLeft, open('transfer'), {
      ability: rows.length > 1 && !canBulk ? texts.mayNotBulk('transfer') : sharingAbility(rows, 'transfer'),
    }),
    delete: createAction('delete', texts.deleteRow, Trash2, open('delete'), {
      ability: deleteAbility(rows, scope.blankKey, canBulk),
    }),
  };
}

/**
 * What opens for one row, by a key at once. Labels and icons are in `moreActions`, which is loaded after the first rows.
 */
export function openActions({ rows, onOpen }: Pick<ActionTarget, 'rows' | 'onOpen'>) {
  const [first] = rows;
  const ability = oneRowAbility(rows);
  const opens = (keys: string, open: (row: DealRow, dealId: string) => void): Runnable => ({
    keys,
    ability,
    run: () => first?.deal && open(first, first.deal._id),
  });
  return {
    open: opens(actionKeys.open, (_, dealId) => onOpen?.(dealId)),
    comments: opens(actionKeys.comments, (_, dealId) => openComments(dealId)),
    attachments: opens(actionKeys.attachments, openFiles),
  };
}

/** Returns `true` for one saved row, otherwise the reason. */
export const oneRowAbility = (rows: readonly DealRow[]): Ability =>
  rows.length > 1 ? texts.oneRow : savedAbility(rows);

/** Returns `true` if there are rows and all are saved, otherwise the reason. */
export function savedAbility(rows: readonly DealRow[]): Ability {
  if (rows.length === 0) return texts.chooseRow;
  return rows.every(({ deal }) => deal !== null) || texts.saveFirst;
}

/** Returns `true` if emails about the rows can be sent, otherwise the first reason. */
function emailAbility(rows: readonly DealRow[], canBulk: boolean): Ability {
  if (rows.length === 0) return texts.chooseRow;
  const many = manyAbility(rows.length, canBulk, 'email');
  if (many !== true) return many;
  for (const { deal, draft } of rows) {
    if (deal === null) return texts.saveRowFirst;
    // The message is rendered from saved values, so unsaved ones would be missing.
    if (draft !== undefined) return texts.changesFirst;
    if (deal.abilities.email !== true) return texts.mayNotEmail;
  }
  return true;
}

function deleteAbility(rows: readonly DealRow[], blankKey: string | null, canBulk: boolean): Ability {
  const chosen = rows.filter(({ key }) => key !== blankKey);
  if (chosen.length === 0) return texts.chooseRow;
  const many = manyAbility(chosen.filter(({ deal }) => deal !== null).length, canBulk, 'delete');
  if (many !== true) return many;
  for (const { deal } of chosen) {
    if (deal === null || deal.abilities.delete === true) continue;
    return deal.abilities.delete === 'NOT_ROW_OWNER' ? texts.ownedBy(deal.ownerName) : texts.mayNotDelete;
  }
  return true;
}

/** Returns `true` if all rows can be shared or transferred, otherwise the first reason. */
function sharingAbility(rows: readonly DealRow[], action: 'share' | 'transfer'): Ability {
  if (rows.length === 0) return texts.chooseRow;
  const fits = fitsOneCall(rows.length);
  if (fits !== true) return fits;
  for (const { deal } of rows) {
    if (deal === null) return texts.saveFirst;
    const ability = deal.abilities[action];
    if (ability === 'NO_OWNER_CHANGE') return texts.mayNotTransfer;
    if (ability !== true) return texts.ownedByFor(deal.ownerName, action);
  }
  return true;
}
