import { Button } from '@mantine/core';
import GitMerge from 'lucide-react/icons/git-merge';
import type { ReactNode } from 'react';
import type { ForeignChange } from './foreign-changes.ts';
import { intoView } from './into-view.ts';
import styles from './ConflictNotice.module.css';

type ConflictNoticeProps<F extends string> = {
  /** All changes by the other user. Only disputed ones need a decision; the form has taken the others. */
  changes: readonly ForeignChange<F>[];
  /** Sets a field to the other user's value. */
  onTake: (field: F) => void;
};

/**
 * A notice in a form after a 409: the fields that another user changed since it was opened. Typed values are saved with
 * the next submit; for a field that both users changed, a button takes the other value.
 */
export function ConflictNotice<F extends string>({ changes, onTake }: ConflictNoticeProps<F>): ReactNode {
  const isDisputed = changes.some((change) => change.isDisputed);
  return (
    // Scrolled into view, because on a phone it is far from the submit button.
    <section ref={intoView} className="ui-notice ui-line ui-top ui-gap-3" role="alert" tabIndex={-1}>
      <GitMerge className="ui-lead" />
      <div className="ui-grow">
        <p className="ui-bold">Somebody else changed this in the meantime</p>
        <p>
          {isDisputed
            ? 'What you typed is kept. Save again to keep yours, or take theirs.'
            : 'What you typed is kept, and their changes are in the form. Save again to go on.'}
        </p>
        {changes.map(({ field, label, theirs, isDisputed: disputed }) => (
          <div key={field} className={`ui-row ui-gap-3 ui-baseline ${styles.change}`}>
            <span className={`ui-fixed ui-strong ${styles.label}`}>{label}</span>
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
