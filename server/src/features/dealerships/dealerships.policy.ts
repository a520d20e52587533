import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from '../../platform/http/context.ts';
import {
  type RoutePolicy,
  allow,
  dataEntryPage,
  isAdmin,
  requireAbility,
} from '../../platform/http/policy.ts';
import type { HiddenChange } from '../../platform/live/event-filter.ts';
import { hasEditAccess, hadAccess, type AccessFields } from '../../platform/sharing/access.ts';
import type { VisibilityScope } from '../../platform/sharing/shares.queries.ts';

const permissionsOf = (viewer: Viewer) => viewer.permissions.dealershipConfiguration;

/**
 * Returns the dealerships hidden from a user by a restriction; none for administrators
 * (docs/product/people-and-permissions.md, Restrictions).
 */
export const restricted = (viewer: Viewer): readonly string[] =>
  isAdmin(viewer) ? [] : viewer.permissions.dataEntry.columnVisibility.restrictedDealerships;

/**
 * Viewing requires viewDealerships, a share or ownership (docs/product/dealerships.md, Who may see and change a
 * dealership). Restricted dealerships are hidden in any case.
 */
export const visibilityScopeOf = (viewer: Viewer): VisibilityScope => ({
  viewerId: viewer.userId,
  all: isAdmin(viewer) || permissionsOf(viewer).viewDealerships,
  except: restricted(viewer),
});

/** Live events also reach users who may choose dealerships (docs/product/data-entry.md, Who may change a row). */
export function liveScopeOf(viewer: Viewer): VisibilityScope {
  const scope = visibilityScopeOf(viewer);
  return { ...scope, all: scope.all || dataEntryPage.allows?.(viewer) === true };
}

/** Whether a viewer who cannot see a dealership now had access before a change. */
export const wasVisible = (viewer: Viewer, { recordId, past }: HiddenChange): boolean =>
  hadAccess(viewer, past.before) && !restricted(viewer).includes(recordId);

export const canAdd = (viewer: Viewer): Ability =>
  allow(isAdmin(viewer) || permissionsOf(viewer).editDealerships, 'NO_DEALERSHIP_EDIT');

export const dealershipCreator: RoutePolicy = {
  name: 'editDealerships',
  allows(viewer) {
    requireAbility(canAdd(viewer));
    return true;
  },
};

const canEdit = (viewer: Viewer, dealership: AccessFields): boolean =>
  isAdmin(viewer) || permissionsOf(viewer).editDealerships || hasEditAccess.matches(viewer, dealership);

/**
 * Abilities for a visible dealership: edit and toggle require editDealerships, ownership or a write share; delete
 * requires deleteDealerships, which no share includes; only administrators share and transfer.
 */
export const abilities = (viewer: Viewer, dealership: AccessFields) => ({
  edit: allow(canEdit(viewer, dealership), 'NO_DEALERSHIP_EDIT'),
  toggle: allow(canEdit(viewer, dealership), 'NO_DEALERSHIP_TOGGLE'),
  delete: allow(isAdmin(viewer) || permissionsOf(viewer).deleteDealerships, 'NO_DEALERSHIP_DELETE'),
  share: allow(isAdmin(viewer), 'NO_DEALERSHIP_SHARE'),
  transfer: allow(isAdmin(viewer), 'NO_DEALERSHIP_TRANSFER'),
});
