import Ban from 'lucide-react/icons/ban';
import Building2 from 'lucide-react/icons/building-2';
import CalendarCheck from 'lucide-react/icons/calendar-check';
import ChartColumn from 'lucide-react/icons/chart-column';
import Columns3 from 'lucide-react/icons/columns-3';
import DatabaseBackup from 'lucide-react/icons/database-backup';
import FileDiff from 'lucide-react/icons/file-diff';
import FileDown from 'lucide-react/icons/file-down';
import FileText from 'lucide-react/icons/file-text';
import History from 'lucide-react/icons/history';
import Inbox from 'lucide-react/icons/inbox';
import LayoutDashboard from 'lucide-react/icons/layout-dashboard';
import ListChecks from 'lucide-react/icons/list-checks';
import Mail from 'lucide-react/icons/mail';
import Package from 'lucide-react/icons/package';
import ScrollText from 'lucide-react/icons/scroll-text';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import Sparkles from 'lucide-react/icons/sparkles';
import Table2 from 'lucide-react/icons/table-2';
import Tags from 'lucide-react/icons/tags';
import Users from 'lucide-react/icons/users';
import type { ComponentType } from 'react';
import { prefetchDataEntry } from './features/deals/prefetch-data-entry.ts';
import { isDemo } from './features/demo/demo.queries.ts';
import type { Access, PermissionSet } from './platform/permission-set.ts';
import { texts } from './texts/app.ts';

/** The entry of a screen in the menu (docs/product/screens.md, Menu and side panel). */
export type ScreenEntry = {
  /** The text of the entry; by default the title of the screen. */
  readonly label?: string;
  readonly icon: ComponentType;
  /** Paths of screens without an entry of their own, for which this one is active. */
  readonly also?: readonly string[];
  readonly group: 'work' | 'settings';
  /** Hidden in the menu of a phone. */
  readonly desktopOnly?: true;
  /** Whether only a demo server shows the entry. */
  readonly demoOnly?: true;
  /** Whether a user sees the entry. The screen is guarded by its access, too. */
  readonly visible: (permissions: PermissionSet) => boolean;
};

const everyUser = (): boolean => true;
const admins = ({ isAdmin }: PermissionSet): boolean => isAdmin;

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
  menu?: ScreenEntry;
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

/** Screens in the order of the menu, which has the entries of those with `menu`. */
const inShell: Screen[] = [
  screen('/dashboard', 'signedIn', 'Dashboard', () => import('./features/dashboard/DashboardScreen.tsx'), {
    menu: { icon: LayoutDashboard, group: 'work', visible: everyUser },
  }),
  // One route for the table and the page of a deal, so that the table stays mounted below the page.
  screen(
    '/data-entry/{-$dealId}',
    { page: 'dataEntry' },
    'Data Entry',
    () => {
      prefetchDataEntry();
      return import('./features/deals/DataEntryScreen.tsx');
    },
    { isLean: true, menu: { icon: Table2, group: 'work', visible: everyUser } },
  ),
  screen(
    '/changes',
    { page: 'dataEntry' },
    'Changes',
    () => import('./features/deals/changes/ChangesScreen.tsx'),
    { menu: { icon: FileDiff, group: 'work', visible: everyUser } },
  ),
  screen(
    '/do-not-contact',
    { page: 'dataEntry' },
    'Do Not Contact',
    () => import('./features/do-not-contact/DoNotContactScreen.tsx'),
    { menu: { icon: Ban, group: 'work', visible: everyUser } },
  ),
  screen('/reports', 'signedIn', 'Reports', () => import('./features/reports/ReportsScreen.tsx'), {
    menu: { icon: ChartColumn, group: 'work', also: ['/statements'], visible: everyUser },
  }),
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
    {
      menu: {
        icon: CalendarCheck,
        group: 'work',
        visible: (permissions) => permissions.page('dataEntry') && permissions.feature('closeMonths'),
      },
    },
  ),
  screen('/statements', 'signedIn', 'Statements', () => import('./features/months/StatementsScreen.tsx')),
  screen(
    '/statements/$id',
    'signedIn',
    'Statement',
    () => import('./features/months/ClosedStatementScreen.tsx'),
  ),
  screen('/changelog', 'signedIn', 'Changelog', () => import('./features/changelog/ChangelogScreen.tsx'), {
    menu: { icon: Sparkles, group: 'work', visible: everyUser },
  }),
  screen(
    '/email-templates/history/{-$emailId}',
    { page: 'emailTemplates' },
    'Email History',
    () => import('./features/email-sending/EmailHistoryScreen.tsx'),
    { menu: { icon: History, group: 'work', visible: everyUser } },
  ),
  screen('/mailbox', 'signedIn', 'Mailbox', () => import('./features/demo/MailboxScreen.tsx'), {
    exists: isDemo,
    menu: { icon: Inbox, group: 'work', demoOnly: true, visible: everyUser },
  }),
  screen('/settings/users', 'admin', 'Users', () => import('./features/users/UsersScreen.tsx'), {
    menu: {
      icon: Users,
      group: 'settings',
      also: ['/settings/permissions', '/admin/user-activity'],
      visible: admins,
    },
  }),
  screen(
    '/settings/general',
    'signedIn',
    'General Settings',
    () => import('./features/settings/GeneralSettingsScreen.tsx'),
    { menu: { label: 'General', icon: SlidersHorizontal, group: 'settings', visible: admins } },
  ),
  screen(
    '/settings/dealerships/{-$dealershipId}',
    'signedIn',
    'Dealership Management',
    () => import('./features/dealerships/DealershipsScreen.tsx'),
    {
      menu: {
        label: 'Dealerships',
        icon: Building2,
        group: 'settings',
        visible: (permissions) => permissions.can('dealershipConfiguration', 'viewDealerships'),
      },
    },
  ),
  screen(
    '/item-configuration',
    { page: 'itemConfiguration', feature: 'manageItems' },
    'Item Configuration',
    () => import('./features/items/ItemsScreen.tsx'),
    {
      menu: {
        icon: Package,
        group: 'settings',
        visible: (permissions) => permissions.can('itemConfiguration', 'viewItems'),
      },
    },
  ),
  screen(
    '/settings/status-configuration',
    { page: 'statusConfiguration' },
    'Status Configuration',
    () => import('./features/statuses/StatusesScreen.tsx'),
    {
      menu: {
        icon: Tags,
        group: 'settings',
        desktopOnly: true,
        visible: (permissions) => permissions.can('statusConfiguration', 'viewStatuses'),
      },
    },
  ),
  screen(
    '/settings/custom-fields',
    'admin',
    'Custom Fields',
    () => import('./features/custom-fields/CustomFieldsScreen.tsx'),
    { menu: { icon: Columns3, group: 'settings', visible: admins } },
  ),
  screen(
    '/settings/email',
    'admin',
    'Email Settings',
    () => import('./features/email-settings/EmailSettingsScreen.tsx'),
    { lost: texts.adminLost, menu: { icon: Mail, group: 'settings', visible: admins } },
  ),
  screen(
    '/email-templates',
    templates,
    'Email Templates',
    () => import('./features/email-templates/TemplatesScreen.tsx'),
    {
      menu: {
        icon: FileText,
        group: 'settings',
        visible: (permissions) => permissions.can('emailTemplateConfiguration', 'viewTemplates'),
      },
    },
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
  screen('/exports', 'admin', 'Exports', () => import('./features/exports/ExportsScreen.tsx'), {
    menu: { icon: FileDown, group: 'work', visible: admins },
  }),
  screen('/settings/backups', 'admin', 'Backups', () => import('./features/backups/BackupsScreen.tsx'), {
    menu: { icon: DatabaseBackup, group: 'settings', visible: admins },
  }),
  screen('/settings/jobs', 'admin', 'Background Work', () => import('./features/jobs/JobsScreen.tsx'), {
    menu: { icon: ListChecks, group: 'settings', visible: admins },
  }),
  screen('/settings/audit-logs', 'admin', 'Audit Logs', () => import('./features/audit/AuditScreen.tsx'), {
    menu: { icon: ScrollText, group: 'settings', visible: admins },
  }),
  screen('/unauthorized', 'signedIn', 'No access', () => import('./features/auth/UnauthorizedScreen.tsx')),
];

/** The route table: path, access, title, lazy screen, entry in the menu. `app/router.tsx` creates the router from it. */
export const screens = { bare, inShell };
