import type { UserPermissions } from '@forecourt/contract/permissions';
import { expect, test } from 'vitest';
import { grantChanges, grantsOf } from './GrantStatus.tsx';

const record = (userId: string, canEdit: string[], role: 'user' | 'admin' = 'user') =>
  ({
    userId,
    role,
    version: 2,
    resources: { statusConfigurations: { canEdit } },
  }) as unknown as UserPermissions;
const person = (_id: string) => ({ _id, name: _id.toUpperCase(), email: `${_id}@example.com` });

const records = [
  record('ann', ['called', 'deal']),
  record('bob', []),
  record('ada', [], 'admin'),
  record('gone', ['called']),
];
const grants = grantsOf('called', records, [person('ada'), person('ann'), person('bob')]);

test('active users other than administrators are options; those with the grant are chosen', () => {
  expect(grants.people.map(({ label }) => label)).toEqual(['ANN (ann@example.com)', 'BOB (bob@example.com)']);
  expect(grants.granted).toEqual(['ann']);
});

test('only changed records are saved, with their other grants', () => {
  const canEdit = (ids: string[]) => ({ resources: { statusConfigurations: { canEdit: ids } }, version: 2 });
  expect(grantChanges('called', grants, ['ann'], ['ann'])).toEqual([]);
  expect(grantChanges('called', grants, ['ann'], ['bob'])).toEqual([
    { userId: 'ann', body: canEdit(['deal']) },
    { userId: 'bob', body: canEdit(['called']) },
  ]);
});

test('what another administrator granted or took while the list was open stays', () => {
  const since = { records: [record('ann', []), record('bob', ['called']), record('cam', [])] };
  expect(grantChanges('called', since, ['ann'], ['ann', 'cam'])).toMatchObject([{ userId: 'cam' }]);
  expect(grantChanges('called', since, ['ann'], ['bob'])).toEqual([]);
});
