import type { SessionUser } from '@forecourt/contract/auth';
import { defaultRecord } from '@forecourt/contract/permission-defaults';
import { withChanges, type PermissionChanges, type UserPermissions } from '@forecourt/contract/permissions';
import { kindsWith } from '@forecourt/contract/record-kinds';

const _id = '01900000-0000-7000-8000-000000000001';

/** For tests: a signed-in user with these properties. */
export const person = (given: Partial<SessionUser> = {}): SessionUser => ({
  _id,
  userId: _id,
  role: 'user',
  name: 'Kim Nguyen',
  email: 'kim@example.com',
  forcePasswordChange: false,
  mustSetUpTwoStep: false,
  lastLogin: null,
  ...given,
});

/** For tests: the default permissions (docs/product/people-and-permissions.md, Default permissions) with these changes. */
export const permissions = (changes: PermissionChanges = {}, userId = _id): UserPermissions => ({
  ...withChanges(defaultRecord, changes),
  userId,
  role: 'user',
  resources: Object.fromEntries(
    kindsWith('resource').map(({ resource }) => [resource, { owned: [], canView: [], canEdit: [] }]),
  ) as unknown as UserPermissions['resources'],
  version: 1,
});
