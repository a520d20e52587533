import { useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { texts } from '../../texts/backups.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { useDeleteBackup } from './backups.queries.ts';
import styles from './BackupsScreen.module.css';

type DeleteBackupsProps = {
  names: readonly string[];
  /** Called with those that are gone. */
  onDeleted: (names: readonly string[]) => void;
  onClose: () => void;
};

/** Asks, names what goes, deletes. Those that somebody may need most are asked about once more. */
export function DeleteBackups({ names, onDeleted, onClose }: DeleteBackupsProps): ReactNode {
  const { mutateAsync } = useDeleteBackup();
  const [left, setLeft] = useState(names);
  const [isNeeded, setIsNeeded] = useState(false);

  const remove = async (): Promise<void> => {
    const kept: string[] = [];
    let refusal: ApiError | undefined;
    for (const name of left) {
      try {
        await mutateAsync({ name, isConfirmed: isNeeded });
      } catch (thrown) {
        if (!(thrown instanceof ApiError) || thrown.code !== 'BACKUP_NEEDED') throw thrown;
        refusal = thrown;
        kept.push(name);
      }
    }
    const gone = left.filter((name) => !kept.includes(name));
    onDeleted(gone);
    if (gone.length > 0) toastDone(texts.deleted(gone.length));
    if (refusal === undefined) return;
    setLeft(kept);
    setIsNeeded(true);
    throw refusal;
  };

  return (
    <ConfirmDialog
      title={texts.deleteTitle(left.length)}
      confirmLabel={isNeeded ? texts.deleteAnyway : texts.deleteButton}
      destructive
      failed={texts.deleteFailed}
      onConfirm={remove}
      onClose={onClose}
    >
      <p className={styles.question}>{isNeeded ? texts.neededNote : texts.deleteQuestion(left.length)}</p>
      <ul className={styles.what}>
        {left.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
