import type { Viewer } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { RoutePolicy } from '../../platform/http/policy.ts';

/** Everything but reading one's own is for administrators, with the words of spec.md section 8. */
export const settingsAdmin: RoutePolicy = {
  name: 'administrator',
  allows(viewer: Viewer) {
    if (viewer.role === 'admin') return true;
    throw new AppError('ADMIN_REQUIRED', { message: 'Admin access required to manage email settings' });
  },
};
