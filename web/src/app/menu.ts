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
import { paths } from '../platform/paths.ts';
import type { PermissionSet } from '../platform/permission-set.ts';

export type MenuEntry = {
  readonly label: string;
  readonly to: string;
  readonly icon: ComponentType;
  /** Screens without a menu entry of their own, for which this entry is active. */
  readonly also?: readonly string[];
  readonly group: 'work' | 'settings';
  /** Hidden in the menu of a phone. */
  readonly desktopOnly?: true;
  /** Only if the server is a demo. */
  readonly demoOnly?: true;
  /** Whether a user sees the entry (docs/product/screens.md, Menu and side panel). The screen has a guard too. */
  readonly visible: (permissions: PermissionSet) => boolean;
};

const everyUser = (): boolean => true;
const admins = ({ isAdmin }: PermissionSet): boolean => isAdmin;

const menu: readonly MenuEntry[] = [
  { label: 'Dashboard', to: paths.dashboard, icon: LayoutDashboard, group: 'work', visible: everyUser },
  { label: 'Data Entry', to: paths.dataEntry, icon: Table2, group: 'work', visible: everyUser },
  { label: 'Changes', to: paths.changes, icon: FileDiff, group: 'work', visible: everyUser },
  { label: 'Do Not Contact', to: paths.doNotContact, icon: Ban, group: 'work', visible: everyUser },
  {
    label: 'Reports',
    to: paths.reports,
    also: [paths.statements],
    icon: ChartColumn,
    group: 'work',
    visible: everyUser,
  },
  {
    label: 'Month Close',
    to: paths.monthClose,
    icon: CalendarCheck,
    group: 'work',
    visible: (permissions) => permissions.page('dataEntry') && permissions.feature('closeMonths'),
  },
  { label: 'Changelog', to: paths.changelog, icon: Sparkles, group: 'work', visible: everyUser },
  { label: 'Email History', to: paths.emailHistory, icon: History, group: 'work', visible: everyUser },
  { label: 'Mailbox', to: paths.mailbox, icon: Inbox, group: 'work', demoOnly: true, visible: everyUser },
  { label: 'Exports', to: paths.exports, icon: FileDown, group: 'work', visible: admins },
  {
    label: 'Users',
    to: paths.users,
    also: [paths.permissions, paths.userActivity],
    icon: Users,
    group: 'settings',
    visible: admins,
  },
  {
    label: 'General',
    to: paths.generalSettings,
    icon: SlidersHorizontal,
    group: 'settings',
    visible: admins,
  },
  {
    label: 'Dealerships',
    to: paths.dealerships,
    icon: Building2,
    group: 'settings',
    visible: (permissions) => permissions.can('dealershipConfiguration', 'viewDealerships'),
  },
  {
    label: 'Item Configuration',
    to: paths.items,
    icon: Package,
    group: 'settings',
    visible: (permissions) => permissions.can('itemConfiguration', 'viewItems'),
  },
  {
    label: 'Status Configuration',
    to: paths.statuses,
    icon: Tags,
    group: 'settings',
    desktopOnly: true,
    visible: (permissions) => permissions.can('statusConfiguration', 'viewStatuses'),
  },
  { label: 'Custom Fields', to: paths.customFields, icon: Columns3, group: 'settings', visible: admins },
  { label: 'Email Settings', to: paths.emailSettings, icon: Mail, group: 'settings', visible: admins },
  {
    label: 'Email Templates',
    to: paths.templates,
    icon: FileText,
    group: 'settings',
    visible: (permissions) => permissions.can('emailTemplateConfiguration', 'viewTemplates'),
  },
  { label: 'Backups', to: paths.backups, icon: DatabaseBackup, group: 'settings', visible: admins },
  { label: 'Background Work', to: paths.jobs, icon: ListChecks, group: 'settings', visible: admins },
  { label: 'Audit Logs', to: paths.auditLogs, icon: ScrollText, group: 'settings', visible: admins },
];

export const menuOf = (permissions: PermissionSet, group: MenuEntry['group'], isDemo: boolean): MenuEntry[] =>
  menu.filter((entry) => entry.group === group && (isDemo || !entry.demoOnly) && entry.visible(permissions));

/** Returns the entry of a URL path: the entry with the longest matching path. */
export const activeEntry = (path: string): MenuEntry | undefined =>
  menu
    .filter(({ to, also = [] }) => [to, ...also].some((each) => path === each || path.startsWith(`${each}/`)))
    .sort((a, b) => b.to.length - a.to.length)[0];
