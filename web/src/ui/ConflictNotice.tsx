import { Button } from '@mantine/core';
import GitMerge from 'lucide-react/icons/git-merge';
import type { ReactNode } from 'react';
import type { ForeignChange } from './foreign-changes.ts';
import styles from './ConflictNotice.module.css';

type ConflictNoticeProps<F extends string> = {
  /** Those that are not disputed are in the form already. */
  changes: readonly ForeignChange<F>[];
  /** Puts the other person's value into the form. */
  onTake: (field: F) => void;
};

/**
 * Shown in a form after a 409: what somebody else changed since it was opened. What was typed stays; saving
 * again keeps it, and where both changed a field the other value can be taken.
 */
export function ConflictNotice<F extends string>({ changes, onTake }: ConflictNoticeProps<F>): ReactNode {
  const isDisputed = changes.some((change) => change.isDisputed);
  return (
    <section className={styles.root} role="alert">
      <GitMerge className={styles.icon} />
      <div className={styles.body}>
        <p className={styles.title}>Somebody else changed this in the meantime</p>
        <p className={styles.text}>
          {isDisputed
            ? 'What you typed is kept. Save again to keep yours, or take theirs.'
            : 'What you typed is kept, and their changes are in the form. Save again to go on.'}
        </p>
        {changes.map(({ field, label, theirs, isDisputed: disputed }) => (
          <div key={field} className={styles.change}>
            <span className={styles.label}>{label}</span>
            <span className={styles.theirs}>{theirs}</span>
            {disputed ? (
              <Button
                variant="default"
                size="compact-xs"
                aria-label={`Take theirs: ${label}`}
                onClick={() => onTake(field)}
              >
                Take theirs
              </Button>
            ) : (
              <span>Taken over</span>
            )}
          </div>
        ))}
      </div>
    </section>
  );
}
