import type { ReactNode } from 'react';
import { texts } from '../../texts/auth.ts';
import { Wordmark } from '../../ui/Brand.tsx';
import { Bays } from './Bays.tsx';
import styles from './AuthLayout.module.css';

type AuthLayoutProps = { title: string; note: string; children: ReactNode };

/** The frame of the screens without a side panel: a form beside a drawing of a forecourt. */
export function AuthLayout({ title, note, children }: AuthLayoutProps): ReactNode {
  return (
    <div className={styles.layout}>
      <main className={`ui-stack ui-gap-0 ${styles.side}`} tabIndex={-1}>
        <div>
          <Wordmark />
        </div>
        <div className={styles.box}>
          <h1 className={styles.title}>{title}</h1>
          <p className={styles.note}>{note}</p>
          {children}
        </div>
      </main>
      <div className={styles.picture} aria-hidden="true">
        <Bays />
        <p className={styles.tagline}>{texts.tagline}</p>
      </div>
    </div>
  );
}
