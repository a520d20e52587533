import { ActionIcon, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import Bug from 'lucide-react/icons/bug';
import LogOut from 'lucide-react/icons/log-out';
import Monitor from 'lucide-react/icons/monitor';
import Moon from 'lucide-react/icons/moon';
import PanelLeftClose from 'lucide-react/icons/panel-left-close';
import PanelLeftOpen from 'lucide-react/icons/panel-left-open';
import Search from 'lucide-react/icons/search';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import Sun from 'lucide-react/icons/sun';
import UserRoundCog from 'lucide-react/icons/user-round-cog';
import { useEffect, type ReactNode, type ComponentType } from 'react';
import { useIsDemo } from '../features/demo/demo.queries.ts';
import { Bell } from '../features/notifications/Bell.tsx';
import { formatDateTime } from '../platform/formats.ts';
import { paths } from '../platform/paths.ts';
import { ensurePermissions, usePermissions } from '../platform/permissions.ts';
import { signOut, useSession } from '../platform/session.ts';
import { useHasUnreadChangelog } from '../platform/unread-changelog.ts';
import { viewing, stopViewing } from '../platform/view-as.ts';
import { texts } from '../texts/app.ts';
import { texts as changelogTexts } from '../texts/changelog.ts';
import { Wordmark } from '../ui/Brand.tsx';
import { initialsOf } from '../ui/initials.ts';
import { Tooltip } from '../ui/Tooltip.tsx';
import { activeEntry, menuOf, type MenuEntry } from './menu.ts';
import styles from './SidePanel.module.css';

/** In milliseconds (docs/product/limits.md, Start of the page). */
const PERMISSIONS_DELAY_MS = 100;

type SidePanelProps = {
  open: boolean;
  collapsed: boolean;
  onCollapse: () => void;
  onPalette: () => void;
  onDebugPanel: () => void;
};

/** The menu, the user and the sign-out button. Collapsed, it shows icons with their names as tooltips. */
export function SidePanel(props: SidePanelProps): ReactNode {
  const { open, collapsed, onCollapse, onPalette, onDebugPanel } = props;
  const permissions = usePermissions();
  const { pathname } = useLocation();
  const isDemo = useIsDemo();
  const settings = menuOf(permissions, 'settings', isDemo);
  const leave =
    viewing === null
      ? { label: texts.signOut, act: signOut }
      : { label: texts.stopViewing, act: stopViewing };
  const toggleLabel = collapsed ? texts.expand : texts.collapse;

  return (
    <aside id="side-panel" className={`ui-stack ui-gap-0 ${styles.panel}`} data-open={open || undefined}>
      <LoadedPermissions key={pathname} />
      <div className={`ui-line ui-gap-0 ui-between ${styles.head}`}>
        <span className="ui-line" data-hidden-collapsed>
          <Wordmark />
        </span>
        <Tooltip label={toggleLabel} position="right">
          <ActionIcon aria-label={toggleLabel} onClick={onCollapse}>
            {collapsed ? <PanelLeftOpen /> : <PanelLeftClose />}
          </ActionIcon>
        </Tooltip>
      </div>
      <div className={`ui-line ${styles.tools}`}>
        <Tooltip label={texts.palette.open} position="right" disabled={!collapsed}>
          <button
            type="button"
            className={`ui-line ${styles.search}`}
            aria-keyshortcuts="Control+K"
            onClick={onPalette}
          >
            <Search />
            <span className="ui-ellipsis" data-label>
              {texts.palette.short}
            </span>
            <kbd className={`ui-keys ${styles.keys}`} data-hidden-collapsed aria-hidden="true">
              {texts.palette.shortcut}
            </kbd>
          </button>
        </Tooltip>
        <Bell />
      </div>
      <nav className={styles.nav} aria-label={texts.mainMenu}>
        <Entries entries={menuOf(permissions, 'work', isDemo)} collapsed={collapsed} />
        {settings.length > 0 && (
          <>
            <h2 className={`ui-quiet ${styles.group}`}>{texts.settings}</h2>
            <Entries entries={settings} collapsed={collapsed} />
          </>
        )}
        {permissions.isAdmin && (
          <Tooltip label={texts.debugPanel} position="right" disabled={!collapsed}>
            <button
              type="button"
              className={`ui-line ${styles.entry}`}
              aria-keyshortcuts="Alt+D Control+`"
              onClick={onDebugPanel}
            >
              <Bug />
              <span className="ui-ellipsis" data-label>
                {texts.debugPanel}
              </span>
            </button>
          </Tooltip>
        )}
      </nav>
      <div className={`ui-stack ui-gap-2 ${styles.foot}`}>
        <ThemeSwitch collapsed={collapsed} />
        <UserCard collapsed={collapsed} />
        <Tooltip label={leave.label} position="right" disabled={!collapsed}>
          <button type="button" className={`ui-line ${styles.entry}`} onClick={leave.act}>
            <LogOut />
            <span className="ui-ellipsis" data-label>
              {leave.label}
            </span>
          </button>
        </Tooltip>
      </div>
    </aside>
  );
}

/** Loads the permissions shortly after the user. It is mounted again with each screen, which retries a failed load. */
function LoadedPermissions(): ReactNode {
  const { initialised, user } = useSession();
  const isReady = initialised && user !== null;
  useEffect(() => {
    if (!isReady) return undefined;
    const timer = setTimeout(() => void ensurePermissions(), PERMISSIONS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isReady]);
  return null;
}

function Entries({ entries, collapsed }: { entries: MenuEntry[]; collapsed: boolean }): ReactNode {
  const { pathname } = useLocation();
  const active = activeEntry(pathname);
  const hasUnread = useHasUnreadChangelog();
  return (
    <ul className={styles.list}>
      {entries.map((entry) => (
        <li key={entry.to} data-desktop-only={entry.desktopOnly}>
          <Tooltip label={entry.label} position="right" disabled={!collapsed}>
            <Link
              to={entry.to}
              className={`ui-line ${styles.entry}`}
              activeOptions={{ exact: true }}
              aria-current={entry === active ? 'page' : undefined}
            >
              <entry.icon />
              <span className="ui-ellipsis" data-label>
                {entry.label}
              </span>
              {hasUnread && entry.to === paths.changelog && <NewsDot />}
            </Link>
          </Tooltip>
        </li>
      ))}
    </ul>
  );
}

function NewsDot(): ReactNode {
  return (
    <span className={styles.dot}>
      <span className="ui-hidden">{changelogTexts.menuNew}</span>
    </span>
  );
}

type Choice = { value: MantineColorScheme; label: string; icon: ComponentType };

const choices: readonly Choice[] = [
  { value: 'auto', label: texts.system, icon: Monitor },
  { value: 'light', label: texts.light, icon: Sun },
  { value: 'dark', label: texts.dark, icon: Moon },
];

/** System, light or dark. */
function ThemeSwitch({ collapsed }: { collapsed: boolean }): ReactNode {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <fieldset className={styles.switch} data-collapsed={collapsed || undefined}>
      <legend className="ui-hidden">{texts.theme}</legend>
      {choices.map(({ value, label, icon: Icon }) => (
        <Tooltip key={value} label={label} position={collapsed ? 'right' : 'top'}>
          <label className={`ui-center ${styles.choice}`}>
            <input
              type="radio"
              name="theme"
              aria-label={label}
              checked={colorScheme === value}
              onChange={() => setColorScheme(value)}
            />
            <Icon />
          </label>
        </Tooltip>
      ))}
    </fieldset>
  );
}

/** The signed-in user: initials, name, role, e-mail on hover or focus, last login (docs/product/screens.md, Menu and side panel). */
function UserCard({ collapsed }: { collapsed: boolean }): ReactNode {
  const { user } = useSession();
  const name = user?.name || texts.unknownName;
  return (
    <section aria-label={texts.account}>
      <div className={`ui-line ui-gap-1 ${styles.row}`}>
        <Tooltip label={user?.email} disabled={!user} position={collapsed ? 'right' : 'top-start'}>
          {/* A button, so that keyboard users can read the e-mail address. */}
          <button type="button" className={`ui-line ${styles.person}`}>
            <span className={`ui-center ui-quiet ui-bold ${styles.initials}`} aria-hidden="true">
              {initialsOf(user?.name)}
            </span>
            <span className="ui-stack ui-gap-0 ui-ellipsis" data-label>
              <span className="ui-ellipsis ui-bold">{name}</span>
              {user && <span className="ui-quiet">{texts.roles[user.role]}</span>}
            </span>
          </button>
        </Tooltip>
        <Tooltip label={texts.profileSettings} position={collapsed ? 'right' : 'top'}>
          <ActionIcon
            component={Link}
            to={user ? paths.generalSettingsOf(user.userId) : paths.generalSettings}
            aria-label={texts.profileSettings}
          >
            <SlidersHorizontal size={15} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={texts.account} position={collapsed ? 'right' : 'top'}>
          <ActionIcon component={Link} to={paths.account} aria-label={texts.account}>
            <UserRoundCog size={15} />
          </ActionIcon>
        </Tooltip>
      </div>
      {user && (
        <p className={`ui-quiet ${styles.login}`} data-hidden-collapsed>
          {texts.lastLogin(user.lastLogin ? formatDateTime(user.lastLogin) : texts.never)}
        </p>
      )}
    </section>
  );
}
