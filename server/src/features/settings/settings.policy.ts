import type { Viewer } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { RoutePolicy } from '../../platform/http/policy.ts';

/** Identifies the defaults of the company in place of a user id (docs/product/settings.md, Owners of a setting). */
export const COMPANY = 'company';

/** Users read their own and the company's, administrators any (docs/product/security.md, Settings have known names). */
export const canRead = (viewer: Viewer, owner: string): boolean =>
  viewer.role === 'admin' || owner === viewer.userId || owner === COMPANY;

/** Only administrators change settings (docs/product/settings.md, Who may read and change settings). */
export const settingsWriter: RoutePolicy = {
  name: 'administrator',
  allows(viewer: Viewer) {
    if (viewer.role === 'admin') return true;
    throw new AppError('ADMIN_REQUIRED', { message: "You don't have permission to modify settings" });
  },
};
