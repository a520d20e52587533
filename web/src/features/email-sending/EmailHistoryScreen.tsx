import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import Search from 'lucide-react/icons/search';
import Send from 'lucide-react/icons/send';
import { useMemo, useState, type ReactNode } from 'react';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/email-history.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { emailKey, emailLogsQuery, LOG_PAGE_SIZE } from './email-sending.queries.ts';
import { historyColumns } from './EmailHistoryScreen.columns.tsx';
import { EmailMessage } from './EmailHistoryScreen.message.tsx';
import { askedOf, readFilter, type HistoryFilter } from './history-filter.ts';
import { HistoryFilters } from './HistoryFilters.tsx';
import styles from './EmailHistoryScreen.module.css';

/** Sent and waiting messages, newest first: the own ones, for administrators all. Filters are in the address. */
export function EmailHistoryScreen(): ReactNode {
  const navigate = useNavigate();
  const asked: Record<string, string | undefined> = useSearch({ strict: false });
  const filter = readFilter(asked);
  const page = Math.max(1, Number.parseInt(asked['page'] ?? '1', 10) || 1);
  const isFiltered = Object.keys(filter).length > 0;

  const { data, error, refetch, isPlaceholderData } = useQuery(emailLogsQuery(page, askedOf(filter)));
  useLiveRefresh('email', emailKey);
  const [open, setOpen] = useState<string | null>(null);
  const columns = useMemo(() => historyColumns(setOpen), []);

  /** Another filter starts at the first page. */
  const ask = (next: HistoryFilter, wanted = 1): void => {
    const search = { ...readFilter(next), ...(wanted > 1 && { page: String(wanted) }) };
    void navigate({ to: paths.emailHistory, search, replace: true });
  };

  return (
    <Page wide>
      <PageHeader title={texts.title} note={texts.note} />
      <HistoryFilters filter={filter} onChange={(part) => ask({ ...filter, ...part })} />
      {error ? (
        <LoadFailed error={error} message={texts.loadFailed} retry={() => void refetch()} />
      ) : (
        <div className={styles.table} data-stale={isPlaceholderData || undefined}>
          <DataTable
            label={texts.table}
            name="email-history"
            columns={columns}
            rows={data?.items}
            rowKey={({ _id }) => _id}
            rowLabel={({ subject }) => subject}
            isMuted={(entry) => entry.status === 'cancelled'}
            empty={isFiltered ? <NothingFound onClear={() => ask({})} /> : <NothingSent />}
          />
          {data && (
            <Pager
              page={page}
              limit={LOG_PAGE_SIZE}
              total={data.total}
              onPage={(wanted) => ask(filter, wanted)}
            />
          )}
        </div>
      )}
      {open && (
        <EmailMessage
          id={open}
          onDeal={(dealId) => {
            setOpen(null);
            ask({ dealId });
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </Page>
  );
}

function NothingSent(): ReactNode {
  return (
    <EmptyState
      icon={<Send />}
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

function NothingFound({ onClear }: { onClear: () => void }): ReactNode {
  return (
    <EmptyState
      icon={<Search />}
      title={texts.noMatch}
      action={
        <Button variant="default" onClick={onClear}>
          {texts.clearFilters}
        </Button>
      }
    >
      {texts.noMatchNext}
    </EmptyState>
  );
}
