import type { MailboxMessage } from '@forecourt/contract/demo';
import { Button, Loader, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import Inbox from 'lucide-react/icons/inbox';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import '../../ui/styles-dialog.ts';
import { recordTourMark } from '../../platform/demo-tour.ts';
import { formatDateTime } from '../../platform/formats.ts';
import { useLiveQuery } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/demo.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { ListScreen } from '../../ui/ListScreen.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { MessagePreview } from '../../ui/MessagePreview.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { timeColumn } from '../../ui/table/columns.tsx';
import { demoKey, mailboxMessageQuery, mailboxQuery } from './demo.queries.ts';

/** The order is the server's: newest first. `open` shows one message. */
const columnsOf = (open: (id: string) => void): readonly DataColumn<MailboxMessage>[] => [
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
  timeColumn({
    id: 'when',
    header: texts.when,
    width: '190px',
    of: ({ receivedAt }) => receivedAt,
    isSorted: false,
  }),
];

/** The mailbox of a demo (docs/product/screens.md, Demo). Not available elsewhere. */
export default function MailboxScreen(): ReactNode {
  const query = useLiveQuery(mailboxQuery, 'email', demoKey);
  const [open, setOpen] = useState<string | null>(null);
  const columns = useMemo(() => columnsOf(setOpen), []);
  return (
    <ListScreen
      texts={texts}
      wide
      query={query}
      name="mailbox"
      columns={columns}
      rows={query.data?.items}
      rowKey={({ _id }) => _id}
      rowLabel={({ subject }) => subject}
      icon={<Inbox />}
      emptyAction={
        <Button variant="default" component={Link} to={paths.dataEntry}>
          {texts.openDataEntry}
        </Button>
      }
    >
      {open && <OpenMessage id={open} onClose={() => setOpen(null)} />}
    </ListScreen>
  );
}

function OpenMessage({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const query = useQuery(mailboxMessageQuery(id));
  const { data } = query;
  const isRead = data !== undefined;
  useEffect(() => {
    if (isRead) recordTourMark('read');
  }, [isRead]);
  return (
    <SideDrawer title={data ? data.subject || texts.noSubject : texts.title} width={680} onClose={onClose}>
      <Loaded of={query} message={texts.messageFailed} loading={<Loader size={20} />} />
      {data && <MessagePreview message={data} />}
    </SideDrawer>
  );
}
