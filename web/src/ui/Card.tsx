import { useId, type ReactNode } from 'react';
import styles from './Card.module.css';

type CardProps = {
  title: string;
  /** Secondary text or a control at the right of the title, or below it if there is no space. */
  aside?: ReactNode;
  children: ReactNode;
};

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
