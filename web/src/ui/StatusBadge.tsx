import type { ReactNode } from 'react';
import styles from './StatusBadge.module.css';

export type BadgeTone = 'neutral' | 'good' | 'warn' | 'danger' | 'accent';

/** A badge for a state: Active, Draft, Failed. Deal statuses have their own colours. */
export function StatusBadge({
  tone = 'neutral',
  children,
}: {
  tone?: BadgeTone;
  children: ReactNode;
}): ReactNode {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  );
}
