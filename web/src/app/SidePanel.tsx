import { Tooltip } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import LogOut from 'lucide-react/icons/log-out';
import PanelLeftClose from 'lucide-react/icons/panel-left-close';
import PanelLeftOpen from 'lucide-react/icons/panel-left-open';
import type { ReactNode } from 'react';
import { may } from '../platform/permissions.ts';
import { signOut, useSession } from '../platform/session.ts';
import { texts } from '../texts/app.ts';
import { Wordmark } from '../ui/Brand.tsx';
import { activeEntry, menuOf, type MenuEntry } from './menu.ts';
import { ThemeSwitch } from './ThemeSwitch.tsx';
import { UserCard } from './UserCard.tsx';
import styles from './SidePanel.module.css';

type SidePanelProps = { open: boolean; collapsed: boolean; onCollapse: () => void };

/** The menu, the person and the way out. Collapsed it shows icons, each with its name as a tooltip. */
export function SidePanel({ open, collapsed, onCollapse }: SidePanelProps): ReactNode {
  const { user } = useSession();
  const settings = menuOf(may(user), 'settings');
  const toggleLabel = collapsed ? texts.expand : texts.collapse;

  return (
    <aside id="side-panel" className={styles.panel} data-open={open || undefined}>
      <div className={styles.head}>
        <span className={styles.brand}>
          <Wordmark />
        </span>
        <Tooltip label={toggleLabel} position="right">
          <button type="button" className={styles.collapse} aria-label={toggleLabel} onClick={onCollapse}>
            {collapsed ? <PanelLeftOpen /> : <PanelLeftClose />}
          </button>
        </Tooltip>
      </div>
      <nav className={styles.nav} aria-label={texts.mainMenu}>
        <Entries entries={menuOf(may(user), 'work')} collapsed={collapsed} />
        {settings.length > 0 && (
          <>
            <h2 className={styles.group}>{texts.settings}</h2>
            <Entries entries={settings} collapsed={collapsed} />
          </>
        )}
      </nav>
      <div className={styles.foot}>
        <ThemeSwitch collapsed={collapsed} />
        <UserCard collapsed={collapsed} />
        <Tooltip label={texts.signOut} position="right" disabled={!collapsed}>
          <button type="button" className={styles.entry} onClick={signOut}>
            <LogOut />
            <span className={styles.label}>{texts.signOut}</span>
          </button>
        </Tooltip>
      </div>
    </aside>
  );
}

function Entries({ entries, collapsed }: { entries: MenuEntry[]; collapsed: boolean }): ReactNode {
  const { pathname } = useLocation();
  const active = activeEntry(pathname);
  return (
    <ul className={styles.list}>
      {entries.map((entry) => (
        <li key={entry.to}>
          <Tooltip label={entry.label} position="right" disabled={!collapsed}>
            <Link
              to={entry.to}
              className={styles.entry}
              activeOptions={{ exact: true }}
              aria-current={entry === active ? 'page' : undefined}
            >
              <entry.icon />
              <span className={styles.label}>{entry.label}</span>
            </Link>
          </Tooltip>
        </li>
      ))}
    </ul>
  );
}
