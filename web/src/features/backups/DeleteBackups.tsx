import type { Backup } from '@forecourt/contract/backups';
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { texts } from '../../texts/backups.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { useDeleteBackup } from './backups.queries.ts';

type DeleteBackupsProps = {
  backups: readonly Backup[];
  onDeleted: (names: readonly string[]) => void;
  onClose: () => void;
};

/** Confirms and deletes. Backups before a restore and the last three verified ones need a second confirmation. */
export function DeleteBackups({ backups, onDeleted, onClose }: DeleteBackupsProps): ReactNode {
  const { mutateAsync } = useDeleteBackup();
  const [left, setLeft] = useState(backups);
  const [isNeeded, setIsNeeded] = useState(false);

  const remove = async (): Promise<void> => {
    const kept: Backup[] = [];
    let refusal: ApiError | undefined;
    for (const backup of left) {
      try {
        await mutateAsync({ name: backup.name, isConfirmed: isNeeded });
      } catch (thrown) {
        if (!(thrown instanceof ApiError) || thrown.code !== 'BACKUP_NEEDED') throw thrown;
        refusal = thrown;
        kept.push(backup);
      }
    }
    const gone = left.filter((backup) => !kept.includes(backup)).map(({ name }) => name);
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
      <p>{isNeeded ? texts.neededNote : texts.deleteQuestion(left.length)}</p>
      <ul className="ui-box ui-strong ui-anywhere ui-mt-3 ui-scroll">
        {left.map(({ name }) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      {left.some(({ remote }) => remote === 'copied') && <p className="ui-mt-3">{texts.copiesStay}</p>}
    </ConfirmDialog>
  );
}
