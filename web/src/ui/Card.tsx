import { useId, type ReactNode } from 'react';
import styles from './Card.module.css';

type CardProps = {
  title: string;
  /** Secondary text, or a control, at the right of the title, below it where it does not fit. */
  aside?: ReactNode;
  children: ReactNode;
};

/** A titled section of a screen. */
export function Card({ title, aside, children }: CardProps): ReactNode {
  const id = useId();
  return (
    <section className={`ui-card ${styles.card}`} aria-labelledby={id}>
      <header className={`ui-row ui-gap-4 ui-between ${styles.head}`}>
        <h2 id={id} className="ui-title">
          {title}
        </h2>
        {aside !== undefined && <div className="ui-quiet">{aside}</div>}
      </header>
      <div className={styles.body}>{children}</div>
    </section>
  );
}
