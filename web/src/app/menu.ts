import Building2 from 'lucide-react/icons/building-2';
import FileText from 'lucide-react/icons/file-text';
import History from 'lucide-react/icons/history';
import LayoutDashboard from 'lucide-react/icons/layout-dashboard';
import Mail from 'lucide-react/icons/mail';
import Table2 from 'lucide-react/icons/table-2';
import type { ComponentType } from 'react';
import { paths } from '../platform/paths.ts';
import type { May } from '../platform/permissions.ts';

export type MenuEntry = {
  readonly label: string;
  readonly to: string;
  readonly icon: ComponentType;
  readonly group: 'work' | 'settings';
  /** Who sees it (spec section 2, menu entries). The screen behind it has its own guard. */
  readonly visible: (may: May) => boolean;
};

const everybody = (): boolean => true;

/** The menu, in its order. An entry comes with its screen. */
const menu: readonly MenuEntry[] = [
  { label: 'Dashboard', to: paths.dashboard, icon: LayoutDashboard, group: 'work', visible: everybody },
  { label: 'Data Entry', to: paths.dataEntry, icon: Table2, group: 'work', visible: everybody },
  { label: 'Email History', to: paths.emailHistory, icon: History, group: 'work', visible: everybody },
  {
    label: 'Dealerships',
    to: paths.dealerships,
    icon: Building2,
    group: 'settings',
    visible: (may) => may.do('dealershipConfiguration', 'viewDealerships'),
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
];

/** What one person sees of it. */
export const menuOf = (may: May, group: MenuEntry['group']): MenuEntry[] =>
  menu.filter((entry) => entry.group === group && entry.visible(may));

/** The entry under which an address lies: the longest that begins it. */
export const activeEntry = (path: string): MenuEntry | undefined =>
  menu
    .filter(({ to }) => path === to || path.startsWith(`${to}/`))
    .sort((a, b) => b.to.length - a.to.length)[0];
