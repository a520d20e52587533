import { createHash } from 'node:crypto';
import type { Viewer } from './context.ts';

const digests = new WeakMap<Viewer, string>();

/**
 * Returns a digest of a viewer's permissions: equal for viewers with equal permissions, so that results which depend on
 * permissions alone can be shared.
 */
export function rightsOf(viewer: Viewer): string {
  let rights = digests.get(viewer);
  if (rights === undefined) {
    rights = createHash('sha256')
      .update(JSON.stringify([viewer.role, viewer.permissions, viewer.customColumns]))
      .digest('base64url');
    digests.set(viewer, rights);
  }
  return rights;
}
