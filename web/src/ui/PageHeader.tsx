import type { ReactNode } from 'react';
import styles from './PageHeader.module.css';

type PageHeaderProps = {
  title: ReactNode;
  /** A secondary line below the title. */
  note?: ReactNode;
  /** Buttons at the right, with the primary one last. */
  actions?: ReactNode;
};

/** The header of a screen with its only h1. */
export function PageHeader({ title, note, actions }: PageHeaderProps): ReactNode {
  return (
    <header className="ui-row ui-bottom ui-between ui-gap-3 ui-mb-4">
      <div className="ui-anywhere">
        <h1>{title}</h1>
        {note !== undefined && <p className="ui-muted ui-mt-1">{note}</p>}
      </div>
      {actions !== undefined && <div className="ui-row">{actions}</div>}
    </header>
  );
}

/** Sets padding and width of a screen. `wide` uses the full width. */
export function Page({ wide = false, children }: { wide?: boolean; children: ReactNode }): ReactNode {
  return <div className={wide ? styles.wide : styles.page}>{children}</div>;
}
