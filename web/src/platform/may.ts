import type { Role } from '@forecourt/contract/auth';
import type { PermissionRecord } from '@forecourt/contract/permissions';

type Flags = Omit<PermissionRecord, 'maxSessions' | 'sessionTimeout'>;
export type PageKey = keyof PermissionRecord['pages'];
export type FeatureKey = keyof PermissionRecord['features'];

/** What a person may do, readable aloud: `may.page('dataEntry')`. */
export type May = {
  readonly admin: boolean;
  /** False while it could not be asked yet; until then everything else is false, too. */
  readonly known: boolean;
  page(key: PageKey): boolean;
  feature(key: FeatureKey): boolean;
  /** Any other flag of the record: `may.do('dealershipConfiguration', 'editDealerships')`. */
  do<G extends keyof Flags>(group: G, flag: keyof Flags[G]): boolean;
};

/**
 * Administrators may do everything, whatever their record says; nobody known may do nothing (spec section 6,
 * security B2).
 */
export function may(role: Role | undefined, record: PermissionRecord | null): May {
  const admin = role === 'admin';
  const permitted = <G extends keyof Flags>(group: G, flag: keyof Flags[G]): boolean =>
    admin || (role === 'user' && record?.[group][flag] === true);
  return {
    admin,
    known: admin || record !== null,
    page: (key) => permitted('pages', key),
    feature: (key) => permitted('features', key),
    do: permitted,
  };
}
