import { hash } from 'node:crypto';
import type { Viewer } from './context.ts';

const digests = new WeakMap<Viewer, string>();

/**
 * Returns a digest of a viewer's permissions: equal for viewers with equal permissions, so that results which depend on
 * permissions alone can be shared. The order of custom fields is no permission.
 */
export function permissionsDigestOf(viewer: Viewer): string {
  let digest = digests.get(viewer);
  if (digest === undefined) {
    const custom = viewer.customColumns.map(({ key }) => key).toSorted();
    digest = hash('sha256', JSON.stringify([viewer.role, viewer.permissions, custom]), 'base64url');
    digests.set(viewer, digest);
  }
  return digest;
}
