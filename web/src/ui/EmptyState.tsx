import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

type EmptyStateProps = {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
};

export function EmptyState({ icon, title, children, action }: EmptyStateProps): ReactNode {
  return (
    <div className={`ui-stack ui-gap-2 ui-centered ${styles.root}`}>
      {icon !== undefined && <span className={`ui-center ${styles.icon}`}>{icon}</span>}
      <p className="ui-title">{title}</p>
      {children !== undefined && <p className={`ui-muted ${styles.text}`}>{children}</p>}
      {action}
    </div>
  );
}
