import type { ChangeKind } from '@forecourt/contract/change-kinds';
import { isCustomKey, type CustomKey } from '@forecourt/contract/custom-field-types';
import { dealColumns, type DealColumn } from '@forecourt/contract/deal-fields';
import { RESTORABLE_DAYS, REVERTIBLE_DAYS } from '@forecourt/contract/deal-limits';
import type { Ability } from '@forecourt/contract/route';
import {
  allOf,
  anyOf,
  atLeast,
  differ,
  equals,
  hasRole,
  inDateRange,
  notIn,
  only,
  unchangedSince,
  whenSet,
  type Condition,
} from '../../platform/conditions.ts';
import type { Viewer } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import { isAdmin } from '../../platform/http/policy.ts';
import type { Place } from '../../platform/live/presence.ts';
import {
  hasAnyShare,
  hasEditAccess,
  isOwner,
  type AccessFields,
  type SharedRecord,
} from '../../platform/sharing/access.ts';

const HOUR_MS = 3_600_000;

const permissionsOf = (viewer: Viewer) => viewer.permissions.dataEntry;

export type DealAccess = AccessFields & { created_by: string };

/**
 * Administrators, the creator, the owner and people with a write share may change a saved row
 * (docs/product/data-entry.md, Who may change a row).
 */
export const editable = anyOf<
  Pick<Viewer, 'userId' | 'role'>,
  Pick<DealAccess, 'created_by' | 'owner_id' | 'shares'>
>(hasRole('admin'), equals('created_by', 'userId'), hasEditAccess);

export const canEdit = (viewer: Viewer, deal: DealAccess): Ability =>
  editable.matches(viewer, deal) ? true : 'NOT_ROW_OWNER';

/** Only its author may change a comment; the author and administrators may delete it. */
export function commentAbilities(viewer: Viewer, comment: { author_id: string }) {
  const own: Ability = comment.author_id === viewer.userId ? true : 'NOT_COMMENT_AUTHOR';
  return { edit: own, delete: isAdmin(viewer) ? true : own };
}

export const canAdd = (viewer: Viewer): Ability =>
  isAdmin(viewer) || permissionsOf(viewer).canAddRows ? true : 'NO_ROW_ADD';

/**
 * Deleting requires canDeleteRows and the right to edit the row (docs/product/data-entry.md, Who may change a
 * row).
 */
export const canDelete = (viewer: Viewer, deal: DealAccess): Ability =>
  isAdmin(viewer) || permissionsOf(viewer).canDeleteRows ? canEdit(viewer, deal) : 'NO_ROW_DELETE';

/**
 * Returns the deletions that a viewer may restore, and for how many hours: their own, or if `by` is null all, for
 * administrators (docs/product/data-entry.md, Deleted rows).
 */
export const restorable = (viewer: Viewer): { by: string | null; hours: number } =>
  isAdmin(viewer) ? { by: null, hours: RESTORABLE_DAYS * 24 } : { by: viewer.userId, hours: 1 };

/** Only the owner and administrators may share a row (docs/product/sharing.md, Who may share). */
const canShare = (viewer: Viewer, deal: AccessFields): Ability =>
  isAdmin(viewer) || isOwner.matches(viewer, deal) ? true : 'NOT_ROW_OWNER';

/** Changing many rows in one request requires bulkEdit, in addition to the page and the right on each row. */
export const canChangeMany = (viewer: Viewer): boolean =>
  isAdmin(viewer) || viewer.permissions.features.bulkEdit;

/** Users see their own change sets; administrators see those of everybody. */
export const seesChangeSet = (viewer: Viewer, createdBy: string | null): boolean =>
  isAdmin(viewer) || createdBy === viewer.userId;

/** The kinds of change sets that are made without bulkEdit, also of many rows. */
const SMALL_KINDS: ReadonlySet<ChangeKind> = new Set(['edit', 'paste', 'fill', 'undo', 'revert']);

/**
 * A change set can be taken back for 90 days, with the permission that its kind needed (docs/decisions/0023). The rights
 * on each row are checked with it.
 */
export function canRevert(
  viewer: Viewer,
  { created_at, kind, rows }: { created_at: string; kind: ChangeKind; rows: number },
  now: Date,
): Ability {
  if (now.getTime() - Date.parse(created_at) > REVERTIBLE_DAYS * 24 * HOUR_MS) return 'SET_TOO_OLD';
  // Whoever may merge two rows may separate them.
  const limit = kind === 'merge' ? 2 : 1;
  return rows <= limit || SMALL_KINDS.has(kind) || canChangeMany(viewer) || 'NO_BULK_EDIT';
}

/**
 * Deleting many rows in one request requires bulkEdit, except rows that the viewer added in the last hour, because undo
 * of a paste deletes them (docs/product/data-entry.md, Undo).
 */
export function canDeleteOneOfMany(viewer: Viewer, deal: DealAccess & { created_at: string }): Ability {
  const isNew = deal.created_by === viewer.userId && Date.now() - Date.parse(deal.created_at) < HOUR_MS;
  return canChangeMany(viewer) || isNew ? canDelete(viewer, deal) : 'NO_BULK_EDIT';
}

/** Only the owner and administrators may transfer a row. The owner also needs canChangeOwnership. */
function canTransfer(viewer: Viewer, deal: AccessFields): Ability {
  if (!isAdmin(viewer) && !permissionsOf(viewer).canChangeOwnership) return 'NO_OWNER_CHANGE';
  return canShare(viewer, deal);
}

export const sharingAbilities = (viewer: Viewer, deal: AccessFields) => ({
  share: canShare(viewer, deal),
  transfer: canTransfer(viewer, deal),
});

/** Reading rows requires the Data Entry page. */
export const canOpen = (viewer: Viewer): boolean => isAdmin(viewer) || viewer.permissions.pages.dataEntry;

/** Emailing a dealership about a row requires Data Entry and the dealership column. */
export const canEmail = (viewer: Viewer): Ability =>
  canOpen(viewer) ? canSee(viewer, 'dealershipId') || 'COLUMN_HIDDEN' : 'NO_DATA_ENTRY';

/** Whether a column is visible to this viewer (docs/product/people-and-permissions.md, Restrictions). */
export const canSee = (viewer: Viewer, column: DealColumn | CustomKey): boolean => {
  if (isCustomKey(column) && !viewer.customColumns.some(({ key }) => key === column)) return false;
  const { viewAllColumns, visibleColumns } = permissionsOf(viewer).columnVisibility;
  return isAdmin(viewer) || viewAllColumns || visibleColumns.includes(column);
};

/** Whether this viewer may select items for a row. */
export const offersItems = (viewer: Viewer): boolean => canOpen(viewer) && canSee(viewer, 'items');

export const visibleColumnsOf = (viewer: Viewer): DealColumn[] =>
  dealColumns.filter((column) => canSee(viewer, column));

export const visibleCustomFields = <F extends { key: CustomKey }>(
  viewer: Viewer,
  fields: readonly F[],
): F[] => fields.filter(({ key }) => canSee(viewer, key));

/** Whether a viewer who may change a row may change a custom field in it. */
export const canEditCustom = (viewer: Viewer, field: { key: CustomKey; editableBy: string }): boolean =>
  canSee(viewer, field.key) && (isAdmin(viewer) || field.editableBy === 'everybody');

const visibleCustom = new WeakMap<Viewer, readonly CustomKey[]>();
export const visibleCustomColumnsOf = (viewer: Viewer): readonly CustomKey[] =>
  visibleCustom.getOrInsertComputed(viewer, () =>
    visibleCustomFields(viewer, viewer.customColumns).map(({ key }) => key),
  );

/** Limits on the deals that a viewer may see. */
export type DealScope = {
  /** The only visible month; null for all. */
  onlyMonth: string | null;
  exceptRows: readonly string[];
  exceptDealerships: readonly string[];
  exceptStatuses: readonly string[];
  /** First and last business day of creation, both included; null for no limit. */
  from: string | null;
  to: string | null;
  /** Only rows that this user owns, created or has a share of; null for all rows. */
  onlyOf: { userId: string } | null;
};

export const UNLIMITED_SCOPE: DealScope = {
  onlyMonth: null,
  exceptRows: [],
  exceptDealerships: [],
  exceptStatuses: [],
  from: null,
  to: null,
  onlyOf: null,
};

/** Returns the limits that the viewer's permissions imply. They are computed only here. */
export function scopeOf(viewer: Viewer, currentMonth: string): DealScope {
  if (isAdmin(viewer)) return UNLIMITED_SCOPE;
  const { columnVisibility } = permissionsOf(viewer);
  return {
    onlyMonth: seesAllMonths(viewer) ? null : currentMonth,
    exceptRows: columnVisibility.restrictedRows,
    exceptDealerships: columnVisibility.restrictedDealerships,
    exceptStatuses: columnVisibility.restrictedStatuses,
    from: columnVisibility.dateRangeStart,
    to: columnVisibility.dateRangeEnd,
    onlyOf: columnVisibility.restrictedToOwn ? { userId: viewer.userId } : null,
  };
}

/** The fields of a row on which its visibility depends. `createdOn` is the business day. */
export type ScopedDeal = SharedRecord & {
  created_by: string;
  id: string;
  month: string;
  dealershipId: string;
  statusId: string;
  createdOn: string;
};

/** Values that the viewer may see, and therefore write into a row. */
export const monthVisible = only('month', 'onlyMonth');
export const dealershipVisible = notIn('dealershipId', 'exceptDealerships');
export const statusVisible = notIn('statusId', 'exceptStatuses');
const dayVisible = inDateRange('createdOn');

type OwnedDeal = Pick<ScopedDeal, 'created_by' | keyof SharedRecord>;
type Belonging = Condition<{ userId: string }, OwnedDeal>;

const enteredForOthers: Belonging = allOf(equals('created_by', 'userId'), differ('owner_id', 'created_by'));

/** The viewer has a share of the row, or entered it and somebody else owns it. */
export const belongsToNonOwner: Belonging = anyOf<{ userId: string }, OwnedDeal>(
  enteredForOthers,
  hasAnyShare,
);

/** The row is the viewer's own in part: its abilities depend on who they are only then. */
export const belongs: Belonging = anyOf<{ userId: string }, OwnedDeal>(isOwner, belongsToNonOwner);

/** Returns the fields of a new row that decide to whom it belongs. */
export const ownedBy = ({ userId }: Viewer) => ({ owner_id: userId, created_by: userId, shares: [] });

/** Whether a row is visible to a viewer, in its past, current or future state. */
export const visible = allOf<DealScope, ScopedDeal>(
  monthVisible,
  notIn('id', 'exceptRows'),
  dealershipVisible,
  statusVisible,
  dayVisible,
  whenSet('onlyOf', belongs),
);

/**
 * Whether the viewer may add a row that they then see.
 * @param day current business day
 * @param seesDefaultStatus whether the viewer sees the default status
 */
export function canAddVisibleRow(
  viewer: Viewer,
  scope: DealScope,
  { day, seesDefaultStatus }: { day: string; seesDefaultStatus: boolean },
): Ability {
  const may = canAdd(viewer);
  if (may !== true) return may;
  if (!canSee(viewer, 'customerName') || !canSee(viewer, 'dealershipId')) return 'COLUMN_HIDDEN';
  const hasStatus = canSee(viewer, 'status') || seesDefaultStatus;
  return hasStatus && dayVisible.matches(scope, { createdOn: day }) ? true : 'ROW_OUT_OF_SIGHT';
}

/** Months other than the current one require canAccessAllMonths. */
const seesAllMonths = (viewer: Viewer): boolean =>
  isAdmin(viewer) || permissionsOf(viewer).canAccessAllMonths;

export const canOpenMonth = (viewer: Viewer, month: string, currentMonth: string): Ability =>
  monthVisible.matches(scopeOf(viewer, currentMonth), { month }) ? true : 'NO_OTHER_MONTHS';

/** A search without a month covers all months, which also requires canSearchHistorical. */
export const searchesAllMonths = (viewer: Viewer): boolean =>
  isAdmin(viewer) || (seesAllMonths(viewer) && permissionsOf(viewer).canSearchHistorical);

/** The version that the editor saw, and the month to which edits move rows (null if they move none). */
type ChangeFacts = { seen: number; movesTo: string | null };
type ChangedDeal = { version: number; month: string; fieldVersions: Readonly<Record<string, number>> };

export const hasVersion = atLeast<number, 'seen', 'version'>('version', 'seen');
/** If the user has turned that setting on, an edit moves a row from an earlier month. */
export const staysInMonth = atLeast<string, 'movesTo', 'month'>('month', 'movesTo');

/**
 * A change is merged if nobody else has changed its fields since; otherwise it conflicts (docs/product/data-entry.md,
 * Two people change one row).
 */
export const mergeable = (fields: readonly string[]) =>
  allOf<ChangeFacts, ChangedDeal>(
    hasVersion,
    staysInMonth,
    ...fields.map((field) => unchangedSince(field, 'seen')),
  );

/** Returns the fields of a change that were changed after the version that the editor saw. */
export const conflictingFields = (
  changed: readonly string[],
  fieldVersions: Readonly<Record<string, number>>,
  seen: number,
): string[] => changed.filter((field) => !unchangedSince(field, 'seen').matches({ seen }, { fieldVersions }));

/** Returns the 403 for a row that its editor would not see after the save. */
export const hiddenRowError = (): AppError =>
  new AppError('INSUFFICIENT_PERMISSIONS', {
    message:
      'You could not see this row, so it was not saved: its status or its date is hidden from you. What you typed is kept here. Choose another status, or ask an administrator.',
    details: 'ROW_OUT_OF_SIGHT',
  });

/**
 * Returns the visible part of another user's place: null, only the month, or also the cell.
 * @param deal the row of the cell; undefined if there is none or it was deleted
 */
export function visiblePresence(
  viewer: Viewer,
  { month, cell }: Place,
  deal: ScopedDeal | undefined,
  currentMonth: string,
): Place | null {
  if (!canOpen(viewer) || canOpenMonth(viewer, month, currentMonth) !== true) return null;
  const isSeen =
    cell && deal && canSee(viewer, cell.column) && visible.matches(scopeOf(viewer, currentMonth), deal);
  return { month, cell: isSeen ? cell : null };
}
