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

/** Time until the message of the restore itself, in milliseconds (docs/product/limits.md, Backup limits). */
const SWITCH_MS = 2000;

/** Covers the screen while a restore runs: it blocks all actions and warns before leaving. */
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
      <div className="ui-stack ui-gap-3 ui-centered ui-pad">
        <Loader size={28} />
        <p className="ui-strong" role="status">
          {isRestoring ? texts.restoring : texts.preRestore}
        </p>
        {percent !== null && (
          <Progress className={styles.progress} value={percent} aria-label={texts.overlay} />
        )}
        <p className="ui-muted">{texts.stay}</p>
      </div>
    </Modal>
  );
}

/** Returns the progress of the user's restore; null until it is known. */
function useRestorePercent(): number | null {
  const [jobId, setJobId] = useState<string | null>(null);
  useEffect(() => onLiveJob(setJobId), []);
  const { data } = useQuery({ ...jobQuery(jobId ?? ''), enabled: jobId !== null });
  return data?.kind === 'restore' ? data.percent : null;
}
