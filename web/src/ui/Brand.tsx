import type { ReactNode } from 'react';
import styles from './Brand.module.css';

/** The logo: an F of two lanes and a car. Hidden from screen readers, since the name is beside it. */
function Glyph({ size = 24 }: { size?: number }): ReactNode {
  return (
    <svg className={styles.glyph} width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect className={styles.ground} width="32" height="32" rx="8" />
      <path className={styles.lanes} d="M9.5 24V9.5h13M9.5 16.75h6.5" />
      <circle className={styles.car} cx="21.5" cy="16.75" r="2.5" />
    </svg>
  );
}

export function Wordmark(): ReactNode {
  return (
    <span className="ui-inline ui-gap-2">
      <Glyph />
      <span className={styles.name}>Forecourt</span>
    </span>
  );
}
