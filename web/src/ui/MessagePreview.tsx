import { useState, type ReactNode } from 'react';
import { texts } from '../texts/email-sending.ts';
import { Segments } from './Segments.tsx';
import styles from './MessagePreview.module.css';

export type Message = {
  /** Empty while there is no sender. */
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  readonly html: string;
  readonly text: string;
};

type View = 'desktop' | 'phone' | 'text';

const views: { value: View; label: string }[] = [
  { value: 'desktop', label: texts.desktop },
  { value: 'phone', label: texts.phone },
  { value: 'text', label: texts.plainText },
];

/** `Kim Lee <kim@example.com>`, or the address alone. */
export const addressText = ({ name, email }: { name: string; email: string }): string =>
  name === '' ? email : `${name} <${email}>`;

/**
 * A message with its head, as it arrives on a desktop, on a phone or as plain text. The HTML lies in a frame
 * that can neither run scripts nor reach this page.
 */
export function MessagePreview({ message }: { message: Message }): ReactNode {
  const [view, setView] = useState<View>('desktop');
  return (
    <section className={styles.root} aria-label={texts.messageFrame}>
      <dl className={styles.head}>
        <Head label={texts.from} value={message.from} />
        <Head label={texts.to} value={message.to.join(', ') || texts.nobody} />
        {message.cc.length > 0 && <Head label={texts.cc} value={message.cc.join(', ')} />}
        <Head label={texts.subject} value={message.subject || texts.noSubject} strong />
      </dl>
      <div className={styles.bar}>
        <Segments aria-label={texts.view} data={views} value={view} onChange={setView} />
      </div>
      <div className={styles.stage}>
        {view === 'text' ? (
          <pre className={styles.text}>{message.text}</pre>
        ) : (
          <iframe
            className={styles.frame}
            data-view={view}
            title={texts.messageFrame}
            sandbox=""
            srcDoc={message.html}
          />
        )}
      </div>
    </section>
  );
}

function Head({
  label,
  value,
  strong = false,
}: {
  label: string;
  value: string;
  strong?: boolean;
}): ReactNode {
  if (value === '') return null;
  return (
    <div className={styles.line}>
      <dt>{label}</dt>
      <dd data-strong={strong || undefined}>{value}</dd>
    </div>
  );
}
