import type { Viewer } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { RoutePolicy } from '../../platform/http/policy.ts';

/** Whose the company's defaults are, in the place of a person's id (product.md section 5). */
export const COMPANY = 'company';

/** Everybody reads their own and what holds for everybody; administrators anybody's (security.md G1). */
export const canRead = (viewer: Viewer, owner: string): boolean =>
  viewer.role === 'admin' || owner === viewer.userId || owner === COMPANY;

/** Only administrators write, their own too, with the words of spec.md section 5. */
export const settingsWriter: RoutePolicy = {
  name: 'administrator',
  allows(viewer: Viewer) {
    if (viewer.role === 'admin') return true;
    throw new AppError('ADMIN_REQUIRED', { message: "You don't have permission to modify settings" });
  },
};
