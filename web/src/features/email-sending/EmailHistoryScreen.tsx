import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Search from 'lucide-react/icons/search';
import Send from 'lucide-react/icons/send';
import { useMemo, useState, type ReactNode } from 'react';
import { useDealOptions, useTimeZone } from '../../platform/deal-options.ts';
import { templatesQuery } from '../../platform/directory.ts';
import { useLiveQuery } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { texts } from '../../texts/email-history.ts';
import { statusTexts } from '../../texts/email-sending.ts';
import { labelChoices, namedChoices } from '../../ui/choices.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ChoiceFilter, DayFilter, FilterBar, SearchFilter } from '../../ui/FilterBar.tsx';
import { ListScreen } from '../../ui/ListScreen.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { usersQuery } from '../users/users.queries.ts';
import {
  emailKey,
  emailLogsQuery,
  LOG_PAGE_SIZE,
  heldMailQuery,
  settleHeldMail,
} from './email-sending.queries.ts';
import { historyColumns } from './EmailHistoryScreen.columns.tsx';
import { EmailMessage } from './EmailHistoryScreen.message.tsx';
import { queryOf, readFilter, type HistoryFilter } from './history-filter.ts';

/** Sent and queued messages: the user's own, for administrators all. Filters and open message are in the URL. */
export default function EmailHistoryScreen(): ReactNode {
  const navigate = useNavigate();
  const params: Record<string, string | undefined> = useSearch({ strict: false });
  const filter = readFilter(params);
  const page = Math.max(1, Number.parseInt(params['page'] ?? '1', 10) || 1);
  const isFiltered = Object.keys(filter).length > 0;

  const query = useLiveQuery(emailLogsQuery(page, queryOf(filter)), 'email', emailKey);
  const { data, isPlaceholderData } = query;
  const { emailId }: { emailId?: string } = useParams({ strict: false });
  const { history } = useRouter();
  const { canGoBack = false } = useLocation().state;
  const timeZone = useTimeZone();
  const columns = useMemo(() => historyColumns(timeZone), [timeZone]);

  /** A changed filter starts at the first page. */
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
          <HistoryFilters
            filter={filter}
            onChange={(part) => setFilter({ ...filter, ...part })}
            onClear={isFiltered ? () => setFilter({}) : undefined}
          />
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
      empty={
        isFiltered && (
          <EmptyState icon={<Search />} title={texts.noMatch}>
            {texts.noMatchNext}
          </EmptyState>
        )
      }
      after={
        data && (
          <Pager
            page={page}
            limit={LOG_PAGE_SIZE}
            total={data.total}
            isStale={isPlaceholderData}
            onPage={(page) => setFilter(filter, page)}
          />
        )
      }
    >
      {emailId !== undefined && (
        <EmailMessage
          key={emailId}
          id={emailId}
          onDeal={(dealId) => setFilter({ dealId })}
          onClose={() => {
            if (canGoBack) history.back();
            else setFilter(filter, page);
          }}
        />
      )}
    </ListScreen>
  );
}

/** Lets administrators release or discard held messages. */
function HeldMail(): ReactNode {
  const { isAdmin } = usePermissions();
  const client = useQueryClient();
  const { data } = useQuery({ ...heldMailQuery, enabled: isAdmin });
  const [confirming, setConfirming] = useState<'release' | 'discard' | null>(null);
  const count = data?.total ?? 0;
  if (!isAdmin || count === 0) return null;

  const settle = async (what: 'release' | 'discard'): Promise<void> => {
    const { total } = await settleHeldMail(what);
    toastDone(texts.held[what].done(total));
    await client.invalidateQueries({ queryKey: emailKey });
  };
  return (
    <div className="ui-mb-3">
      <Notice
        action={
          <>
            <Button variant="default" onClick={() => setConfirming('discard')}>
              {texts.held.discard.button}
            </Button>
            <Button onClick={() => setConfirming('release')}>{texts.held.release.button}</Button>
          </>
        }
      >
        {texts.held.notice(count)}
      </Notice>
      {confirming && (
        <ConfirmDialog
          title={texts.held[confirming].title(count)}
          confirmLabel={texts.held[confirming].button}
          destructive={confirming === 'discard'}
          onConfirm={() => settle(confirming)}
          onClose={() => setConfirming(null)}
        >
          {texts.held[confirming].question}
        </ConfirmDialog>
      )}
    </div>
  );
}

type HistoryFiltersProps = {
  filter: HistoryFilter;
  onChange: (part: HistoryFilter) => void;
  onClear: (() => void) | undefined;
};

/** Only administrators filter by sender, because other users see only their own messages. */
function HistoryFilters({ filter, onChange, onClear }: HistoryFiltersProps): ReactNode {
  const permissions = usePermissions();
  const people = useQuery({ ...usersQuery, enabled: permissions.isAdmin });
  const templates = useQuery(templatesQuery);
  const options = useDealOptions(permissions.page('dataEntry'));
  const by = (name: keyof HistoryFilter) => ({
    value: filter[name] ?? '',
    onChange: (value: string) => onChange({ [name]: value }),
  });

  const rare = ['templateId', 'dealershipId', 'fromDay', 'toDay'] as const;
  const [isOpen, setOpen] = useState(false);
  // Rare filters are shown if one of them is set.
  const showsAll = isOpen || rare.some((name) => filter[name] !== undefined);

  return (
    <FilterBar onClear={onClear}>
      <SearchFilter label={texts.searchLabel} hint={texts.search} {...by('search')} />
      {permissions.isAdmin && (
        <ChoiceFilter
          label={texts.person}
          all={texts.everybody}
          data={namedChoices(people.data?.items)}
          {...by('userId')}
        />
      )}
      <ChoiceFilter
        label={texts.status}
        all={texts.allStatuses}
        data={labelChoices(statusTexts)}
        {...by('status')}
      />
      {!showsAll && (
        <Button variant="default" rightSection={<ChevronDown />} onClick={() => setOpen(true)}>
          {texts.more}
        </Button>
      )}
      {showsAll && (
        <>
          <ChoiceFilter
            label={texts.template}
            all={texts.allTemplates}
            data={namedChoices(templates.data?.items)}
            {...by('templateId')}
          />
          {permissions.page('dataEntry') && (
            <ChoiceFilter
              label={texts.dealership}
              all={texts.allDealerships}
              data={namedChoices(options.data?.dealerships)}
              {...by('dealershipId')}
            />
          )}
          <DayFilter label={texts.fromDay} {...by('fromDay')} />
          <DayFilter label={texts.toDay} {...by('toDay')} />
        </>
      )}
      {filter.batch && (
        <Button variant="default" onClick={() => onChange({ batch: '' })}>
          {texts.leaveMerge}
        </Button>
      )}
      {filter.dealId && (
        <Button variant="default" onClick={() => onChange({ dealId: '' })}>
          {texts.leaveDeal}
        </Button>
      )}
    </FilterBar>
  );
}
