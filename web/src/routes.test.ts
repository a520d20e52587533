import { expect, test } from 'vitest';
import type { Access } from './platform/permission-set.ts';
import { screens } from './routes.tsx';

const pathsOf = (wanted: Access) =>
  [...screens.bare, ...screens.inShell]
    .filter(({ access }) => JSON.stringify(access) === JSON.stringify(wanted))
    .map(({ path }) => path);

test('the screens of administrators open for no other user', () => {
  expect(pathsOf('admin')).toEqual([
    '/settings/users',
    '/settings/custom-fields',
    '/settings/email',
    '/settings/permissions',
    '/admin/user-activity',
    '/exports',
    '/settings/backups',
    '/settings/jobs',
    '/settings/audit-logs',
  ]);
});

test('the screens of a page need that page, and those of templates and items the feature too', () => {
  expect(pathsOf({ page: 'dataEntry' })).toEqual(['/data-entry/{-$dealId}', '/changes', '/do-not-contact']);
  expect(pathsOf({ page: 'emailTemplates' })).toEqual(['/email-templates/history/{-$emailId}']);
  expect(pathsOf({ page: 'statusConfiguration' })).toEqual(['/settings/status-configuration']);
  expect(pathsOf({ page: 'itemConfiguration', feature: 'manageItems' })).toEqual(['/item-configuration']);
  expect(pathsOf({ page: 'emailTemplates', feature: 'manageTemplates' })).toHaveLength(3);
});
