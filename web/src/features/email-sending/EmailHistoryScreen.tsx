import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import Search from 'lucide-react/icons/search';
import Send from 'lucide-react/icons/send';
import { useMemo, useState, type ReactNode } from 'react';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/email-history.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ListScreen } from '../../ui/ListScreen.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { emailKey, emailLogsQuery, LOG_PAGE_SIZE } from './email-sending.queries.ts';
import { historyColumns } from './EmailHistoryScreen.columns.tsx';
import { HeldMail } from './EmailHistoryScreen.held.tsx';
import { EmailMessage } from './EmailHistoryScreen.message.tsx';
import { queryOf, readFilter, type HistoryFilter } from './history-filter.ts';
import { HistoryFilters } from './HistoryFilters.tsx';

/** Sent and queued messages, newest first: the user's own, for administrators all. Filters are in the address. */
export function EmailHistoryScreen(): ReactNode {
  const navigate = useNavigate();
  const params: Record<string, string | undefined> = useSearch({ strict: false });
  const filter = readFilter(params);
  const page = Math.max(1, Number.parseInt(params['page'] ?? '1', 10) || 1);
  const isFiltered = Object.keys(filter).length > 0;

  const query = useQuery(emailLogsQuery(page, queryOf(filter)));
  const { data, isPlaceholderData } = query;
  useLiveRefresh('email', emailKey);
  const [open, setOpen] = useState<string | null>(null);
  const columns = useMemo(() => historyColumns(setOpen), []);

  /** Other filters start at the first page. */
  const setFilter = (next: HistoryFilter, page = 1): void => {
    const search = { ...readFilter(next), ...(page > 1 && { page: String(page) }) };
    void navigate({ to: paths.emailHistory, search, replace: true });
  };

  return (
    <ListScreen
      texts={texts}
      wide
      before={
        <>
          <HeldMail />
          <HistoryFilters filter={filter} onChange={(part) => setFilter({ ...filter, ...part })} />
        </>
      }
      query={query}
      isStale={isPlaceholderData}
      name="email-history"
      columns={columns}
      rows={data?.items}
      rowKey={({ _id }) => _id}
      rowLabel={({ subject }) => subject}
      isMuted={(entry) => entry.status === 'cancelled'}
      icon={<Send />}
      emptyAction={
        <Button variant="default" component={Link} to={paths.dataEntry}>
          {texts.openDataEntry}
        </Button>
      }
      empty={isFiltered && <NothingFound onClear={() => setFilter({})} />}
      after={
        data && (
          <Pager
            page={page}
            limit={LOG_PAGE_SIZE}
            total={data.total}
            onPage={(page) => setFilter(filter, page)}
          />
        )
      }
    >
      {open && (
        <EmailMessage
          id={open}
          onDeal={(dealId) => {
            setOpen(null);
            setFilter({ dealId });
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </ListScreen>
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
