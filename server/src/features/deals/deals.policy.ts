import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from '../../platform/http/context.ts';

const isAdmin = (viewer: Viewer) => viewer.role === 'admin';
const rights = (viewer: Viewer) => viewer.permissions.dataEntry;

/** Spec section 6: administrators, the creator and the owner change a saved row. */
export const canEdit = (viewer: Viewer, deal: { owner_id: string; created_by: string }): Ability =>
  isAdmin(viewer) || [deal.owner_id, deal.created_by].includes(viewer.userId) ? true : 'NOT_ROW_OWNER';

export const canAdd = (viewer: Viewer): Ability =>
  isAdmin(viewer) || rights(viewer).canAddRows ? true : 'NO_ROW_ADD';

/** Deleting needs its flag and the edit right on the row (product.md section 4). */
export const canDelete = (viewer: Viewer, deal: { owner_id: string; created_by: string }): Ability =>
  isAdmin(viewer) || rights(viewer).canDeleteRows ? canEdit(viewer, deal) : 'NO_ROW_DELETE';

/** Rows are for those who have the page. */
export const canOpen = (viewer: Viewer): boolean => isAdmin(viewer) || viewer.permissions.pages.dataEntry;

/** Whoever may open Data Entry may write to a dealership about a row that they see. */
export const canEmail = (viewer: Viewer): Ability => (canOpen(viewer) ? true : 'NO_DATA_ENTRY');

/** Months other than the current one need canAccessAllMonths. */
export const seesAllMonths = (viewer: Viewer): boolean =>
  isAdmin(viewer) || rights(viewer).canAccessAllMonths;

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
