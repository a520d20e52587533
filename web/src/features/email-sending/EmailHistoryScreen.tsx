import type { EmailStatus } from '@forecourt/contract/email-sending';
import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import Search from 'lucide-react/icons/search';
import Send from 'lucide-react/icons/send';
import { useMemo, useState, type ReactNode } from 'react';
import '../../ui/styles-dialog.ts';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/email-history.ts';
import { statusTexts } from '../../texts/email-sending.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { emailKey, emailLogsQuery, LOG_PAGE_SIZE } from './email-sending.queries.ts';
import { historyColumns } from './EmailHistoryScreen.columns.tsx';
import { EmailMessage } from './EmailHistoryScreen.message.tsx';
import styles from './EmailHistoryScreen.module.css';

const statuses = Object.entries(statusTexts).map(([value, label]) => ({ value, label }));

const isStatus = (text: string | undefined): text is EmailStatus => text !== undefined && text in statusTexts;

/** Sent and waiting messages, newest first: the own ones, for administrators all. Filters are in the address. */
export function EmailHistoryScreen(): ReactNode {
  const navigate = useNavigate();
  const asked: Record<string, string | undefined> = useSearch({ strict: false });
  const status = isStatus(asked['status']) ? asked['status'] : undefined;
  const search = asked['search'] ?? '';
  const page = Math.max(1, Number.parseInt(asked['page'] ?? '1', 10) || 1);
  const isFiltered = status !== undefined || search !== '';

  const { data, error, refetch, isPlaceholderData } = useQuery(
    emailLogsQuery(page, { ...(status && { status }), ...(search && { search }) }),
  );
  useLiveRefresh('email', emailKey);
  const [open, setOpen] = useState<string | null>(null);
  const [typed, setTyped] = useState(search);
  const columns = useMemo(() => historyColumns(setOpen), []);

  /** Another filter starts at the first page; what is empty is left out of the address. */
  const ask = (part: Record<string, string | undefined>): void => {
    const filters = { status, search, page: undefined, ...part };
    const filled = Object.entries(filters).filter((pair): pair is [string, string] => Boolean(pair[1]));
    void navigate({ to: paths.emailHistory, search: Object.fromEntries(filled), replace: true });
  };
  const searchSoon = useDebouncedCallback((text: string) => ask({ search: text.trim() }), 250);
  const clear = (): void => {
    setTyped('');
    ask({ status: undefined, search: undefined });
  };

  return (
    <Page wide>
      <PageHeader title={texts.title} note={texts.note} />
      <search className={styles.filters}>
        <TextInput
          className={styles.search}
          type="search"
          aria-label={texts.searchLabel}
          placeholder={texts.search}
          leftSection={<Search />}
          maxLength={120}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            searchSoon(event.currentTarget.value);
          }}
        />
        <Select
          className={styles.status}
          aria-label={texts.status}
          placeholder={texts.allStatuses}
          clearable
          data={statuses}
          value={status ?? null}
          onChange={(chosen) => ask({ status: chosen ?? undefined })}
        />
      </search>
      {error ? (
        <LoadFailed error={error} message={texts.loadFailed} retry={() => void refetch()} />
      ) : (
        <div className={styles.table} data-stale={isPlaceholderData || undefined}>
          <DataTable
            label={texts.table}
            columns={columns}
            rows={data?.items}
            rowKey={({ _id }) => _id}
            rowLabel={({ subject }) => subject}
            isMuted={(entry) => entry.status === 'cancelled'}
            empty={isFiltered ? <NothingFound onClear={clear} /> : <NothingSent />}
          />
          {data && (
            <Pager
              page={page}
              limit={LOG_PAGE_SIZE}
              total={data.total}
              onPage={(wanted) => ask({ page: String(wanted) })}
            />
          )}
        </div>
      )}
      {open && <EmailMessage id={open} onClose={() => setOpen(null)} />}
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
