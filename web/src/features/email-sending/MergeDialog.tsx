import type { EmailBatch } from '@forecourt/contract/email-sending';
import { Modal } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/email-merge.ts';
import { dialogSizes } from '../../ui/dialog-sizes.ts';
import '../../ui/styles-dialog.ts';
import { useFocusBack } from '../../ui/use-focus-back.ts';
import { MergeProgress } from './MergeProgress.tsx';
import { MergeReview } from './MergeReview.tsx';

type MergeDialogProps = { dealIds: readonly string[]; onClose: () => void };

/**
 * Emails about several rows, one each or a digest per dealership: reviewed, sent in one step and tracked
 * (docs/product/email.md, Many deals at once).
 */
export function MergeDialog({ dealIds, onClose }: MergeDialogProps): ReactNode {
  useFocusBack();
  const [batch, setBatch] = useState<EmailBatch | null>(null);
  return (
    <Modal
      opened
      title={batch ? texts.sendingTitle(batch.total) : texts.title(dealIds.length)}
      size={dialogSizes['2xl']}
      closeOnClickOutside={false}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {batch ? (
        <MergeProgress batch={batch} onClose={onClose} />
      ) : (
        <MergeReview dealIds={dealIds} onSent={setBatch} onClose={onClose} />
      )}
    </Modal>
  );
}
