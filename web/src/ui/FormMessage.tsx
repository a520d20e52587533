import CircleAlert from 'lucide-react/icons/circle-alert';
import type { ReactNode } from 'react';
import styles from './FormMessage.module.css';

/** What the server said about a whole form. Read out when it appears; nothing while there is nothing to say. */
export function FormMessage({ text }: { text: string | null }): ReactNode {
  return (
    <div role="alert" className={styles.region}>
      {text !== null && (
        <p className={styles.message}>
          <CircleAlert className={styles.icon} />
          {text}
        </p>
      )}
    </div>
  );
}
