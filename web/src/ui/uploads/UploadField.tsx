import { ActionIcon, Button, FileButton, Progress } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import Paperclip from 'lucide-react/icons/paperclip';
import X from 'lucide-react/icons/x';
import { useRef, type ReactNode } from 'react';
import { formatSize } from '../../platform/formats.ts';
import { texts } from '../../texts/uploads.ts';
import type { ChosenFile } from './upload-list.ts';
import { useFileDrop } from './use-file-drop.ts';
import type { Uploads } from './use-uploads.ts';
import styles from './UploadField.module.css';

type UploadFieldProps = {
  /** Accessible name of the group and of the list of files. */
  label: string;
  listLabel: string;
  uploads: Pick<Uploads, 'files' | 'remove'>;
  onFiles: (files: readonly File[]) => void;
  /** Formats the reason of a refused file. */
  refused: (reason: string) => string;
  /** Text beside the button, for example the total size. */
  note?: ReactNode;
  /** The server's message about all files. */
  error?: string | undefined;
};

/** A field for files, chosen or dropped, with a list of the added files. */
export function UploadField({
  label,
  listLabel,
  uploads: { files, remove },
  onFiles,
  refused,
  note,
  error,
}: UploadFieldProps): ReactNode {
  const attach = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const reset = useRef<() => void>(null);
  const dropTarget = useFileDrop(onFiles);

  /** Focuses the next file, otherwise the previous one or the button that adds files. */
  const removeAt = (index: number): void => {
    const buttons = list.current?.querySelectorAll('button');
    (buttons?.[index + 1] ?? buttons?.[index - 1] ?? attach.current)?.focus();
    remove(files[index]!.key);
  };

  return (
    <div role="group" aria-label={label}>
      <div className={styles.field} {...dropTarget}>
        <div className="ui-row ui-gap-3">
          <FileButton
            multiple
            resetRef={reset}
            onChange={(chosen) => {
              onFiles(chosen);
              // Permits choosing the same file again after a correction.
              reset.current?.();
            }}
          >
            {(props) => (
              <Button {...props} ref={attach} variant="default" leftSection={<Paperclip />}>
                {texts.attach}
              </Button>
            )}
          </FileButton>
          <span className="ui-quiet">{texts.dropHere}</span>
          {note !== undefined && <output className="ui-quiet ui-push">{note}</output>}
        </div>
        {files.length > 0 && (
          <ul className="ui-stack ui-gap-1 ui-mt-3" aria-label={listLabel} ref={list}>
            {files.map((file, index) => (
              <FileLine key={file.key} file={file} refused={refused} onRemove={() => removeAt(index)} />
            ))}
          </ul>
        )}
        {error !== undefined && (
          <p className="ui-small ui-danger" role="alert">
            {error}
          </p>
        )}
      </div>
    </div>
  );
}

type FileLineProps = Pick<UploadFieldProps, 'refused'> & { file: ChosenFile; onRemove: () => void };

function FileLine({ file, refused, onRemove }: FileLineProps): ReactNode {
  const { name, size, percent } = file;
  return (
    <li className={styles.file}>
      <span className="ui-anywhere">{name}</span>
      <span className="ui-quiet">{formatSize(size)}</span>
      <ActionIcon aria-label={texts.remove(name)} onClick={onRemove}>
        <X />
      </ActionIcon>
      {file.state === 'uploading' && (
        <Progress
          className={styles.below}
          size="xs"
          value={percent}
          animated={percent >= 100}
          aria-label={texts.uploading(name)}
        />
      )}
      {file.state === 'refused' && (
        <span className={`${styles.below} ui-small ui-danger`} role="alert">
          {refused(file.reason)}
        </span>
      )}
    </li>
  );
}
