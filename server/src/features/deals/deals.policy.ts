import { dealColumns, type DealColumn } from '@forecourt/contract/permission-defaults';
import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from '../../platform/http/context.ts';
import { isHeldToEdit, isOwner, type Held } from '../../platform/sharing/held.ts';

const isAdmin = (viewer: Viewer) => viewer.role === 'admin';
const rights = (viewer: Viewer) => viewer.permissions.dataEntry;

/** Whose a row is: its creator's, its owner's, and of those who have a write share. */
type HeldDeal = Held & { created_by: string };

/** Spec section 6: administrators, the creator, the owner and people with a write share change a saved row. */
export const canEdit = (viewer: Viewer, deal: HeldDeal): Ability =>
  isAdmin(viewer) || deal.created_by === viewer.userId || isHeldToEdit(viewer, deal) ? true : 'NOT_ROW_OWNER';

/** Whether `canEdit` lets a viewer change a row whoever has it. */
export const canEditAll = (viewer: Viewer): boolean => isAdmin(viewer);

export const canAdd = (viewer: Viewer): Ability =>
  isAdmin(viewer) || rights(viewer).canAddRows ? true : 'NO_ROW_ADD';

/** Deleting needs its flag and the edit right on the row (product.md section 4). */
export const canDelete = (viewer: Viewer, deal: HeldDeal): Ability =>
  isAdmin(viewer) || rights(viewer).canDeleteRows ? canEdit(viewer, deal) : 'NO_ROW_DELETE';

/** Deleted rows can come back for so long, and are gone for good then. */
export const RESTORABLE_DAYS = 30;

/** Whose deletions a viewer may take back, for so many hours: their own, administrators everybody's (product.md section 4). */
export const restorable = (viewer: Viewer): { by: string | null; hours: number } =>
  isAdmin(viewer) ? { by: null, hours: RESTORABLE_DAYS * 24 } : { by: viewer.userId, hours: 1 };

/** Sharing a row is for its owner and administrators (product.md section 7). */
const canShare = (viewer: Viewer, deal: Held): Ability =>
  isAdmin(viewer) || isOwner(viewer, deal) ? true : 'NOT_ROW_OWNER';

/** Changes of many rows in one call need the feature besides the page and the right on each row. */
export const canChangeMany = (viewer: Viewer): boolean =>
  isAdmin(viewer) || viewer.permissions.features.bulkEdit;

/** Handing a row over is a change of many, of one sometimes, and needs its own flag. */
function canTransfer(viewer: Viewer, deal: Held): Ability {
  if (!canChangeMany(viewer)) return 'NO_BULK_EDIT';
  if (!isAdmin(viewer) && !rights(viewer).canChangeOwnership) return 'NO_OWNER_CHANGE';
  return canShare(viewer, deal);
}

export const sharingAbilities = (viewer: Viewer, deal: Held) => ({
  share: canShare(viewer, deal),
  transfer: canTransfer(viewer, deal),
});

/** Rows are for those who have the page. */
export const canOpen = (viewer: Viewer): boolean => isAdmin(viewer) || viewer.permissions.pages.dataEntry;

/** Whoever may open Data Entry may write to a dealership about a row, if they see whose it is. */
export const canEmail = (viewer: Viewer): Ability =>
  canOpen(viewer) ? canSee(viewer, 'dealershipId') || 'COLUMN_HIDDEN' : 'NO_DATA_ENTRY';

/** Whether a column exists for this viewer (product.md section 4, Restrictions). */
export const canSee = (viewer: Viewer, column: DealColumn): boolean => {
  const { viewAllColumns, visibleColumns } = rights(viewer).columnVisibility;
  return isAdmin(viewer) || viewAllColumns || visibleColumns.includes(column);
};

/** Whether this viewer may choose items for a row. */
export const offersItems = (viewer: Viewer): boolean => canOpen(viewer) && canSee(viewer, 'items');

export const columnsSeenBy = (viewer: Viewer): DealColumn[] =>
  dealColumns.filter((column) => canSee(viewer, column));

/** What a viewer may see of deals at all. `within` in deals.queries.ts is the same as a condition on rows. */
export type DealScope = {
  /** Only this month; null: every month. */
  onlyMonth: string | null;
  exceptRows: readonly string[];
  exceptDealerships: readonly string[];
  exceptStatuses: readonly string[];
  /** The first and the last business day on which a row was made, both included; null: no limit. */
  from: string | null;
  to: string | null;
};

const EVERYTHING: DealScope = {
  onlyMonth: null,
  exceptRows: [],
  exceptDealerships: [],
  exceptStatuses: [],
  from: null,
  to: null,
};

/** The one place where a person's rights become a limit on rows. */
export function scopeOf(viewer: Viewer, currentMonth: string): DealScope {
  if (isAdmin(viewer)) return EVERYTHING;
  const { columnVisibility } = rights(viewer);
  return {
    onlyMonth: seesAllMonths(viewer) ? null : currentMonth,
    exceptRows: columnVisibility.restrictedRows,
    exceptDealerships: columnVisibility.restrictedDealerships,
    exceptStatuses: columnVisibility.restrictedStatuses,
    from: columnVisibility.dateRangeStart,
    to: columnVisibility.dateRangeEnd,
  };
}

/** What a scope is judged by. `createdOn` is the business day. */
export type ScopedDeal = {
  id: string;
  month: string;
  dealershipId: string;
  statusId: string;
  createdOn: string;
};

/** Whether a row, as it was or as it would be, lies within a scope. */
export const isWithin = (scope: DealScope, deal: ScopedDeal): boolean =>
  (scope.onlyMonth === null || deal.month === scope.onlyMonth) &&
  !scope.exceptRows.includes(deal.id) &&
  !scope.exceptDealerships.includes(deal.dealershipId) &&
  !scope.exceptStatuses.includes(deal.statusId) &&
  (scope.from === null || deal.createdOn >= scope.from) &&
  (scope.to === null || deal.createdOn <= scope.to);

/**
 * Whether a new row could be written and seen by whoever adds it, for whom none is offered otherwise.
 * @param day today's business day
 * @param seesDefaultStatus the one that rows get for which none is chosen
 */
export function canAddInSight(
  viewer: Viewer,
  scope: DealScope,
  { day, seesDefaultStatus }: { day: string; seesDefaultStatus: boolean },
): Ability {
  const may = canAdd(viewer);
  if (may !== true) return may;
  if (!canSee(viewer, 'customerName') || !canSee(viewer, 'dealershipId')) return 'COLUMN_HIDDEN';
  const isOver = (scope.from !== null && day < scope.from) || (scope.to !== null && day > scope.to);
  const hasStatus = canSee(viewer, 'status') || seesDefaultStatus;
  return isOver || !hasStatus ? 'ROW_OUT_OF_SIGHT' : true;
}

/** Months other than the current one need canAccessAllMonths. */
export const seesAllMonths = (viewer: Viewer): boolean =>
  isAdmin(viewer) || rights(viewer).canAccessAllMonths;

export const canOpenMonth = (viewer: Viewer, month: string, currentMonth: string): Ability =>
  seesAllMonths(viewer) || month === currentMonth ? true : 'NO_OTHER_MONTHS';

/** Search without a month goes over all of them and needs canSearchHistorical besides. */
export const searchesAllMonths = (viewer: Viewer): boolean =>
  isAdmin(viewer) || (seesAllMonths(viewer) && rights(viewer).canSearchHistorical);

/**
 * The fields of a change that somebody else has changed since the caller's version. Changes to other fields
 * merge; these are a conflict (product.md section 4, Two editors).
 */
export const conflictingFields = (
  changed: readonly string[],
  fieldVersions: Readonly<Record<string, number>>,
  seenVersion: number,
): string[] => changed.filter((field) => (fieldVersions[field] ?? 1) > seenVersion);
