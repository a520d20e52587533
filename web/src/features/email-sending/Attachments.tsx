import { MAX_ATTACHMENTS_BYTES } from '@forecourt/contract/attachment-limits';
import { ActionIcon, Button, FileButton, Progress } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import Paperclip from 'lucide-react/icons/paperclip';
import X from 'lucide-react/icons/x';
import { useRef, useState, type DragEvent, type ReactNode } from 'react';
import { formatSize } from '../../platform/formats.ts';
import { texts } from '../../texts/email-attachments.ts';
import { sumOf, type AttachedFile } from './attached-files.ts';
import type { AttachmentList } from './use-attachments.ts';
import styles from './Attachments.module.css';

type AttachmentsProps = {
  attachments: AttachmentList;
  /** The server's message about all files. */
  error?: string | undefined;
};

/** The files of an email, chosen or dropped. */
export function Attachments({ attachments: { files, add, remove }, error }: AttachmentsProps): ReactNode {
  const attach = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const reset = useRef<() => void>(null);
  const [isOver, setIsOver] = useState(false);

  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    add([...event.dataTransfer.files]);
  };

  /** Moves the focus to the next file, the one before, or the button to add one. */
  const removeAt = (index: number): void => {
    const buttons = list.current?.querySelectorAll('button');
    (buttons?.[index + 1] ?? buttons?.[index - 1] ?? attach.current)?.focus();
    remove(files[index]!.key);
  };

  return (
    <div role="group" aria-label={texts.title}>
      <div
        className={styles.field}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
        }}
        onDrop={drop}
      >
        <div className="ui-row ui-gap-3">
          <FileButton
            multiple
            resetRef={reset}
            onChange={(chosen) => {
              add(chosen);
              // So that the same file can be chosen again after a correction.
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
          <output className="ui-quiet ui-push">
            {files.length > 0 && texts.sum(formatSize(sumOf(files)), formatSize(MAX_ATTACHMENTS_BYTES))}
          </output>
        </div>
        {files.length > 0 && (
          <ul className="ui-stack ui-gap-1 ui-mt-3" aria-label={texts.list} ref={list}>
            {files.map((file, index) => (
              <FileLine key={file.key} file={file} onRemove={() => removeAt(index)} />
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

function FileLine({ file, onRemove }: { file: AttachedFile; onRemove: () => void }): ReactNode {
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
          {texts.refused(file.reason)}
        </span>
      )}
    </li>
  );
}
