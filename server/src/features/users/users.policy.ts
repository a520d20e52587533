import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from '../../platform/http/context.ts';
import type { RoutePolicy } from '../../platform/http/policy.ts';

/** Users who may share something need the directory (docs/product/people-and-permissions.md, Directory). */
export const canShare: RoutePolicy = {
  name: 'users who may share',
  allows: ({ role, permissions: { pages, features } }: Viewer) =>
    role === 'admin' ||
    pages.dataEntry ||
    (pages.emailTemplates && features.manageTemplates) ||
    (pages.itemConfiguration && features.manageItems)
      ? true
      : 'INSUFFICIENT_PERMISSIONS',
};

/**
 * Access is given to other users only. One's own password and authenticator app require the current password: an
 * abandoned open session must not be enough.
 */
export const canManageSignIn = (viewer: Pick<Viewer, 'userId'>, person: { id: string }): Ability =>
  viewer.userId === person.id ? 'OWN_ACCOUNT' : true;

/** The fields that decide whether a user is an active administrator. */
export type UserState = { id: string; role: string; is_active: boolean };

const isActiveAdmin = ({ role, is_active }: UserState): boolean => role === 'admin' && is_active;

/**
 * Returns whether an active administrator remains: the last one cannot be demoted or deactivated
 * (docs/product/people-and-permissions.md, Users).
 */
export const hasRemainingAdmin = (people: readonly UserState[], leavingId: string): boolean =>
  people.some((person) => isActiveAdmin(person) && person.id !== leavingId);

/** Returns whether the viewer is still an administrator: they may have been demoted while the request waited for the lock. */
export const isStillAdmin = (viewer: Pick<Viewer, 'userId'>, people: readonly UserState[]): boolean =>
  people.some((person) => isActiveAdmin(person) && person.id === viewer.userId);
