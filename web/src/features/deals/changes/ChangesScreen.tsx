import type { ChangeSet } from '@forecourt/contract/deal-changes';
import { Button, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import FileDiff from 'lucide-react/icons/file-diff';
import { useMemo, type ReactNode } from 'react';
import { useDealOptions, useTimeZone } from '../../../platform/deal-options.ts';
import { formatDateTime } from '../../../platform/formats.ts';
import { useLiveRefresh } from '../../../platform/live-events.ts';
import { paths } from '../../../platform/paths.ts';
import { usePermissions } from '../../../platform/permissions.ts';
import { texts } from '../../../texts/changes.ts';
import { namedChoices } from '../../../ui/choices.ts';
import type { DataColumn } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ChoiceFilter, DayFilter, FilterBar } from '../../../ui/FilterBar.tsx';
import { ListScreen } from '../../../ui/ListScreen.tsx';
import { TimeText } from '../../../ui/table/TimeText.tsx';
import { usersQuery } from '../../users/users.queries.ts';
import { titleOf } from './change-set-title.ts';
import { changesKey, changesQuery, type ChangesFilter } from './changes.queries.ts';
import { ChangeSetDrawer, StateBadge } from './ChangeSetDrawer.tsx';

const NAMES = [
  'by',
  'kind',
  'dealershipId',
  'dealId',
  'of',
  'day',
] as const satisfies readonly (keyof ChangesFilter)[];

/** The filters and the open change set in the URL. */
type Shown = Partial<Record<(typeof NAMES)[number] | 'set', string>>;

const readShown = (search: Readonly<Record<string, string | undefined>>): Shown =>
  Object.fromEntries([...NAMES, 'set'].flatMap((name) => (search[name] ? [[name, search[name]]] : [])));

const columnsOf = (
  open: (id: string) => void,
  isAdmin: boolean,
  timeZone: string,
): readonly DataColumn<ChangeSet>[] => [
  {
    id: 'what',
    header: texts.what,
    render: (set) => (
      <>
        <UnstyledButton
          className="ui-plain"
          aria-label={texts.open(titleOf(set))}
          onClick={() => open(set._id)}
        >
          {titleOf(set)}
        </UnstyledButton>{' '}
        <StateBadge of={set} />
        <span className="ui-sub ui-phone-only">
          {isAdmin && `${set.byName}, `}
          {formatDateTime(set.at, timeZone)}
        </span>
      </>
    ),
  },
  ...(isAdmin
    ? [{ id: 'by', header: texts.by, width: '180px', render: (set: ChangeSet) => set.byName, wideOnly: true }]
    : []),
  { id: 'how', header: texts.how, width: '130px', render: ({ kind }) => texts.kinds[kind], wideOnly: true },
  {
    id: 'when',
    header: texts.when,
    width: '170px',
    render: ({ at }) => <TimeText text={formatDateTime(at, timeZone)} />,
    wideOnly: true,
  },
];

/** Change sets (docs/product/data-entry.md, Changes). Filters and the open set are in the URL. */
export default function ChangesScreen(): ReactNode {
  const navigate = useNavigate();
  const timeZone = useTimeZone();
  const { isAdmin } = usePermissions();
  const { set, ...filter } = readShown(useSearch({ strict: false }));
  const query = useInfiniteQuery(changesQuery(filter as ChangesFilter));
  useLiveRefresh('deal', changesKey);
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items), [data]);
  const isFiltered = Object.keys(filter).length > 0;

  const show = (next: Shown): void =>
    void navigate({ to: paths.changes, search: readShown(next), replace: true });
  const columns = useMemo(() => {
    const open = (id: string): void =>
      void navigate({
        to: paths.changes,
        search: (current: Shown) => ({ ...readShown(current), set: id }),
      });
    return columnsOf(open, isAdmin, timeZone);
  }, [navigate, isAdmin, timeZone]);

  return (
    <ListScreen
      texts={texts}
      wide
      before={
        <ChangesFilters
          filter={filter}
          onChange={(part) => show({ ...filter, ...part })}
          onClear={isFiltered ? () => show({}) : undefined}
        />
      }
      query={query}
      name="changes"
      columns={columns}
      rows={rows}
      rowKey={({ _id }) => _id}
      rowLabel={titleOf}
      empty={
        <EmptyState icon={<FileDiff />} title={isFiltered ? texts.noMatch : texts.empty}>
          {isFiltered ? texts.noMatchNext : texts.emptyNext}
        </EmptyState>
      }
      after={
        hasNextPage && (
          <div className="ui-line ui-middle ui-pad">
            <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {texts.older}
            </Button>
          </div>
        )
      }
    >
      {set !== undefined && (
        <ChangeSetDrawer key={set} id={set} isAlone={filter.of !== undefined} onClose={() => show(filter)} />
      )}
    </ListScreen>
  );
}

const kinds = Object.entries(texts.kinds).map(([value, label]) => ({ value, label }));

type ChangesFiltersProps = {
  filter: Shown;
  onChange: (part: Shown) => void;
  onClear: (() => void) | undefined;
};

function ChangesFilters({ filter, onChange, onClear }: ChangesFiltersProps): ReactNode {
  const { isAdmin } = usePermissions();
  const { data: users } = useQuery({ ...usersQuery, enabled: isAdmin });
  const { data: options } = useDealOptions();
  const by = (name: keyof Shown) => ({
    value: filter[name] ?? '',
    onChange: (value: string) => onChange({ [name]: value }),
  });
  return (
    <FilterBar onClear={onClear}>
      {isAdmin && (
        <ChoiceFilter
          label={texts.person}
          all={texts.everybody}
          data={namedChoices(users?.items)}
          {...by('by')}
        />
      )}
      <ChoiceFilter label={texts.kind} all={texts.everyKind} data={kinds} {...by('kind')} />
      {options?.columns.includes('dealershipId') !== false && (
        <ChoiceFilter
          label={texts.dealership}
          all={texts.everyDealership}
          data={namedChoices(options?.dealerships)}
          {...by('dealershipId')}
        />
      )}
      <DayFilter label={texts.day} {...by('day')} />
      {filter.dealId !== undefined && <span className="ui-quiet">{texts.ofRow}</span>}
      {filter.of !== undefined && <span className="ui-quiet">{texts.ofSet}</span>}
    </FilterBar>
  );
}
