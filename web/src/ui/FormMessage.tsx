import CircleAlert from 'lucide-react/icons/circle-alert';
import type { ReactNode } from 'react';
import styles from './FormMessage.module.css';

type FormMessageProps = { text: string | null; /** A sentence more. */ note?: string | null };

/** The server's message about a whole form, announced when it appears. */
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
