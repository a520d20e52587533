import { Button, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import Inbox from 'lucide-react/icons/inbox';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import '../../ui/styles-dialog.ts';
import { noteTour } from '../../platform/demo-tour.ts';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/demo.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { MessagePreview } from '../../ui/MessagePreview.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { demoKey, keptMessageQuery, mailboxQuery } from './demo.queries.ts';
import { mailboxColumns } from './MailboxScreen.columns.tsx';

/** Where a demo's mail arrives (product section 2, DEMO). Anywhere else there is no such screen. */
export function MailboxScreen(): ReactNode {
  const { data, error, refetch } = useQuery(mailboxQuery);
  useLiveRefresh('email', demoKey);
  const [open, setOpen] = useState<string | null>(null);
  const columns = useMemo(() => mailboxColumns(setOpen), []);
  return (
    <Page wide>
      <PageHeader title={texts.title} note={texts.note} />
      {error ? (
        <LoadFailed error={error} message={texts.loadFailed} retry={() => void refetch()} />
      ) : (
        <DataTable
          label={texts.table}
          name="mailbox"
          columns={columns}
          rows={data?.items}
          rowKey={({ _id }) => _id}
          rowLabel={({ subject }) => subject}
          empty={<NothingSent />}
        />
      )}
      {open && <KeptMessage id={open} onClose={() => setOpen(null)} />}
    </Page>
  );
}

function KeptMessage({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const { data, error, refetch } = useQuery(keptMessageQuery(id));
  const isRead = data !== undefined;
  useEffect(() => {
    if (isRead) noteTour('read');
  }, [isRead]);
  return (
    <SideDrawer title={data ? data.subject || texts.noSubject : texts.title} width={680} onClose={onClose}>
      {error && <LoadFailed error={error} message={texts.messageFailed} retry={() => void refetch()} />}
      {!data && !error && <Loader size={20} />}
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
