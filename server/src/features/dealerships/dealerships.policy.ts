import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from '../../platform/http/context.ts';
import { dataEntryPage, requireAbility, type RoutePolicy } from '../../platform/http/policy.ts';
import type { UnseenChange } from '../../platform/live/events.ts';
import { isHeldToEdit, wasHeld, type Held } from '../../platform/sharing/held.ts';
import type { Sight } from '../../platform/sharing/shares.queries.ts';

/** A refusal's code is also the key of its tooltip in the browser (spec.md section 2, Dealership Settings). */
const allow = (allowed: boolean, reason: string): Ability => (allowed ? true : reason);

const isAdmin = (viewer: Viewer) => viewer.role === 'admin';
const rights = (viewer: Viewer) => viewer.permissions.dealershipConfiguration;

/** What an administrator keeps from a person; administrators themselves see everything (product.md section 4). */
export const restricted = (viewer: Viewer): readonly string[] =>
  isAdmin(viewer) ? [] : viewer.permissions.dataEntry.columnVisibility.restrictedDealerships;

/** Spec section 6: view needs viewDealerships, a share or ownership. What is kept from a person stays so. */
export const sightOf = (viewer: Viewer): Sight => ({
  viewerId: viewer.userId,
  all: isAdmin(viewer) || rights(viewer).viewDealerships,
  except: restricted(viewer),
});

/** For live events: whoever may choose dealerships for a row hears of them too (product.md section 4, Who may). */
export function earshotOf(viewer: Viewer): Sight {
  const sight = sightOf(viewer);
  return { ...sight, all: sight.all || dataEntryPage.allows?.(viewer) === true };
}

/** Whether a viewer who does not see a dealership now saw it as theirs until a change, judged by what it was. */
export const wasVisible = (viewer: Viewer, { recordId, past }: UnseenChange): boolean =>
  wasHeld(viewer, past.before) && !restricted(viewer).includes(recordId);

export const canAdd = (viewer: Viewer): Ability =>
  allow(isAdmin(viewer) || rights(viewer).editDealerships, 'NO_DEALERSHIP_EDIT');

/** The same for a whole call. */
export const mayAdd: RoutePolicy = {
  name: 'editDealerships',
  allows(viewer) {
    requireAbility(canAdd(viewer));
    return true;
  },
};

const mayEdit = (viewer: Viewer, dealership: Held): boolean =>
  isAdmin(viewer) || rights(viewer).editDealerships || isHeldToEdit(viewer, dealership);

/**
 * Of a dealership that the viewer sees: edit and toggle need editDealerships, ownership or a write share; delete
 * needs deleteDealerships, which no share gives; sharing and handing over are for administrators.
 */
export const abilities = (viewer: Viewer, dealership: Held) => ({
  edit: allow(mayEdit(viewer, dealership), 'NO_DEALERSHIP_EDIT'),
  toggle: allow(mayEdit(viewer, dealership), 'NO_DEALERSHIP_TOGGLE'),
  delete: allow(isAdmin(viewer) || rights(viewer).deleteDealerships, 'NO_DEALERSHIP_DELETE'),
  share: allow(isAdmin(viewer), 'NO_DEALERSHIP_SHARE'),
  transfer: allow(isAdmin(viewer), 'NO_DEALERSHIP_TRANSFER'),
});
