import { createHash } from 'node:crypto';
import type { Viewer } from './context.ts';

const digests = new WeakMap<Viewer, string>();

/**
 * Returns a digest of a viewer's permissions: equal for viewers with equal permissions, so that results which depend on
 * permissions alone can be shared. The order of custom fields is no permission.
 */
export function rightsOf(viewer: Viewer): string {
  let rights = digests.get(viewer);
  if (rights === undefined) {
    const custom = viewer.customColumns.map(({ key }) => key).toSorted();
    rights = createHash('sha256')
      .update(JSON.stringify([viewer.role, viewer.permissions, custom]))
      .digest('base64url');
    digests.set(viewer, rights);
  }
  return rights;
}
