import type { SessionUser } from '@forecourt/contract/auth';
import { PermissionRecord } from '@forecourt/contract/permissions';

type Given = Partial<Pick<SessionUser, 'role' | 'forcePasswordChange'>> & {
  [G in Exclude<keyof PermissionRecord, 'maxSessions' | 'sessionTimeout'>]?: Partial<PermissionRecord[G]>;
};

/** For tests: somebody with the default permissions (spec section 3) and what is given beside them. */
export function person({ role = 'user', forcePasswordChange = false, ...flags }: Given = {}): SessionUser {
  const _id = '01900000-0000-7000-8000-000000000001';
  return {
    _id,
    userId: _id,
    role,
    name: 'Kim Nguyen',
    email: 'kim@example.com',
    forcePasswordChange,
    lastLogin: null,
    permissions: PermissionRecord.parse(flags),
  };
}
