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

/** Pre-restore backups and the newest three verified ones need a second confirmation. */
export function DeleteBackups({ backups, onDeleted, onClose }: DeleteBackupsProps): ReactNode {
  const { mutateAsync } = useDeleteBackup();
  const [left, setLeft] = useState(backups);
  const [isNeeded, setIsNeeded] = useState(false);

  /** Deletes one after the other until a failure. Backups that no longer exist count as deleted. */
  const remove = async (): Promise<void> => {
    const remaining: Backup[] = [];
    let failure: unknown;
    for (const [at, backup] of left.entries()) {
      try {
        await mutateAsync({ name: backup.name, isConfirmed: isNeeded });
      } catch (thrown) {
        const code = thrown instanceof ApiError ? thrown.code : undefined;
        if (code === 'NOT_FOUND') continue;
        failure = thrown;
        remaining.push(...left.slice(at, code === 'BACKUP_NEEDED' ? at + 1 : undefined));
        if (code !== 'BACKUP_NEEDED') break;
      }
    }
    const gone = left.filter((backup) => !remaining.includes(backup)).map(({ name }) => name);
    onDeleted(gone);
    if (gone.length > 0) toastDone(texts.deleted(gone.length));
    if (failure === undefined) return;
    setLeft(remaining);
    // Requires the second confirmation, because the server has more protected backups than the list showed.
    if (failure instanceof ApiError && failure.code === 'BACKUP_NEEDED') setIsNeeded(true);
    throw failure;
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
      {left.some(({ copies }) => copies.some(({ state }) => state === 'copied')) && (
        <p className="ui-mt-3">{texts.copiesStay}</p>
      )}
    </ConfirmDialog>
  );
}
