import type { ComponentType } from 'react';
import type { Access } from './app/access.ts';
import { prefetchDataEntry } from './features/deals/deals.queries.ts';

type Screen = { path: string; access: Access; title: string; load: () => Promise<ComponentType> };

/** Screens without the side panel (spec section 2). */
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
    path: '/change-password',
    access: 'signedIn',
    title: 'Change password',
    load: async () => (await import('./features/auth/ChangePasswordScreen.tsx')).ChangePasswordScreen,
  },
];

/** Who may open what concerns email templates. */
const templates: Access = { page: 'emailTemplates', feature: 'manageTemplates' };

/** Screens inside the shell. */
const inShell: Screen[] = [
  {
    path: '/dashboard',
    access: 'signedIn',
    title: 'Dashboard',
    load: async () => (await import('./features/dashboard/DashboardScreen.tsx')).DashboardScreen,
  },
  {
    path: '/data-entry',
    access: { page: 'dataEntry' },
    title: 'Data Entry',
    load: async () => {
      prefetchDataEntry();
      return (await import('./features/deals/DataEntryScreen.tsx')).DataEntryScreen;
    },
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
    path: '/settings/dealerships',
    access: 'signedIn',
    title: 'Dealership Management',
    load: async () => (await import('./features/dealerships/DealershipsScreen.tsx')).DealershipsScreen,
  },
  {
    path: '/settings/email',
    access: 'admin',
    title: 'Email Settings',
    load: async () => (await import('./features/email-settings/EmailSettingsScreen.tsx')).EmailSettingsScreen,
  },
  {
    path: '/unauthorized',
    access: 'signedIn',
    title: 'No access',
    load: async () => (await import('./features/auth/UnauthorizedScreen.tsx')).UnauthorizedScreen,
  },
];

/** The whole navigation: path, who may open it, title, lazy screen. `app/router.tsx` makes the router of it. */
export const screens = { bare, inShell };
