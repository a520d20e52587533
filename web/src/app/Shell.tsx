import { Outlet, useLocation } from '@tanstack/react-router';
import MenuIcon from 'lucide-react/icons/menu';
import X from 'lucide-react/icons/x';
import { useEffect, useState, type ReactNode } from 'react';
import { readStored, storageKeys, writeStored } from '../platform/storage-keys.ts';
import { texts } from '../texts/app.ts';
import { Wordmark } from '../ui/Brand.tsx';
import { SidePanel } from './SidePanel.tsx';
import styles from './Shell.module.css';

/** What surrounds every screen but those for signing in: a side panel, or on a phone a top bar with a menu. */
export function Shell(): ReactNode {
  const { pathname } = useLocation();
  const [collapsed, setCollapsed] = useState(() => readStored(storageKeys.sidePanel) === 'collapsed');
  const [openAt, setOpenAt] = useState<string | null>(null);
  // The menu of a phone belongs to the screen on which it was opened: going on closes it.
  const open = openAt === pathname;

  const collapse = (): void => {
    writeStored(storageKeys.sidePanel, collapsed ? null : 'collapsed');
    setCollapsed(!collapsed);
  };

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
      <header className={styles.bar}>
        <Wordmark />
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={open}
          aria-controls="side-panel"
          aria-label={open ? texts.closeMenu : texts.openMenu}
          onClick={() => setOpenAt(open ? null : pathname)}
        >
          {open ? <X size={18} /> : <MenuIcon size={18} />}
        </button>
      </header>
      <SidePanel open={open} collapsed={collapsed} onCollapse={collapse} />
      <main id="main" className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}
