import Building2 from 'lucide-react/icons/building-2';
import ChartColumn from 'lucide-react/icons/chart-column';
import DatabaseBackup from 'lucide-react/icons/database-backup';
import FileDown from 'lucide-react/icons/file-down';
import FileText from 'lucide-react/icons/file-text';
import History from 'lucide-react/icons/history';
import Inbox from 'lucide-react/icons/inbox';
import LayoutDashboard from 'lucide-react/icons/layout-dashboard';
import Mail from 'lucide-react/icons/mail';
import Package from 'lucide-react/icons/package';
import ScrollText from 'lucide-react/icons/scroll-text';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import Sparkles from 'lucide-react/icons/sparkles';
import Table2 from 'lucide-react/icons/table-2';
import Tags from 'lucide-react/icons/tags';
import Users from 'lucide-react/icons/users';
import type { ComponentType } from 'react';
import type { May } from '../platform/may.ts';
import { paths } from '../platform/paths.ts';

export type MenuEntry = {
  readonly label: string;
  readonly to: string;
  readonly icon: ComponentType;
  /** Screens without an entry of their own that belong to this one. */
  readonly also?: readonly string[];
  readonly group: 'work' | 'settings';
  /** Not in the menu of a phone. */
  readonly desktopOnly?: true;
  /** Where the server is a demo. */
  readonly demoOnly?: true;
  /** Who sees it (spec section 2, menu entries). The screen behind it has its own guard. */
  readonly visible: (may: May) => boolean;
};

const everybody = (): boolean => true;

/** The menu, in its order. An entry comes with its screen. */
const menu: readonly MenuEntry[] = [
  { label: 'Dashboard', to: paths.dashboard, icon: LayoutDashboard, group: 'work', visible: everybody },
  { label: 'Data Entry', to: paths.dataEntry, icon: Table2, group: 'work', visible: everybody },
  { label: 'Reports', to: paths.reports, icon: ChartColumn, group: 'work', visible: everybody },
  { label: 'Changelog', to: paths.changelog, icon: Sparkles, group: 'work', visible: everybody },
  { label: 'Email History', to: paths.emailHistory, icon: History, group: 'work', visible: everybody },
  {
    label: 'Mailbox',
    to: paths.mailbox,
    icon: Inbox,
    group: 'work',
    demoOnly: true,
    visible: everybody,
  },
  { label: 'Exports', to: paths.exports, icon: FileDown, group: 'work', visible: (may) => may.admin },
  {
    label: 'Users',
    to: paths.users,
    also: [paths.permissions, paths.userActivity],
    icon: Users,
    group: 'settings',
    visible: (may) => may.admin,
  },
  {
    label: 'General',
    to: paths.generalSettings,
    icon: SlidersHorizontal,
    group: 'settings',
    visible: (may) => may.admin,
  },
  {
    label: 'Dealerships',
    to: paths.dealerships,
    icon: Building2,
    group: 'settings',
    visible: (may) => may.do('dealershipConfiguration', 'viewDealerships'),
  },
  {
    label: 'Item Configuration',
    to: paths.items,
    icon: Package,
    group: 'settings',
    visible: (may) => may.do('itemConfiguration', 'viewItems'),
  },
  {
    label: 'Status Configuration',
    to: paths.statuses,
    icon: Tags,
    group: 'settings',
    desktopOnly: true,
    visible: (may) => may.do('statusConfiguration', 'viewStatuses'),
  },
  {
    label: 'Email Settings',
    to: paths.emailSettings,
    icon: Mail,
    group: 'settings',
    visible: (may) => may.admin,
  },
  {
    label: 'Email Templates',
    to: paths.templates,
    icon: FileText,
    group: 'settings',
    visible: (may) => may.do('emailTemplateConfiguration', 'viewTemplates'),
  },
  {
    label: 'Backups',
    to: paths.backups,
    icon: DatabaseBackup,
    group: 'settings',
    visible: (may) => may.admin,
  },
  {
    label: 'Audit Logs',
    to: paths.auditLogs,
    icon: ScrollText,
    group: 'settings',
    visible: (may) => may.admin,
  },
];

/** What one person sees of it, in a demo or not. */
export const menuOf = (may: May, group: MenuEntry['group'], isDemo: boolean): MenuEntry[] =>
  menu.filter((entry) => entry.group === group && (isDemo || !entry.demoOnly) && entry.visible(may));

/** The entry under which an address lies: the longest that begins it. */
export const activeEntry = (path: string): MenuEntry | undefined =>
  menu
    .filter(({ to, also = [] }) => [to, ...also].some((each) => path === each || path.startsWith(`${each}/`)))
    .sort((a, b) => b.to.length - a.to.length)[0];
