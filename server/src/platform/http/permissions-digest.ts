import { hash } from 'node:crypto';
import type { Viewer } from './context.ts';

const digests = new WeakMap<Viewer, string>();

/**
 * Returns a digest that is equal for viewers with equal permissions, so that they can share results that depend only on
 * permissions. A viewer who sees only their own rows shares none. The order of custom fields is ignored.
 */
export const permissionsDigestOf = (viewer: Viewer): string =>
  digests.getOrInsertComputed(viewer, () => {
    const { role, permissions, userId } = viewer;
    const custom = viewer.customColumns.map(({ key }) => key).toSorted();
    const own = permissions.dataEntry.columnVisibility.restrictedToOwn ? [userId] : [];
    return hash('sha256', JSON.stringify([role, permissions, custom, ...own]), 'base64url');
  });
