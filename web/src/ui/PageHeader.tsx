import type { ReactNode } from 'react';
import styles from './PageHeader.module.css';

type PageHeaderProps = {
  title: string;
  /** One quiet line below the title. */
  note?: ReactNode;
  /** Buttons at the right; the main one last. */
  actions?: ReactNode;
};

/** The head of a screen: its only h1, and what can be done here. */
export function PageHeader({ title, note, actions }: PageHeaderProps): ReactNode {
  return (
    <header className={styles.header}>
      <div className={styles.words}>
        <h1 className={styles.title}>{title}</h1>
        {note !== undefined && <p className={styles.note}>{note}</p>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}

/** A screen's padding and width. `wide` uses all there is. */
export function Page({ wide = false, children }: { wide?: boolean; children: ReactNode }): ReactNode {
  return <div className={wide ? styles.wide : styles.page}>{children}</div>;
}
