import type { EmailLogEntry } from '@forecourt/contract/email-sending';
import { UnstyledButton } from '@mantine/core';
import Paperclip from 'lucide-react/icons/paperclip';
import type { ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { texts as attachmentTexts } from '../../texts/email-attachments.ts';
import { texts } from '../../texts/email-history.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { emailStateText, EmailStatusBadge } from '../../ui/EmailState.tsx';
import { TimeText } from '../../ui/table/TimeText.tsx';
import { CancelEmail, RetryEmail } from './EmailHistoryScreen.message.tsx';
import styles from './EmailHistoryScreen.module.css';

function dealsText(deals: EmailLogEntry['deals']): string {
  const [first, ...others] = deals;
  if (!first) return '';
  const name = first.customerName ?? texts.unnamed;
  return others.length === 0 ? name : texts.andMore(name, others.length);
}

/** The log in the order of the server: newest first. `open` shows one message. */
export const historyColumns = (
  open: (id: string) => void,
  timeZone: string,
): readonly DataColumn<EmailLogEntry>[] => [
  {
    id: 'when',
    header: texts.when,
    width: '150px',
    render: ({ createdAt, senderName }) => (
      <>
        <TimeText text={formatDateTime(createdAt, timeZone)} />
        <span className="ui-sub">{senderName}</span>
      </>
    ),
    wideOnly: true,
  },
  {
    id: 'subject',
    header: texts.subject,
    render: ({ _id, subject, createdAt, to, attachmentCount }) => (
      <>
        <UnstyledButton
          className="ui-plain ui-strong"
          aria-label={texts.open(subject || texts.noSubject)}
          onClick={() => open(_id)}
        >
          {subject || texts.noSubject}
        </UnstyledButton>
        {attachmentCount > 0 && (
          <Paperclip
            className={styles.paperclip}
            role="img"
            aria-label={attachmentTexts.count(attachmentCount)}
          />
        )}
        <span className="ui-sub ui-phone-only">
          {to[0]}, {formatDateTime(createdAt, timeZone)}
        </span>
      </>
    ),
  },
  {
    id: 'to',
    header: texts.to,
    width: '214px',
    render: ({ to }) => <Addresses list={to} />,
    wideOnly: true,
  },
  {
    id: 'cc',
    header: texts.cc,
    width: '214px',
    render: ({ cc }) => <Addresses list={cc} />,
    wideOnly: 'desktop',
  },
  {
    id: 'template',
    header: texts.template,
    width: '150px',
    render: ({ templateName, templateVersion }) => (
      <>
        <span className="ui-ellipsis" title={templateName}>
          {templateName}
        </span>
        <span className="ui-sub">{texts.templateVersion(templateVersion)}</span>
      </>
    ),
    wideOnly: true,
  },
  {
    id: 'about',
    header: texts.about,
    width: '160px',
    render: ({ dealershipName, deals }) => (
      <>
        {dealershipName}
        <span className="ui-sub">{dealsText(deals)}</span>
      </>
    ),
    wideOnly: true,
  },
  {
    id: 'status',
    header: texts.status,
    width: '120px',
    render: (entry) => (
      <span className="ui-row">
        <EmailStatusBadge status={entry.status} />
        <CancelEmail entry={entry} />
        <RetryEmail entry={entry} />
      </span>
    ),
  },
  {
    id: 'answer',
    header: texts.answer,
    render: (entry) => <span className="ui-quiet">{emailStateText(entry) || texts.none}</span>,
    wideOnly: true,
  },
];

function Addresses({ list }: { list: readonly string[] }): ReactNode {
  if (list.length === 0) return <span className="ui-sub">{texts.none}</span>;
  return list.map((address) => (
    <span key={address} className="ui-ellipsis" title={address}>
      {address}
    </span>
  ));
}
