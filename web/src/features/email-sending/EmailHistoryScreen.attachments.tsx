import type { Attachment } from '@forecourt/contract/email-attachments';
import { UnstyledButton } from '@mantine/core';
import Download from 'lucide-react/icons/download';
import type { ReactNode } from 'react';
import { formatSize } from '../../platform/formats.ts';
import { texts } from '../../texts/email-attachments.ts';
import { toastFailed } from '../../ui/toasts.ts';
import { downloadAttachment } from './email-sending.queries.ts';
import styles from './EmailHistoryScreen.module.css';

type MessageAttachmentsProps = { emailId: string; files: readonly Attachment[] };

/** The files sent with a message, to download. */
export function MessageAttachments({ emailId, files }: MessageAttachmentsProps): ReactNode {
  if (files.length === 0) return null;
  return (
    <ul className="ui-row ui-mb-4" aria-label={texts.title}>
      {files.map((file) => (
        <li key={file._id}>
          <UnstyledButton
            className={`ui-inline ui-gap-2 ${styles.file}`}
            aria-label={texts.download(file.name, formatSize(file.size))}
            onClick={() => void downloadAttachment(emailId, file).catch(toastFailed)}
          >
            <Download />
            <span>{file.name}</span>
            <span className="ui-quiet ui-fixed">{formatSize(file.size)}</span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}
