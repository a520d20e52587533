import { hash } from 'node:crypto';
import type { Viewer } from './context.ts';

const digests = new WeakMap<Viewer, string>();

/**
 * Returns a digest of a viewer's permissions: equal for viewers with equal permissions, so that results which depend on
 * permissions alone can be shared. A viewer who sees only their own rows shares none. The order of custom fields is no
 * permission.
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
