import type { Viewer } from '../../platform/http/context.ts';
import { dataEntryPage, isAdmin } from '../../platform/http/policy.ts';

/** Reading the exact contents of a message before or after it is sent. */
export const canPreview = (viewer: Viewer): boolean =>
  isAdmin(viewer) || viewer.permissions.dataEntry.canViewEmailPreview;

/** Users of Data Entry may write to a dealership, with the templates that it uses. */
export const canSend = (viewer: Viewer): boolean => dataEntryPage.allows?.(viewer) === true;

/** Held messages are released by administrators. */
export const canRelease = isAdmin;

/** Returns whether a message of this sender is in the viewer's history. */
export const canSeeMessage = (viewer: Viewer, senderId: string): boolean =>
  isAdmin(viewer) || viewer.userId === senderId;

/** Restricts the history to own messages, except for administrators. Undefined: unrestricted. */
export const onlySender = (viewer: Viewer): string | undefined =>
  isAdmin(viewer) ? undefined : viewer.userId;
