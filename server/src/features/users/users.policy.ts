import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from '../../platform/http/context.ts';
import type { RoutePolicy } from '../../platform/http/policy.ts';

/** Whoever may share something needs to choose whom with (spec.md section 6, product.md section 7). */
export const mayShare: RoutePolicy = {
  name: 'whoever may share',
  allows: ({ role, permissions: { pages, features } }: Viewer) =>
    role === 'admin' ||
    pages.dataEntry ||
    (pages.emailTemplates && features.manageTemplates) ||
    features.manageItems
      ? true
      : 'INSUFFICIENT_PERMISSIONS',
};

/**
 * Ways in are given to others. The own password and authenticator app are changed by who knows the password: a
 * session that was left open must not be enough.
 */
export const canGiveEntry = (viewer: Pick<Viewer, 'userId'>, person: { id: string }): Ability =>
  viewer.userId === person.id ? 'OWN_ACCOUNT' : true;

/** What makes somebody an administrator who can do something about it. */
export type Standing = { id: string; role: string; is_active: boolean };

const isActiveAdmin = ({ role, is_active }: Standing): boolean => role === 'admin' && is_active;

/** The last active administrator cannot be demoted or deactivated (product.md section 7). */
export const adminRemains = (people: readonly Standing[], leavingId: string): boolean =>
  people.some((person) => isActiveAdmin(person) && person.id !== leavingId);

/** Whoever was demoted a moment ago, while this call waited for its turn, takes no rights from others any more. */
export const isStillAdmin = (viewer: Pick<Viewer, 'userId'>, people: readonly Standing[]): boolean =>
  people.some((person) => isActiveAdmin(person) && person.id === viewer.userId);
