import CircleAlert from 'lucide-react/icons/circle-alert';
import type { ReactNode } from 'react';
import styles from './FormMessage.module.css';

type FormMessageProps = { text: string | null; /** A second sentence. */ note?: string | null };

/** The message about a whole form, announced when it appears. */
export function FormMessage({ text, note = null }: FormMessageProps): ReactNode {
  return (
    <div role="alert" className={styles.region}>
      {text !== null && (
        <p className="ui-line ui-top ui-box ui-bad">
          <CircleAlert className="ui-lead" />
          <span>
            {text}
            {note !== null && <span className="ui-sub ui-mt-1">{note}</span>}
          </span>
        </p>
      )}
    </div>
  );
}
