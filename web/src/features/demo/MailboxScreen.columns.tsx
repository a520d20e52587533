import type { MailboxMessage } from '@forecourt/contract/demo';
import { UnstyledButton } from '@mantine/core';
import { formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/demo.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';

/** In the order of the server: newest first. `open` shows one message. */
export const mailboxColumns = (open: (id: string) => void): readonly DataColumn<MailboxMessage>[] => [
  {
    id: 'subject',
    header: texts.subject,
    render: ({ _id, subject, from, receivedAt }) => (
      <>
        <UnstyledButton
          className="ui-plain ui-strong"
          aria-label={texts.open(subject || texts.noSubject)}
          onClick={() => open(_id)}
        >
          {subject || texts.noSubject}
        </UnstyledButton>
        <span className="ui-sub ui-phone-only">{from}</span>
        <span className="ui-sub ui-phone-only">{formatDateTime(receivedAt)}</span>
      </>
    ),
  },
  { id: 'from', header: texts.from, render: ({ from }) => from, wideOnly: true },
  { id: 'to', header: texts.to, render: ({ to, cc }) => [...to, ...cc].join(', '), wideOnly: true },
  {
    id: 'when',
    header: texts.when,
    width: '190px',
    render: ({ receivedAt }) => formatDateTime(receivedAt),
    wideOnly: true,
  },
];
