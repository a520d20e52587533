import { Loader, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/email-history.ts';
import { statusTexts } from '../../texts/email-sending.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { MessagePreview } from '../../ui/MessagePreview.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { emailMessageQuery } from './email-sending.queries.ts';
import { CancelEmail, RetryEmail } from './EmailHistoryScreen.actions.tsx';
import { MessageAttachments } from './EmailHistoryScreen.attachments.tsx';
import { stateText, statusTones } from './EmailHistoryScreen.columns.tsx';
import styles from './EmailHistoryScreen.module.css';

type EmailMessageProps = {
  id: string;
  /** Filters the log by this row. */
  onDeal: (dealId: string) => void;
  onClose: () => void;
};

/** One message exactly as sent, with its rows and its state. */
export function EmailMessage({ id, onDeal, onClose }: EmailMessageProps): ReactNode {
  const query = useQuery(emailMessageQuery(id));
  const { data } = query;
  return (
    <SideDrawer title={data ? data.subject || texts.noSubject : texts.title} width={680} onClose={onClose}>
      <Loaded of={query} message={texts.messageFailed} loading={<Loader size={20} />} />
      {data && (
        <>
          <div className="ui-stack ui-gap-2 ui-mb-4">
            <p className="ui-row ui-gap-3">
              <StatusBadge tone={statusTones[data.status]}>{statusTexts[data.status]}</StatusBadge>
              <span>{formatDateTime(data.sentAt ?? data.createdAt)}</span>
              {data.attempts > 0 && <span className="ui-sub">{texts.attempts(data.attempts)}</span>}
              <CancelEmail entry={data} />
              <RetryEmail entry={data} />
            </p>
            {stateText(data) !== '' && <p className="ui-box ui-anywhere">{stateText(data)}</p>}
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
