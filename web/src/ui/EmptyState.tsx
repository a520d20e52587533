import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

type EmptyStateProps = {
  icon?: ReactNode;
  title: string;
  /** What to do next. */
  children?: ReactNode;
  action?: ReactNode;
};

/** Shown in place of an empty list. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps): ReactNode {
  return (
    <div className={styles.root}>
      {icon !== undefined && <span className={styles.icon}>{icon}</span>}
      <p className={styles.title}>{title}</p>
      {children !== undefined && <p className={styles.text}>{children}</p>}
      {action}
    </div>
  );
}
