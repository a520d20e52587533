import Info from 'lucide-react/icons/info';
import type { ReactNode } from 'react';
import styles from './Notice.module.css';

export function Notice({ children, action }: { children: ReactNode; action?: ReactNode }): ReactNode {
  return (
    <div className="ui-row ui-gap-3 ui-notice">
      <Info size={15} />
      <div className={styles.words}>{children}</div>
      {action}
    </div>
  );
}
