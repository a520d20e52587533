import type { ComponentType } from 'react';
import { prefetchDataEntry } from './features/deals/prefetch-data-entry.ts';
import { isDemo } from './features/demo/demo.queries.ts';
import type { Access } from './platform/permission-set.ts';
import { texts } from './texts/app.ts';

type Screen = {
  path: string;
  access: Access;
  title: string;
  load: () => Promise<{ default: ComponentType }>;
  /** Whether this server has the screen, checked after the access; else the address is not found. */
  exists?: () => Promise<boolean>;
  /** Shown when the user loses access while it is open and is redirected to the dashboard. */
  lost?: string;
  /** Opens without the styles of styles-more.ts, which are loaded after it. */
  isLean?: true;
};

const screen = (
  path: string,
  access: Access,
  title: string,
  load: Screen['load'],
  more: Omit<Screen, 'path' | 'access' | 'title' | 'load'> = {},
): Screen => ({ path, access, title, load, ...more });

const templates: Access = { page: 'emailTemplates', feature: 'manageTemplates' };

/** Screens without the side panel (docs/product/screens.md, Menu and side panel). */
const bare: Screen[] = [
  screen('/login', 'guest', 'Sign in', () => import('./features/auth/LoginScreen.tsx')),
  screen('/register', 'guest', 'Set up', () => import('./features/auth/RegisterScreen.tsx')),
  screen(
    '/forgot-password',
    'guest',
    'Forgot password',
    () => import('./features/auth/ForgotPasswordScreen.tsx'),
  ),
  screen(
    '/reset-password',
    'guest',
    'Choose a password',
    () => import('./features/auth/ResetPasswordScreen.tsx'),
  ),
  screen('/two-step', 'signedIn', 'Two-step sign-in', () => import('./features/auth/TwoStepScreen.tsx')),
  screen(
    '/change-password',
    'signedIn',
    'Change password',
    () => import('./features/auth/ChangePasswordScreen.tsx'),
  ),
];

const inShell: Screen[] = [
  screen('/dashboard', 'signedIn', 'Dashboard', () => import('./features/dashboard/DashboardScreen.tsx')),
  // One route for the table and the page of a deal, so that the table stays mounted below the page.
  screen(
    '/data-entry/{-$dealId}',
    { page: 'dataEntry' },
    'Data Entry',
    () => {
      prefetchDataEntry();
      return import('./features/deals/DataEntryScreen.tsx');
    },
    { isLean: true },
  ),
  screen(
    '/changes',
    { page: 'dataEntry' },
    'Changes',
    () => import('./features/deals/changes/ChangesScreen.tsx'),
  ),
  screen(
    '/do-not-contact',
    { page: 'dataEntry' },
    'Do Not Contact',
    () => import('./features/do-not-contact/DoNotContactScreen.tsx'),
  ),
  screen('/reports', 'signedIn', 'Reports', () => import('./features/reports/ReportsScreen.tsx')),
  screen(
    '/reports/commission-statement',
    'signedIn',
    'Commission statement',
    () => import('./features/reports/StatementScreen.tsx'),
  ),
  screen(
    '/month-close',
    { page: 'dataEntry', feature: 'closeMonths' },
    'Month Close',
    () => import('./features/months/MonthCloseScreen.tsx'),
  ),
  screen('/statements', 'signedIn', 'Statements', () => import('./features/months/StatementsScreen.tsx')),
  screen(
    '/statements/$id',
    'signedIn',
    'Statement',
    () => import('./features/months/ClosedStatementScreen.tsx'),
  ),
  screen('/changelog', 'signedIn', 'Changelog', () => import('./features/changelog/ChangelogScreen.tsx')),
  screen(
    '/email-templates',
    templates,
    'Email Templates',
    () => import('./features/email-templates/TemplatesScreen.tsx'),
  ),
  screen(
    '/email-templates/new',
    templates,
    'New Template',
    () => import('./features/email-templates/TemplateEditorScreen.tsx'),
  ),
  screen(
    '/email-templates/$id/edit',
    templates,
    'Edit Template',
    () => import('./features/email-templates/TemplateEditorScreen.tsx'),
  ),
  screen(
    '/email-templates/history/{-$emailId}',
    { page: 'emailTemplates' },
    'Email History',
    () => import('./features/email-sending/EmailHistoryScreen.tsx'),
  ),
  screen('/mailbox', 'signedIn', 'Mailbox', () => import('./features/demo/MailboxScreen.tsx'), {
    exists: isDemo,
  }),
  screen('/settings/users', 'admin', 'Users', () => import('./features/users/UsersScreen.tsx')),
  screen(
    '/settings/general',
    'signedIn',
    'General Settings',
    () => import('./features/settings/GeneralSettingsScreen.tsx'),
  ),
  screen(
    '/settings/dealerships/{-$dealershipId}',
    'signedIn',
    'Dealership Management',
    () => import('./features/dealerships/DealershipsScreen.tsx'),
  ),
  screen(
    '/item-configuration',
    { page: 'itemConfiguration', feature: 'manageItems' },
    'Item Configuration',
    () => import('./features/items/ItemsScreen.tsx'),
  ),
  screen(
    '/settings/status-configuration',
    { page: 'statusConfiguration' },
    'Status Configuration',
    () => import('./features/statuses/StatusesScreen.tsx'),
  ),
  screen(
    '/settings/custom-fields',
    'admin',
    'Custom Fields',
    () => import('./features/custom-fields/CustomFieldsScreen.tsx'),
  ),
  screen(
    '/settings/email',
    'admin',
    'Email Settings',
    () => import('./features/email-settings/EmailSettingsScreen.tsx'),
    { lost: texts.adminLost },
  ),
  screen('/account', 'signedIn', 'Your account', () => import('./features/auth/AccountScreen.tsx')),
  screen(
    '/settings/permissions',
    'admin',
    'Permissions',
    () => import('./features/permissions/PermissionsScreen.tsx'),
  ),
  screen(
    '/admin/user-activity',
    'admin',
    'User Activity',
    () => import('./features/activity/UserActivityScreen.tsx'),
  ),
  screen('/exports', 'admin', 'Exports', () => import('./features/exports/ExportsScreen.tsx')),
  screen('/settings/backups', 'admin', 'Backups', () => import('./features/backups/BackupsScreen.tsx')),
  screen('/settings/jobs', 'admin', 'Background Work', () => import('./features/jobs/JobsScreen.tsx')),
  screen('/settings/audit-logs', 'admin', 'Audit Logs', () => import('./features/audit/AuditScreen.tsx')),
  screen('/unauthorized', 'signedIn', 'No access', () => import('./features/auth/UnauthorizedScreen.tsx')),
];

/** The route table: path, access, title, lazy screen. `app/router.tsx` creates the router from it. */
export const screens = { bare, inShell };
