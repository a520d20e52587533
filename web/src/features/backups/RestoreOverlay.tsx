import { Loader, Modal, Progress } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import '../../ui/styles-dialog.ts';
import { jobQuery } from '../../platform/jobs.ts';
import { onLiveJob } from '../../platform/live-events.ts';
import { texts } from '../../texts/backups.ts';
import { useLeaveWarning } from '../../ui/use-leave-warning.ts';
import styles from './Restore.module.css';

/** After so many milliseconds the message is that of the restore itself (spec section 9). */
const SWITCH_MS = 2000;

/** Over everything while a restore runs: nothing else can be done, and leaving is asked about. */
export function RestoreOverlay(): ReactNode {
  const [isRestoring, setIsRestoring] = useState(false);
  const percent = useRestorePercent();
  const held = useLeaveWarning(true);
  useEffect(() => held?.reset(), [held]);
  useEffect(() => {
    const timer = setTimeout(() => setIsRestoring(true), SWITCH_MS);
    return () => clearTimeout(timer);
  }, []);

  return (
    <Modal
      opened
      centered
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      aria-label={texts.overlay}
    >
      <div className={styles.overlay}>
        <Loader size={28} />
        <p className={styles.message} role="status">
          {isRestoring ? texts.restoring : texts.preRestore}
        </p>
        {percent !== null && (
          <Progress className={styles.progress} value={percent} aria-label={texts.overlay} />
        )}
        <p className={styles.stay}>{texts.stay}</p>
      </div>
    </Modal>
  );
}

/** How far the restore is that this person began; null while nothing is known. */
function useRestorePercent(): number | null {
  const [jobId, setJobId] = useState<string | null>(null);
  useEffect(() => onLiveJob(setJobId), []);
  const { data } = useQuery({ ...jobQuery(jobId ?? ''), enabled: jobId !== null });
  return data?.kind === 'restore' ? data.percent : null;
}
