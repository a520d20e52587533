import type { ReactNode } from 'react';
import { texts } from '../../texts/permissions.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import type { Difference } from './record-difference.ts';
import styles from './PermissionsScreen.module.css';

type DifferenceDialogProps = {
  name: string;
  difference: Difference;
  onSave: () => Promise<void>;
  onClose: () => void;
};

/** Shows the changes as text before they are saved. */
export function DifferenceDialog({ name, difference, onSave, onClose }: DifferenceDialogProps): ReactNode {
  return (
    <ConfirmDialog
      title={texts.reviewTitle(name)}
      confirmLabel={texts.save}
      failed={texts.saveFailed}
      onConfirm={onSave}
      onClose={onClose}
    >
      <div className="ui-stack ui-gap-3">
        <Changes title={texts.gains} tone="gain" sentences={difference.gains} />
        <Changes title={texts.losses} tone="loss" sentences={difference.losses} />
        <Changes title={texts.otherChanges} tone="other" sentences={difference.others} />
      </div>
    </ConfirmDialog>
  );
}

type ChangesProps = { title: string; tone: 'gain' | 'loss' | 'other'; sentences: readonly string[] };

function Changes({ title, tone, sentences }: ChangesProps): ReactNode {
  if (sentences.length === 0) return null;
  return (
    <section className={styles.changes} data-tone={tone} aria-label={title}>
      <h3 className="ui-mb-1">{title}</h3>
      <ul className="ui-bullets">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}
