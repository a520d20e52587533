import type { SessionUser } from '@forecourt/contract/auth';
import type { PermissionRecord } from '@forecourt/contract/permissions';

type Flags = Omit<PermissionRecord, 'maxSessions' | 'sessionTimeout'>;
export type PageKey = keyof PermissionRecord['pages'];
export type FeatureKey = keyof PermissionRecord['features'];

/** What a person may do, readable aloud: `may(user).page('dataEntry')`. */
export type May = {
  readonly admin: boolean;
  page(key: PageKey): boolean;
  feature(key: FeatureKey): boolean;
  /** Any other flag of the record: `may(user).do('dealershipConfiguration', 'editDealerships')`. */
  do<G extends keyof Flags>(group: G, flag: keyof Flags[G]): boolean;
};

/** Administrators may do everything; nobody known may do nothing (spec section 6, security B2). */
export function may(user: Pick<SessionUser, 'role' | 'permissions'> | null): May {
  const admin = user?.role === 'admin';
  const permitted = <G extends keyof Flags>(group: G, flag: keyof Flags[G]): boolean =>
    admin || user?.permissions[group][flag] === true;
  return {
    admin,
    page: (key) => permitted('pages', key),
    feature: (key) => permitted('features', key),
    do: permitted,
  };
}
