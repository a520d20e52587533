import type { ComponentType } from 'react';
import type { Access } from './app/access.ts';
import { prefetchDataEntry } from './features/deals/prefetch-data-entry.ts';
import { isDemo } from './features/demo/demo.queries.ts';
import { texts } from './texts/app.ts';

type Screen = {
  path: string;
  access: Access;
  title: string;
  load: () => Promise<ComponentType>;
  /** Whether this server has the screen, checked after the access; else the address is not found. */
  exists?: () => Promise<boolean>;
  /** Shown when the user loses access while it is open and is redirected to the dashboard. */
  lost?: string;
  /** Opens without the styles of styles-more.ts, which are loaded after it. */
  isLean?: true;
};

const templates: Access = { page: 'emailTemplates', feature: 'manageTemplates' };

/** Screens without the side panel (docs/product/screens.md, Menu and side panel). */
const bare: Screen[] = [
  {
    path: '/login',
    access: 'guest',
    title: 'Sign in',
    load: async () => (await import('./features/auth/LoginScreen.tsx')).LoginScreen,
  },
  {
    path: '/register',
    access: 'guest',
    title: 'Set up',
    load: async () => (await import('./features/auth/RegisterScreen.tsx')).RegisterScreen,
  },
  {
    path: '/forgot-password',
    access: 'guest',
    title: 'Forgot password',
    load: async () => (await import('./features/auth/ForgotPasswordScreen.tsx')).ForgotPasswordScreen,
  },
  {
    path: '/reset-password',
    access: 'guest',
    title: 'Choose a password',
    load: async () => (await import('./features/auth/ResetPasswordScreen.tsx')).ResetPasswordScreen,
  },
  {
    path: '/two-step',
    access: 'signedIn',
    title: 'Two-step sign-in',
    load: async () => (await import('./features/auth/TwoStepScreen.tsx')).TwoStepScreen,
  },
  {
    path: '/change-password',
    access: 'signedIn',
    title: 'Change password',
    load: async () => (await import('./features/auth/ChangePasswordScreen.tsx')).ChangePasswordScreen,
  },
];

const inShell: Screen[] = [
  {
    path: '/dashboard',
    access: 'signedIn',
    title: 'Dashboard',
    load: async () => (await import('./features/dashboard/DashboardScreen.tsx')).DashboardScreen,
  },
  {
    // One route for the table and the page of a deal, so that the table stays mounted below the page.
    path: '/data-entry/{-$dealId}',
    access: { page: 'dataEntry' },
    title: 'Data Entry',
    isLean: true,
    load: async () => {
      prefetchDataEntry();
      return (await import('./features/deals/DataEntryScreen.tsx')).DataEntryScreen;
    },
  },
  {
    path: '/reports',
    access: 'signedIn',
    title: 'Reports',
    load: async () => (await import('./features/reports/ReportsScreen.tsx')).ReportsScreen,
  },
  {
    path: '/reports/commission-statement',
    access: 'signedIn',
    title: 'Commission statement',
    load: async () => (await import('./features/reports/StatementScreen.tsx')).StatementScreen,
  },
  {
    path: '/changelog',
    access: 'signedIn',
    title: 'Changelog',
    load: async () => (await import('./features/changelog/ChangelogScreen.tsx')).ChangelogScreen,
  },
  {
    path: '/email-templates',
    access: templates,
    title: 'Email Templates',
    load: async () => (await import('./features/email-templates/TemplatesScreen.tsx')).TemplatesScreen,
  },
  {
    path: '/email-templates/new',
    access: templates,
    title: 'New Template',
    load: async () =>
      (await import('./features/email-templates/TemplateEditorScreen.tsx')).TemplateEditorScreen,
  },
  {
    path: '/email-templates/$id/edit',
    access: templates,
    title: 'Edit Template',
    load: async () =>
      (await import('./features/email-templates/TemplateEditorScreen.tsx')).TemplateEditorScreen,
  },
  {
    path: '/email-templates/history',
    access: { page: 'emailTemplates' },
    title: 'Email History',
    load: async () => (await import('./features/email-sending/EmailHistoryScreen.tsx')).EmailHistoryScreen,
  },
  {
    path: '/mailbox',
    access: 'signedIn',
    title: 'Mailbox',
    exists: isDemo,
    load: async () => (await import('./features/demo/MailboxScreen.tsx')).MailboxScreen,
  },
  {
    path: '/settings/users',
    access: 'admin',
    title: 'Users',
    load: async () => (await import('./features/users/UsersScreen.tsx')).UsersScreen,
  },
  {
    path: '/settings/general',
    access: 'signedIn',
    title: 'General Settings',
    load: async () => (await import('./features/settings/GeneralSettingsScreen.tsx')).GeneralSettingsScreen,
  },
  {
    path: '/settings/dealerships/{-$dealershipId}',
    access: 'signedIn',
    title: 'Dealership Management',
    load: async () => (await import('./features/dealerships/DealershipsScreen.tsx')).DealershipsScreen,
  },
  {
    path: '/item-configuration',
    access: { page: 'itemConfiguration', feature: 'manageItems' },
    title: 'Item Configuration',
    load: async () => (await import('./features/items/ItemsScreen.tsx')).ItemsScreen,
  },
  {
    path: '/settings/status-configuration',
    access: { page: 'statusConfiguration' },
    title: 'Status Configuration',
    load: async () => (await import('./features/statuses/StatusesScreen.tsx')).StatusesScreen,
  },
  {
    path: '/settings/custom-fields',
    access: 'admin',
    title: 'Custom Fields',
    load: async () => (await import('./features/custom-fields/CustomFieldsScreen.tsx')).CustomFieldsScreen,
  },
  {
    path: '/settings/email',
    access: 'admin',
    lost: texts.adminLost,
    title: 'Email Settings',
    load: async () => (await import('./features/email-settings/EmailSettingsScreen.tsx')).EmailSettingsScreen,
  },
  {
    path: '/account',
    access: 'signedIn',
    title: 'Your account',
    load: async () => (await import('./features/auth/AccountScreen.tsx')).AccountScreen,
  },
  {
    path: '/settings/permissions',
    access: 'admin',
    title: 'Permissions',
    load: async () => (await import('./features/permissions/PermissionsScreen.tsx')).PermissionsScreen,
  },
  {
    path: '/admin/user-activity',
    access: 'admin',
    title: 'User Activity',
    load: async () => (await import('./features/activity/UserActivityScreen.tsx')).UserActivityScreen,
  },
  {
    path: '/exports',
    access: 'admin',
    title: 'Exports',
    load: async () => (await import('./features/exports/ExportsScreen.tsx')).ExportsScreen,
  },
  {
    path: '/settings/backups',
    access: 'admin',
    title: 'Backups',
    load: async () => (await import('./features/backups/BackupsScreen.tsx')).BackupsScreen,
  },
  {
    path: '/settings/jobs',
    access: 'admin',
    title: 'Background Work',
    load: async () => (await import('./features/jobs/JobsScreen.tsx')).JobsScreen,
  },
  {
    path: '/settings/audit-logs',
    access: 'admin',
    title: 'Audit Logs',
    load: async () => (await import('./features/audit/AuditScreen.tsx')).AuditScreen,
  },
  {
    path: '/unauthorized',
    access: 'signedIn',
    title: 'No access',
    load: async () => (await import('./features/auth/UnauthorizedScreen.tsx')).UnauthorizedScreen,
  },
];

/** The route table: path, access, title, lazy screen. `app/router.tsx` creates the router from it. */
export const screens = { bare, inShell };
