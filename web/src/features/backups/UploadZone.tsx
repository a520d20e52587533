import { UPLOAD_ENDINGS } from '@forecourt/contract/backup-endings';
import { Progress } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import FileUp from 'lucide-react/icons/file-up';
import { useState, type ReactNode, type RefObject } from 'react';
import { messageOf } from '../../platform/api-error.ts';
import { texts } from '../../texts/backups.ts';
import { toastDone, toastFailed, toastWarning } from '../../ui/toasts.ts';
import { useFileDrop } from '../../ui/uploads/use-file-drop.ts';
import { useUploadBackup } from './backups.queries.ts';
import styles from './UploadZone.module.css';

const endings = UPLOAD_ENDINGS.join(', ');

const hasEnding = (name: string): boolean =>
  UPLOAD_ENDINGS.some((ending) => name.toLowerCase().endsWith(ending));

type CurrentUpload = { name: string; percent: number };

/** Uploads dropped or chosen backups, one at a time. A click on `inputRef` opens the file dialog. */
export function UploadZone({ inputRef }: { inputRef: RefObject<HTMLInputElement | null> }): ReactNode {
  const { mutateAsync } = useUploadBackup();
  const [current, setCurrent] = useState<CurrentUpload | null>(null);

  const upload = async (files: readonly File[]): Promise<void> => {
    for (const file of files) {
      const { name } = file;
      if (!hasEnding(name)) {
        toastWarning(texts.wrongEnding(name, endings));
        continue;
      }
      const onProgress = (percent: number): void => setCurrent({ name, percent });
      onProgress(0);
      try {
        const { filename } = await mutateAsync({ file, onProgress });
        toastDone(texts.uploaded(filename));
      } catch (thrown) {
        toastFailed(null, texts.failedFor(name, messageOf(thrown, texts.uploadFailed)));
      }
    }
    setCurrent(null);
  };

  const isBusy = current !== null;
  const dropTarget = useFileDrop((files) => void (isBusy || upload(files)));

  return (
    <div className={styles.zone} {...dropTarget}>
      <input
        ref={inputRef}
        type="file"
        hidden
        multiple
        disabled={isBusy}
        aria-label={texts.upload}
        accept={UPLOAD_ENDINGS.join(',')}
        onChange={({ currentTarget }) => {
          void upload([...(currentTarget.files ?? [])]);
          // Permits choosing the same file again after a refusal.
          currentTarget.value = '';
        }}
      />
      {current === null ? (
        <button
          type="button"
          className={`ui-row ui-middle ${styles.choose}`}
          onClick={() => inputRef.current?.click()}
        >
          <FileUp className={styles.icon} />
          <span>{texts.dropHere}</span>
          <span className="ui-quiet">{texts.dropEndings(endings)}</span>
        </button>
      ) : (
        <div className={`ui-row ui-middle ${styles.choose}`} role="status">
          <span>{current.percent < 100 ? texts.uploading(current.name) : texts.inspecting}</span>
          <Progress
            w="100%"
            maw={320}
            value={current.percent}
            animated={current.percent >= 100}
            aria-label={texts.uploading(current.name)}
          />
        </div>
      )}
    </div>
  );
}
