import type { Viewer } from '../../platform/http/context.ts';
import { dataEntryPage, isAdmin } from '../../platform/http/policy.ts';

/** Whether the viewer may read the exact contents of messages. */
export const canPreview = (viewer: Viewer): boolean =>
  isAdmin(viewer) || viewer.permissions.dataEntry.canViewEmailPreview;

/** Users of Data Entry may write to a dealership with the templates that it uses. */
export const canSend = (viewer: Viewer): boolean => dataEntryPage.allows?.(viewer) === true;

export const canRelease = isAdmin;

/** Whether messages of this sender are in the viewer's history. */
export const canSeeMessage = (viewer: Viewer, senderId: string): boolean =>
  isAdmin(viewer) || viewer.userId === senderId;

/** Returns the only sender in the viewer's history; undefined for administrators, who see all. */
export const onlySender = (viewer: Viewer): string | undefined =>
  isAdmin(viewer) ? undefined : viewer.userId;
