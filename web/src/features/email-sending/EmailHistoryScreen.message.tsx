import { Loader } from '@mantine/core';
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
import { CancelEmail } from './EmailHistoryScreen.cancel.tsx';
import { answerWords, statusTones } from './EmailHistoryScreen.columns.tsx';
import styles from './EmailHistoryScreen.module.css';

/** One message as it was sent, word for word, with what became of it. */
export function EmailMessage({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
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
            </p>
            {answerWords(data) !== '' && <p className={styles.fateWords}>{answerWords(data)}</p>}
            <p className={styles.quiet}>
              {data.templateName}, {texts.templateVersion(data.templateVersion)} · {data.dealershipName} ·{' '}
              {data.senderName}
            </p>
          </div>
          <MessagePreview message={data} />
        </>
      )}
    </SideDrawer>
  );
}
