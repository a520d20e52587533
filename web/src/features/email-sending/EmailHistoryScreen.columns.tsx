import type { EmailLogEntry } from '@forecourt/contract/email-sending';
import { Link } from '@tanstack/react-router';
import Paperclip from 'lucide-react/icons/paperclip';
import type { ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { paths } from '../../platform/paths.ts';
import { texts as attachmentTexts } from '../../texts/email-attachments.ts';
import { texts } from '../../texts/email-history.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { emailStateText, EmailStatusBadge } from '../../ui/EmailState.tsx';
import { CancelEmail, RetryEmail } from './EmailHistoryScreen.message.tsx';
import styles from './EmailHistoryScreen.module.css';

function dealsText(deals: EmailLogEntry['deals']): string {
  const [first, ...others] = deals;
  if (!first) return '';
  const name = first.customerName ?? texts.unnamed;
  return others.length === 0 ? name : texts.andMore(name, others.length);
}

/** The order is the server's: newest first. */
export const historyColumns = (timeZone: string): readonly DataColumn<EmailLogEntry>[] => [
  {
    id: 'when',
    header: texts.when,
    width: '160px',
    render: ({ createdAt, senderName }) => (
      <Cell main={formatDateTime(createdAt, timeZone)} more={senderName} isApart isTime />
    ),
    wideOnly: true,
  },
  {
    id: 'sender',
    header: texts.person,
    width: '104px',
    render: ({ senderName }) => <Cell main={senderName} />,
    wideOnly: 'desktop',
  },
  {
    id: 'subject',
    header: texts.subject,
    render: ({ _id, subject, createdAt, to, attachmentCount }) => (
      <>
        <span className={styles.subject}>
          <Link
            className={`ui-plain ui-strong ${styles.link}`}
            aria-label={texts.open(subject || texts.noSubject)}
            title={subject}
            to={paths.email(_id)}
            search
            state={{ canGoBack: true }}
          >
            {subject || texts.noSubject}
          </Link>
          {attachmentCount > 0 && (
            <Paperclip
              className={styles.paperclip}
              role="img"
              aria-label={attachmentTexts.count(attachmentCount)}
            />
          )}
        </span>
        <span className="ui-sub ui-phone-only">
          {to[0]}, {formatDateTime(createdAt, timeZone)}
        </span>
      </>
    ),
  },
  {
    id: 'to',
    header: texts.to,
    width: '160px',
    render: ({ to, cc }) => (
      <Cell main={to.join(', ')} more={cc.length === 0 ? '' : texts.copyTo(cc.join(', '))} isApart />
    ),
    wideOnly: true,
  },
  {
    id: 'about',
    header: texts.about,
    width: '220px',
    render: ({ dealershipName, deals }) => <Cell main={dealershipName} more={dealsText(deals)} />,
    wideOnly: true,
  },
  {
    id: 'answer',
    header: texts.answer,
    width: '120px',
    render: (entry) => <Cell main={emailStateText(entry) || texts.none} />,
    wideOnly: 'desktop',
  },
  {
    id: 'status',
    header: texts.status,
    width: '150px',
    render: (entry) => (
      <span className={`ui-row ui-gap-1 ${styles.status}`}>
        <EmailStatusBadge status={entry.status} />
        <span className="ui-line ui-gap-0">
          <CancelEmail entry={entry} isIcon />
          <RetryEmail entry={entry} isIcon />
        </span>
      </span>
    ),
  },
];

type CellProps = {
  main: string;
  /** Text after `main`; in a narrow table below it. */
  more?: string;
  /** In a wide table, `more` is only in the tooltip, or in a column of its own. */
  isApart?: boolean;
  /** Never truncates the text. */
  isTime?: boolean;
};

/** A cell with one line in a wide table and two in a narrow one. The tooltip has the whole text. */
const Cell = ({ main, more = '', isApart = false, isTime = false }: CellProps): ReactNode => (
  <span
    className={styles.cell}
    data-time={isTime || undefined}
    title={[main, more].filter(Boolean).join('\n')}
  >
    <span>{main}</span>
    {more !== '' && (
      <span className="ui-quiet" data-apart={isApart || undefined}>
        {more}
      </span>
    )}
  </span>
);
