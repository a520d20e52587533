import { Button, Modal } from '@mantine/core';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleX from 'lucide-react/icons/circle-x';
import type { ReactNode } from 'react';
import '../../ui/styles-dialog.ts';
import { texts } from '../../texts/backups.ts';
import { dialogSizes } from '../../ui/dialog-sizes.ts';
import type { Restore } from './use-restore.ts';
import styles from './Restore.module.css';

type RestoreResultDialogProps = {
  restore: Extract<Restore, { phase: 'succeeded' | 'failed' }>;
  onRefresh: () => void;
  onClose: () => void;
};

/** The result of a restore. */
export function RestoreResultDialog({ restore, onRefresh, onClose }: RestoreResultDialogProps): ReactNode {
  const isDone = restore.phase === 'succeeded';
  return (
    <Modal
      opened
      title={isDone ? texts.successTitle : texts.failedTitle}
      size={dialogSizes.md}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      <div className="ui-line ui-top ui-gap-3">
        {isDone ? (
          <CircleCheck className={`ui-success ${styles.mark}`} />
        ) : (
          <CircleX className={`ui-danger ${styles.mark}`} />
        )}
        <div className="ui-stack ui-gap-2 ui-anywhere">
          {sentencesOf(restore).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      </div>
      <div className="ui-row ui-end ui-mt-5">
        <Button
          variant="default"
          onClick={() => {
            onRefresh();
            onClose();
          }}
        >
          {texts.refresh}
        </Button>
        <Button data-autofocus onClick={onClose}>
          {texts.close}
        </Button>
      </div>
    </Modal>
  );
}

function sentencesOf(restore: RestoreResultDialogProps['restore']): string[] {
  if (restore.phase === 'failed') return [restore.message, texts.nothingChanged];
  const { rows, preRestoreBackup, parkedEmails, notConfigured } = restore.result;
  return [
    texts.restored(rows),
    texts.preRestoreBackup(preRestoreBackup),
    ...(parkedEmails > 0 ? [texts.parked(parkedEmails)] : []),
    ...(notConfigured ? [texts.notConfigured] : []),
  ];
}
