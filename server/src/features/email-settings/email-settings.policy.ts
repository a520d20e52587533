import type { Viewer } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { RoutePolicy } from '../../platform/http/policy.ts';

/** Only administrators may do more than read their own settings (docs/product/email.md, Mail servers of people). */
export const settingsAdmin: RoutePolicy = {
  name: 'administrator',
  allows(viewer: Viewer) {
    if (viewer.role === 'admin') return true;
    throw new AppError('ADMIN_REQUIRED', { message: 'Admin access required to manage email settings' });
  },
};
