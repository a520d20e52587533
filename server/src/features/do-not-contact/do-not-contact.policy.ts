import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from '../../platform/http/context.ts';
import { allow, isAdmin } from '../../platform/http/policy.ts';

/** Only the user who added an entry and administrators may remove it (docs/product/data-entry.md, Do not contact). */
export const canRemove = (viewer: Viewer, entry: { added_by: string }): Ability =>
  allow(isAdmin(viewer) || entry.added_by === viewer.userId, 'NOT_CONTACT_ADDER');
