import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from '../../platform/http/context.ts';
import { allow, isAdmin } from '../../platform/http/policy.ts';

/** An entry is removed by the person who added it and by administrators (docs/product/data-entry.md, Do not contact). */
export const canRemove = (viewer: Viewer, entry: { added_by: string }): Ability =>
  allow(isAdmin(viewer) || entry.added_by === viewer.userId, 'NOT_CONTACT_ADDER');
