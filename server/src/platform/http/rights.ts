import { createHash } from 'node:crypto';
import type { Viewer } from './context.ts';

const known = new WeakMap<Viewer, string>();

/**
 * What a viewer may do, as a short text: the same for everybody who may do the same, so that what follows from rights
 * alone is found out once for all of them.
 */
export function rightsOf(viewer: Viewer): string {
  let rights = known.get(viewer);
  if (rights === undefined) {
    rights = createHash('sha256')
      .update(JSON.stringify([viewer.role, viewer.permissions]))
      .digest('base64url');
    known.set(viewer, rights);
  }
  return rights;
}
