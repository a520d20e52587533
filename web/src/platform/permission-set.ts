import type { Role } from '@forecourt/contract/auth';
import type { PermissionRecord } from '@forecourt/contract/permissions';

type Flags = Omit<PermissionRecord, 'maxSessions' | 'sessionTimeout'>;
type PageKey = keyof PermissionRecord['pages'];
type FeatureKey = keyof PermissionRecord['features'];

/**
 * Who may open a screen (docs/product/screens.md, Who opens a screen). An object requires a page permission and possibly
 * a feature permission.
 */
export type Access = 'any' | 'guest' | 'signedIn' | 'admin' | { page: PageKey; feature?: FeatureKey };

/** The permissions of one user: `permissions.page('dataEntry')`. */
export type PermissionSet = {
  readonly isAdmin: boolean;
  /** False until the record is loaded; all other flags are then false too. */
  readonly isLoaded: boolean;
  page(key: PageKey): boolean;
  feature(key: FeatureKey): boolean;
  /** Any other flag of the record: `permissions.can('dealershipConfiguration', 'editDealerships')`. */
  can<G extends keyof Flags>(group: G, flag: keyof Flags[G]): boolean;
};

/**
 * An administrator has every permission regardless of the record; a user without a role has none
 * (docs/product/people-and-permissions.md, Permission record; docs/product/security.md, Failures never widen rights).
 */
export function createPermissionSet(role: Role | undefined, record: PermissionRecord | null): PermissionSet {
  const isAdmin = role === 'admin';
  const can = <G extends keyof Flags>(group: G, flag: keyof Flags[G]): boolean =>
    isAdmin || (role === 'user' && record?.[group][flag] === true);
  return {
    isAdmin,
    isLoaded: isAdmin || record !== null,
    page: (key) => can('pages', key),
    feature: (key) => can('features', key),
    can,
  };
}

/** Whether the user may close months, and change their money with a reason (docs/product/month-close.md). */
export const mayCloseMonths = (permissions: PermissionSet): boolean =>
  permissions.page('dataEntry') && permissions.feature('closeMonths');
