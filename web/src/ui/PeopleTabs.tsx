import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../platform/paths.ts';
import styles from './PeopleTabs.module.css';

const tabs = [
  { label: 'Users', to: paths.users },
  { label: 'Permissions', to: paths.permissions },
  { label: 'User Activity', to: paths.userActivity },
];

export function PeopleTabs(): ReactNode {
  return (
    <nav className={styles.tabs} aria-label="People screens">
      {tabs.map(({ label, to }) => (
        <Link key={to} className={styles.tab} to={to} activeOptions={{ includeSearch: false }}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
