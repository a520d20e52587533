import type { Viewer } from '../../platform/http/context.ts';

const isAdmin = (viewer: Viewer) => viewer.role === 'admin';

/** Reading a message before or after it goes out, word for word. */
export const canPreview = (viewer: Viewer): boolean =>
  isAdmin(viewer) || viewer.permissions.dataEntry.canViewEmailPreview;

/** Whoever may open Data Entry may write to a dealership, with the templates that it uses. */
export const canSend = (viewer: Viewer): boolean => isAdmin(viewer) || viewer.permissions.pages.dataEntry;

/** Staff see their own messages, administrators everybody's. Undefined: all. */
export const onlySender = (viewer: Viewer): string | undefined =>
  isAdmin(viewer) ? undefined : viewer.userId;
