import { hash } from 'node:crypto';
import type { Viewer } from './context.ts';

const digests = new WeakMap<Viewer, string>();

/**
 * Returns a digest that is equal for viewers with equal permissions, so that they can share results that depend only on
 * permissions. A viewer who sees only their own rows shares none. The order of custom fields is ignored.
 */
export function permissionsDigestOf(viewer: Viewer): string {
  let digest = digests.get(viewer);
  if (digest === undefined) {
    const { role, permissions, userId } = viewer;
    const custom = viewer.customColumns.map(({ key }) => key).toSorted();
    const own = permissions.dataEntry.columnVisibility.restrictedToOwn ? [userId] : [];
    digest = hash('sha256', JSON.stringify([role, permissions, custom, ...own]), 'base64url');
    digests.set(viewer, digest);
  }
  return digest;
}
