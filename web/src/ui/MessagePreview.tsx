import type { Addressee, Preview } from '@forecourt/contract/email-templates';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/email-sending.ts';
import { Segments } from './Segments.tsx';
import styles from './MessagePreview.module.css';

type Message = Pick<Preview, 'subject' | 'html' | 'text'> & {
  /** Empty if there is no sender. */
  from: string;
  to: readonly string[];
  cc: readonly string[];
  emptyVariables?: readonly string[];
};

/** Returns `Kim Lee <kim@example.com>`, or the address alone. */
const addressText = ({ name, email }: Addressee): string => (name === '' ? email : `${name} <${email}>`);

export const previewedMessage = ({ from, to, cc, ...rest }: Preview): Message => ({
  ...rest,
  from: from ? addressText(from) : '',
  to: to.map(addressText),
  cc: cc.map(addressText),
});

/** Sets the colour scheme of the simulated mail program; otherwise the message would use that of the computer. */
const inScheme = (html: string, colours: string): string =>
  html.replace('content="light dark"', `content="${colours}"`);

/**
 * A message with its header as on a desktop, on a phone or as plain text, in light or dark colours. The HTML is in a
 * sandboxed frame, which can neither run scripts nor access this page.
 */
export function MessagePreview({ message }: { message: Message }): ReactNode {
  const { emptyVariables = [] } = message;
  const [view, setView] = useState<keyof typeof texts.views>(message.html === '' ? 'text' : 'desktop');
  const [colours, setColours] = useState<keyof typeof texts.schemes>('light');
  return (
    <section className={`ui-stack ui-gap-0 ui-card ${styles.root}`} aria-label={texts.messageFrame}>
      <dl className={styles.head}>
        <Head label={texts.from} value={message.from} />
        <Head label={texts.to} value={message.to.join(', ') || texts.nobody} />
        {message.cc.length > 0 && <Head label={texts.cc} value={message.cc.join(', ')} />}
        <Head label={texts.subject} value={message.subject || texts.noSubject} strong />
      </dl>
      {emptyVariables.length > 0 && (
        <p className={`ui-notice ${styles.blank}`} role="status">
          {texts.staysBlank(emptyVariables)}
        </p>
      )}
      <div className={`ui-row ui-end ${styles.bar}`}>
        {view !== 'text' && (
          <Segments aria-label={texts.colours} labels={texts.schemes} value={colours} onChange={setColours} />
        )}
        <Segments aria-label={texts.view} labels={texts.views} value={view} onChange={setView} />
      </div>
      <div className={styles.stage}>
        {view === 'text' ? (
          <pre className={styles.text}>{message.text}</pre>
        ) : (
          <iframe
            className={styles.frame}
            data-view={view}
            data-colours={colours}
            title={texts.messageFrame}
            sandbox=""
            srcDoc={inScheme(message.html, colours)}
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
