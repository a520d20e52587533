import { UPLOAD_ENDINGS } from '@forecourt/contract/backup-endings';
import { Progress } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.layer.css';
import FileUp from 'lucide-react/icons/file-up';
import { useState, type ReactNode, type RefObject } from 'react';
import { messageOf } from '../../platform/api-error.ts';
import { texts } from '../../texts/backups.ts';
import { toastDone, toastFailed, toastWarning } from '../../ui/toasts.ts';
import { useUploadBackup } from './backups.queries.ts';
import styles from './UploadZone.module.css';

const endings = UPLOAD_ENDINGS.join(', ');

const hasEnding = (name: string): boolean =>
  UPLOAD_ENDINGS.some((ending) => name.toLowerCase().endsWith(ending));

type UnderWay = { name: string; percent: number };

/** Takes backup files that are dropped or chosen, one after the other; `openRef` opens the choice. */
export function UploadZone({ openRef }: { openRef: RefObject<(() => void) | null> }): ReactNode {
  const { mutateAsync } = useUploadBackup();
  const [underWay, setUnderWay] = useState<UnderWay | null>(null);

  const upload = async (files: readonly File[]): Promise<void> => {
    for (const file of files) {
      const { name } = file;
      if (!hasEnding(name)) {
        toastWarning(texts.wrongEnding(name, endings));
        continue;
      }
      const onProgress = (percent: number): void => setUnderWay({ name, percent });
      onProgress(0);
      try {
        const { filename } = await mutateAsync({ file, onProgress });
        toastDone(texts.uploaded(filename));
      } catch (thrown) {
        toastFailed(null, texts.refused(name, messageOf(thrown, texts.uploadFailed)));
      }
    }
    setUnderWay(null);
  };

  return (
    <Dropzone
      className={styles.zone}
      onDrop={(files) => void upload(files)}
      openRef={openRef}
      disabled={underWay !== null}
      data-busy={underWay !== null || undefined}
      multiple
      inputProps={{ 'aria-label': texts.upload, accept: UPLOAD_ENDINGS.join(',') }}
    >
      {underWay === null ? (
        <div className={styles.words}>
          <FileUp className={styles.icon} />
          <span>{texts.dropHere}</span>
          <span className={styles.quiet}>{texts.dropEndings(endings)}</span>
        </div>
      ) : (
        <div className={styles.words} role="status">
          <span>{underWay.percent < 100 ? texts.uploading(underWay.name) : texts.inspecting}</span>
          <Progress
            className={styles.progress}
            value={underWay.percent}
            animated={underWay.percent >= 100}
            aria-label={texts.uploading(underWay.name)}
          />
        </div>
      )}
    </Dropzone>
  );
}
