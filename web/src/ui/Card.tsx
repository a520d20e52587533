import { useId, type ReactNode } from 'react';
import styles from './Card.module.css';

type CardProps = {
  title: string;
  /** Quiet words, or a control, at the right of the title; scrolled where it is wider than the card. */
  aside?: ReactNode;
  children: ReactNode;
};

/** One part of a screen with a name of its own. */
export function Card({ title, aside, children }: CardProps): ReactNode {
  const id = useId();
  return (
    <section className={styles.card} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {aside !== undefined && <div className={styles.aside}>{aside}</div>}
      </header>
      <div className={styles.body}>{children}</div>
    </section>
  );
}
