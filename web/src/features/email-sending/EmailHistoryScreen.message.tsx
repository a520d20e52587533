import { Loader, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/email-history.ts';
import { statusTexts } from '../../texts/email-sending.ts';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { MessagePreview } from '../../ui/MessagePreview.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { emailMessageQuery } from './email-sending.queries.ts';
import { CancelEmail, RetryEmail } from './EmailHistoryScreen.actions.tsx';
import { MessageAttachments } from './EmailHistoryScreen.attachments.tsx';
import { answerWords, statusTones } from './EmailHistoryScreen.columns.tsx';
import styles from './EmailHistoryScreen.module.css';

type EmailMessageProps = {
  id: string;
  /** All messages about this row are wanted. */
  onDeal: (dealId: string) => void;
  onClose: () => void;
};

/** One message as it was sent, word for word, with the rows that it is about and what became of it. */
export function EmailMessage({ id, onDeal, onClose }: EmailMessageProps): ReactNode {
  const { data, error, refetch } = useQuery(emailMessageQuery(id));
  return (
    <SideDrawer title={data ? data.subject || texts.noSubject : texts.title} width={680} onClose={onClose}>
      {error && <LoadFailed error={error} message={texts.messageFailed} retry={() => void refetch()} />}
      {!data && !error && <Loader size={20} />}
      {data && (
        <>
          <div className={styles.fate}>
            <p className={styles.fateHead}>
              <StatusBadge tone={statusTones[data.status]}>{statusTexts[data.status]}</StatusBadge>
              <span>{formatDateTime(data.sentAt ?? data.createdAt)}</span>
              {data.attempts > 0 && <span className={styles.quiet}>{texts.attempts(data.attempts)}</span>}
              <CancelEmail key={data.cancellableUntil} entry={data} />
              <RetryEmail entry={data} />
            </p>
            {answerWords(data) !== '' && <p className={styles.fateWords}>{answerWords(data)}</p>}
            <p className={styles.quiet}>
              {data.templateName}, {texts.templateVersion(data.templateVersion)} · {data.dealershipName} ·{' '}
              {data.senderName}
            </p>
            {data.deals.length > 0 && (
              <ul className={styles.deals} aria-label={texts.deals}>
                {data.deals.map(({ _id, customerName = texts.unnamed }) => (
                  <li key={_id}>
                    <UnstyledButton
                      className={styles.subject}
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
