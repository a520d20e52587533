import type { Attachment } from '@forecourt/contract/email-attachments';
import type { EmailLogEntry } from '@forecourt/contract/email-sending';
import { ActionIcon, Button, Loader, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Ban from 'lucide-react/icons/ban';
import Download from 'lucide-react/icons/download';
import Send from 'lucide-react/icons/send';
import type { ReactNode } from 'react';
import { useTimeZone } from '../../platform/deal-options.ts';
import { formatDateTime, formatSize } from '../../platform/formats.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { texts as attachmentTexts } from '../../texts/email-attachments.ts';
import { texts } from '../../texts/email-history.ts';
import { emailStateText, EmailStatusBadge } from '../../ui/EmailState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { MessagePreview } from '../../ui/MessagePreview.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { toastFailed, toastOutcome } from '../../ui/toasts.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import {
  emailMessageQuery,
  downloadAttachment,
  useCancelEmail,
  useRetryEmail,
} from './email-sending.queries.ts';
import styles from './EmailHistoryScreen.module.css';

type EmailMessageProps = {
  id: string;
  onDeal: (dealId: string) => void;
  onClose: () => void;
};

/** A message exactly as sent, with its rows and its state. */
export function EmailMessage({ id, onDeal, onClose }: EmailMessageProps): ReactNode {
  const query = useQuery(emailMessageQuery(id));
  const { data } = query;
  const timeZone = useTimeZone();
  return (
    <SideDrawer title={data ? data.subject || texts.noSubject : texts.title} width={680} onClose={onClose}>
      <Loaded of={query} message={texts.messageFailed} loading={<Loader size={20} />} />
      {data && (
        <>
          <div className="ui-stack ui-gap-2 ui-mb-4">
            <p className="ui-row ui-gap-3">
              <EmailStatusBadge status={data.status} />
              <span>{formatDateTime(data.sentAt ?? data.createdAt, timeZone)}</span>
              {data.attempts > 0 && <span className="ui-sub">{texts.attempts(data.attempts)}</span>}
              <CancelEmail entry={data} />
              <RetryEmail entry={data} />
            </p>
            {emailStateText(data) !== '' && <p className="ui-box ui-anywhere">{emailStateText(data)}</p>}
            <p className="ui-sub">
              {data.templateName}, {texts.templateVersion(data.templateVersion)} · {data.dealershipName} ·{' '}
              {data.senderName}
            </p>
            {data.deals.length > 0 && (
              <ul className={styles.deals} aria-label={texts.deals}>
                {data.deals.map(({ _id, customerName = texts.unnamed }) => (
                  <li key={_id}>
                    <UnstyledButton
                      className="ui-plain ui-strong"
                      aria-label={texts.mailAbout(customerName)}
                      onClick={() => onDeal(_id)}
                    >
                      {customerName}
                    </UnstyledButton>
                  </li>
                ))}
              </ul>
            )}
          </div>
          <MessageAttachments emailId={id} files={data.attachments} />
          <MessagePreview message={data} />
        </>
      )}
    </SideDrawer>
  );
}

type MessageAttachmentsProps = { emailId: string; files: readonly Attachment[] };

function MessageAttachments({ emailId, files }: MessageAttachmentsProps): ReactNode {
  if (files.length === 0) return null;
  return (
    <ul className="ui-row ui-mb-4" aria-label={attachmentTexts.title}>
      {files.map((file) => (
        <li key={file._id}>
          <UnstyledButton
            className={`ui-inline ui-gap-2 ${styles.file}`}
            aria-label={attachmentTexts.download(file.name, formatSize(file.size))}
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

const isWaiting = ({ status }: EmailLogEntry): boolean => status === 'queued' || status === 'retrying';

type EntryAction = {
  entry: EmailLogEntry;
  /** Whether only the icon is shown, as in lists. */
  isIcon?: boolean;
};

/** Cancels a queued message, also between two attempts. */
export function CancelEmail({ entry, isIcon = false }: EntryAction): ReactNode {
  const { mutateAsync, isPending } = useCancelEmail();
  if (!isWaiting(entry)) return null;
  return (
    <MailAction
      label={`${texts.cancel}: ${entry.subject}`}
      icon={isIcon ? Ban : null}
      isBusy={isPending}
      onClick={() =>
        toastOutcome(mutateAsync(entry._id), ({ status }) =>
          status === 'unconfirmed' ? texts.unconfirmed : texts.cancelled,
        )
      }
    >
      {texts.cancelShort}
    </MailAction>
  );
}

/** Retries a queued or failed message now. Releases a held message. */
export function RetryEmail({ entry, isIcon = false }: EntryAction): ReactNode {
  const { mutateAsync, isPending } = useRetryEmail();
  const { isAdmin } = usePermissions();
  const hasFailed = entry.status === 'failed' || entry.status === 'unconfirmed';
  if (!hasFailed && (!isWaiting(entry) || (entry.holdReason && !isAdmin))) return null;
  const label = hasFailed ? texts.retryShort : texts.tryNow;
  return (
    <MailAction
      label={`${label}: ${entry.subject}`}
      icon={isIcon ? Send : null}
      isBusy={isPending}
      onClick={() => toastOutcome(mutateAsync(entry._id), texts.retried)}
    >
      {label}
    </MailAction>
  );
}

type MailActionProps = {
  label: string;
  icon: typeof Ban | null;
  isBusy: boolean;
  onClick: () => void;
  children: string;
};

function MailAction({ label, icon: Icon, isBusy, onClick, children }: MailActionProps): ReactNode {
  const shared = { 'aria-label': label, loading: isBusy, onClick };
  if (Icon === null)
    return (
      <Button variant="default" size="compact-xs" {...shared}>
        {children}
      </Button>
    );
  return (
    <Tooltip label={children}>
      <ActionIcon {...shared}>
        <Icon />
      </ActionIcon>
    </Tooltip>
  );
}
