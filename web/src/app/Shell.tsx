import { ActionIcon } from '@mantine/core';
import { Outlet, useLocation } from '@tanstack/react-router';
import MenuIcon from 'lucide-react/icons/menu';
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { Bell } from '../features/notifications/Bell.tsx';
import { paths } from '../platform/paths.ts';
import { usePermissions } from '../platform/permissions.ts';
import { useSession } from '../platform/session.ts';
import { readStored, storageKeys, writeStored } from '../platform/storage-keys.ts';
import { typesInto } from '../platform/types-into.ts';
import { texts } from '../texts/app.ts';
import { Wordmark } from '../ui/Brand.tsx';
import { lazyPart } from '../ui/lazy-part.ts';
import { useWindowKey } from '../ui/use-window-key.ts';
import { SidePanel } from './SidePanel.tsx';
import styles from './Shell.module.css';

type ShellKeys = { onPalette: () => void; onHelp: () => void; onDebugPanel: () => void };

/**
 * Ctrl+K (Cmd on a Mac) opens the palette, `?` outside of text lists the shortcuts, Alt+D and Ctrl+` (Cmd+`) toggle the
 * debug panel (docs/product/screens.md, Command palette and keys; docs/product/screens.md, Debug panel). The first two
 * are disabled while a dialog is open.
 */
function useShellKeys({ onPalette, onHelp, onDebugPanel }: ShellKeys): void {
  useWindowKey((event) => {
    const control = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    const alone = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    const debug = (control && event.code === 'Backquote') || (alone && event.code === 'KeyD');
    const isFree = document.querySelector('[aria-modal="true"]') === null;
    const palette = control && event.code === 'KeyK' && isFree;
    const help = event.key === '?' && !control && !event.altKey && isFree && !typesInto(event.target);
    if (!debug && !palette && !help) return;
    if (debug) onDebugPanel();
    else if (palette) onPalette();
    else onHelp();
    event.preventDefault();
  });
}

const DebugPanel = lazyPart(() => import('../features/debug/DebugPanel.tsx'));

/** The frame of every screen for signed-in users: a side panel, or on a phone a top bar with a menu. */
export function Shell(): ReactNode {
  const { pathname } = useLocation();
  const { isAdmin } = usePermissions();
  const { user, failure } = useSession();
  const [collapsed, setCollapsed] = useState(() => readStored(storageKeys.sidePanel) === 'collapsed');
  const [openAt, setOpenAt] = useState<string | null>(null);
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const [debugs, setDebugs] = useState(false);
  // The phone menu is open only for the screen on which it was opened, so navigation closes it.
  const open = openAt === pathname;

  const collapse = (): void => {
    writeStored(storageKeys.sidePanel, collapsed ? null : 'collapsed');
    setCollapsed(!collapsed);
  };
  const toggleDebugPanel = (): void => setDebugs(isAdmin && !debugs);
  const openPalette = (): void => setOverlay('palette');
  useShellKeys({
    onPalette: openPalette,
    // Data Entry has its own list with the shortcuts of its table.
    onHelp: () => !pathname.startsWith(paths.dataEntry) && setOverlay('help'),
    onDebugPanel: toggleDebugPanel,
  });

  useEffect(() => {
    if (!open) return undefined;
    const close = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setOpenAt(null);
    };
    window.addEventListener('keydown', close);
    return () => window.removeEventListener('keydown', close);
  }, [open]);

  return (
    <div className={styles.shell} data-collapsed={collapsed || undefined}>
      <a className={styles.skip} href="#main">
        {texts.skip}
      </a>
      <header className={`ui-between ${styles.bar}`}>
        <Wordmark />
        <div className="ui-line">
          <ActionIcon size={40} aria-label={texts.palette.open} onClick={openPalette}>
            <Search size={18} />
          </ActionIcon>
          <Bell />
          <ActionIcon
            size={40}
            aria-expanded={open}
            aria-controls="side-panel"
            aria-label={open ? texts.closeMenu : texts.openMenu}
            onClick={() => setOpenAt(open ? null : pathname)}
          >
            {open ? <X size={18} /> : <MenuIcon size={18} />}
          </ActionIcon>
        </div>
      </header>
      <SidePanel
        open={open}
        collapsed={collapsed}
        onCollapse={collapse}
        onPalette={openPalette}
        onDebugPanel={toggleDebugPanel}
      />
      <main id="main" className={styles.main} tabIndex={-1}>
        {user === null && failure !== null && (
          <p className="ui-notice" role="status">
            {texts.userUnknown}
          </p>
        )}
        <Outlet />
      </main>
      <Overlays open={overlay} setOpen={setOverlay} onDebugPanel={toggleDebugPanel} />
      {isAdmin && debugs && (
        <Suspense>
          <DebugPanel onClose={() => setDebugs(false)} />
        </Suspense>
      )}
    </div>
  );
}

const ShellPalette = lazyPart(() => import('./ShellPalette.tsx'));
const ShortcutsHelp = lazyPart(() => import('../features/palette/ShortcutsHelp.tsx'));

type Overlay = 'palette' | 'help';

type OverlaysProps = {
  open: Overlay | null;
  setOpen: (overlay: Overlay | null) => void;
  onDebugPanel: () => void;
};

function Overlays({ open, setOpen, onDebugPanel }: OverlaysProps): ReactNode {
  return (
    <Suspense>
      {open === 'palette' && (
        <ShellPalette
          onHelp={() => setOpen('help')}
          onDebugPanel={onDebugPanel}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'help' && <ShortcutsHelp onClose={() => setOpen(null)} />}
    </Suspense>
  );
}
