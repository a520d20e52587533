import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from '../../platform/http/context.ts';
import type { RoutePolicy } from '../../platform/http/policy.ts';

/** Users who may share records need the directory (docs/product/people-and-permissions.md, Directory). */
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
 * Administrators manage the access of other users only. For their own, the current password is required, so that an
 * open session left behind is not enough.
 */
export const canManageSignIn = (viewer: Pick<Viewer, 'userId'>, person: { id: string }): Ability =>
  viewer.userId === person.id ? 'OWN_ACCOUNT' : true;

export type UserState = { id: string; role: string; is_active: boolean };

const isActiveAdmin = ({ role, is_active }: UserState): boolean => role === 'admin' && is_active;

/** Whether an active administrator remains without this user (docs/product/people-and-permissions.md, Users). */
export const hasRemainingAdmin = (people: readonly UserState[], leavingId: string): boolean =>
  people.some((person) => isActiveAdmin(person) && person.id !== leavingId);

/** Whether the viewer is still an administrator: they may have been demoted while the request waited for the lock. */
export const isStillAdmin = (viewer: Pick<Viewer, 'userId'>, people: readonly UserState[]): boolean =>
  people.some((person) => isActiveAdmin(person) && person.id === viewer.userId);
