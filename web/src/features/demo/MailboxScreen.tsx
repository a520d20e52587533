import { Button, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import Inbox from 'lucide-react/icons/inbox';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import '../../ui/styles-dialog.ts';
import { recordTourMark } from '../../platform/demo-tour.ts';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/demo.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { MessagePreview } from '../../ui/MessagePreview.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { demoKey, mailboxMessageQuery, mailboxQuery } from './demo.queries.ts';
import { mailboxColumns } from './MailboxScreen.columns.tsx';

/** The mailbox of a demo (docs/product/screens.md, Demo). Not available elsewhere. */
export function MailboxScreen(): ReactNode {
  const query = useQuery(mailboxQuery);
  const { data } = query;
  useLiveRefresh('email', demoKey);
  const [open, setOpen] = useState<string | null>(null);
  const columns = useMemo(() => mailboxColumns(setOpen), []);
  return (
    <Page wide>
      <PageHeader title={texts.title} note={texts.note} />
      <Loaded of={query} message={texts.loadFailed}>
        <DataTable
          label={texts.table}
          name="mailbox"
          columns={columns}
          rows={data?.items}
          rowKey={({ _id }) => _id}
          rowLabel={({ subject }) => subject}
          empty={<NothingSent />}
        />
      </Loaded>
      {open && <MailboxMessage id={open} onClose={() => setOpen(null)} />}
    </Page>
  );
}

function MailboxMessage({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
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

function NothingSent(): ReactNode {
  return (
    <EmptyState
      icon={<Inbox />}
      title={texts.empty}
      action={
        <Button variant="default" component={Link} to={paths.dataEntry}>
          {texts.openDataEntry}
        </Button>
      }
    >
      {texts.emptyNext}
    </EmptyState>
  );
}
