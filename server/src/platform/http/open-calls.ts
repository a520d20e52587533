import type { RouteKey } from '@forecourt/contract/api';
import type { RouteContract } from '@forecourt/contract/route';
import type { Viewer } from './context.ts';
import { AppError } from './errors.ts';

const BEFORE_PASSWORD_CHANGE: readonly RouteKey[] = [
  'GET /auth/me',
  'POST /auth/change-password',
  'POST /auth/logout',
];

/** Two-step set-up requires a new password first: the temporary one must not bind a phone to the account. */
const BEFORE_TWO_STEP: readonly RouteKey[] = [
  ...BEFORE_PASSWORD_CHANGE,
  'GET /auth/two-step',
  'POST /auth/two-step',
  'POST /auth/two-step/confirm',
];

/** Files that pages embed. */
const SHOWN_FILES: readonly RouteKey[] = ['GET /email-templates/images/:id'];

/** A route by its key in the contract; undefined is the live stream. */
export type Call = { key: RouteKey; contract: RouteContract } | undefined;

/**
 * Throws unless the route is open in the viewer's state, such as a required password change. All open routes are listed
 * here (docs/product/security.md, Open calls in each state). If a viewer has several states, the first one applies.
 */
export function requireOpen(viewer: Viewer, call: Call): void {
  const isOneOf = (keys: readonly RouteKey[]): boolean => call !== undefined && keys.includes(call.key);
  if (viewer.forcePasswordChange && !isOneOf(BEFORE_PASSWORD_CHANGE)) {
    throw new AppError('PASSWORD_CHANGE_REQUIRED', { requiresPasswordChange: true });
  }
  if (viewer.mustSetUpTwoStep && !isOneOf(BEFORE_TWO_STEP)) throw new AppError('TWO_STEP_SETUP_REQUIRED');
  if (viewer.viewedBy && call) {
    if (!call.key.startsWith('GET ')) throw new AppError('VIEW_ONLY');
    if (call.contract.download && !isOneOf(SHOWN_FILES)) {
      throw new AppError('VIEW_ONLY', {
        message: 'You are looking at this as somebody else. Nothing can be downloaded.',
      });
    }
  }
}
