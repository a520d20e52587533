import type { ReactNode } from 'react';
import styles from './StatusBadge.module.css';

export type BadgeTone = 'neutral' | 'good' | 'warn' | 'danger' | 'accent';

const tones: Record<BadgeTone, string> = {
  neutral: 'ui-neutral',
  good: 'ui-good',
  warn: 'ui-notice',
  danger: 'ui-bad',
  accent: 'ui-accent',
};

/** A badge for a state such as Active, Draft or Failed. Deal statuses have colours of their own. */
export function StatusBadge({
  tone = 'neutral',
  children,
}: {
  tone?: BadgeTone;
  children: ReactNode;
}): ReactNode {
  return <span className={`ui-inline ui-strong ui-nowrap ${tones[tone]} ${styles.badge}`}>{children}</span>;
}
