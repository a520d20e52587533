import CircleAlert from 'lucide-react/icons/circle-alert';
import type { ReactNode } from 'react';
import styles from './FormMessage.module.css';

type FormMessageProps = { text: string | null; /** A sentence more. */ note?: string | null };

/** What the server said about a whole form. Read out when it appears; nothing while there is nothing to say. */
export function FormMessage({ text, note = null }: FormMessageProps): ReactNode {
  return (
    <div role="alert" className={styles.region}>
      {text !== null && (
        <p className={styles.message}>
          <CircleAlert className={styles.icon} />
          <span>
            {text}
            {note !== null && <span className={styles.note}>{note}</span>}
          </span>
        </p>
      )}
    </div>
  );
}
