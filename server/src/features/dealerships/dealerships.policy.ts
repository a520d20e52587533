import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from '../../platform/http/context.ts';

/** A refusal's code is also the key of its tooltip in the browser (spec.md section 2, Dealership Settings). */
const allow = (allowed: boolean, reason: string): Ability => (allowed ? true : reason);

const isAdmin = (viewer: Viewer) => viewer.role === 'admin';
const rights = (viewer: Viewer) => viewer.permissions.dealershipConfiguration;

/** Spec section 6: view needs viewDealerships. */
export const canView = (viewer: Viewer): boolean => isAdmin(viewer) || rights(viewer).viewDealerships;

/** Edit and toggle need editDealerships; delete needs deleteDealerships. */
export const canEdit = (viewer: Viewer): Ability =>
  allow(isAdmin(viewer) || rights(viewer).editDealerships, 'NO_DEALERSHIP_EDIT');
export const canToggle = (viewer: Viewer): Ability =>
  allow(isAdmin(viewer) || rights(viewer).editDealerships, 'NO_DEALERSHIP_TOGGLE');
export const canDelete = (viewer: Viewer): Ability =>
  allow(isAdmin(viewer) || rights(viewer).deleteDealerships, 'NO_DEALERSHIP_DELETE');

export const abilities = (viewer: Viewer) => ({
  edit: canEdit(viewer),
  toggle: canToggle(viewer),
  delete: canDelete(viewer),
});
