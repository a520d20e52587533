import type { AuditLogEntry } from '@forecourt/contract/audit';
import { recordKinds } from '@forecourt/contract/record-kinds';
import { Button, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import Download from 'lucide-react/icons/download';
import ScrollText from 'lucide-react/icons/scroll-text';
import ShieldAlert from 'lucide-react/icons/shield-alert';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { instantsOf } from '../../platform/days.ts';
import { formatCount, formatDateTime } from '../../platform/formats.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/audit.ts';
import { namedChoices } from '../../ui/choices.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ChoiceFilter, DayFilter, FilterBar, SearchFilter } from '../../ui/FilterBar.tsx';
import { ListScreen } from '../../ui/ListScreen.tsx';
import { timeColumn } from '../../ui/table/columns.tsx';
import { toastFailed } from '../../ui/toasts.ts';
import { usersQuery } from '../users/users.queries.ts';
import { sentenceOf } from './audit-sentences.ts';
import { auditQuery, verifyLog, type AuditFilter, type Verification } from './audit.queries.ts';
import { EntryDrawer } from './EntryDrawer.tsx';

const NAMES = ['actorId', 'entity', 'action', 'recordId', 'search', 'fromDay', 'toDay'] as const;

/** The filters in the URL. Days are `2026-11-20` in the browser's zone. */
type ScreenFilter = Partial<Record<(typeof NAMES)[number], string>>;

const readFilter = (search: Readonly<Record<string, string | undefined>>): ScreenFilter =>
  Object.fromEntries(NAMES.flatMap((name) => (search[name] ? [[name, search[name]]] : [])));

/** Returns the filters for the server. `toDay` is included. */
const queryOf = ({ fromDay, toDay, ...filter }: ScreenFilter): AuditFilter => ({
  ...filter,
  ...instantsOf({ fromDay, toDay }),
});

/** The order is the server's: newest first. `open` shows one entry. */
const columnsOf = (open: (id: string) => void): readonly DataColumn<AuditLogEntry>[] => [
  {
    id: 'what',
    header: texts.what,
    render: (entry) => (
      <>
        <UnstyledButton
          className="ui-plain"
          aria-label={texts.open(sentenceOf(entry))}
          onClick={() => open(entry._id)}
        >
          {sentenceOf(entry)}
        </UnstyledButton>
        <span className="ui-sub ui-phone-only">{formatDateTime(entry.at)}</span>
      </>
    ),
  },
  timeColumn({ id: 'when', header: texts.when, of: ({ at }) => at, isSorted: false }),
  {
    id: 'where',
    header: texts.where,
    width: '150px',
    render: ({ ip }) => <span className="ui-quiet">{ip || texts.nothing}</span>,
    wideOnly: true,
  },
];

/** The audit log (docs/product/audit.md, Audit log). Its filters are in the URL. */
export default function AuditScreen(): ReactNode {
  const navigate = useNavigate();
  const filter = readFilter(useSearch({ strict: false }));
  const [open, setOpen] = useState<string | null>(null);
  const [verification, setVerification] = useState<Verification | null>(null);
  const query = useInfiniteQuery(auditQuery(queryOf(filter)));
  const { data, hasNextPage, fetchNextPage, isFetching, isFetchingNextPage, isError } = query;
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items), [data]);
  const last = data?.pages.at(-1);
  const isIncomplete = typeof last?.searchedTo === 'string';
  const continues = isIncomplete && !isError;
  // The total of a page counts from its first row.
  const total = rows && last && formatCount(rows.length - last.items.length + last.total);
  // The server ends a page early rather than search long. The search continues until a page is full.
  useEffect(() => {
    if (continues && !isFetching) void fetchNextPage();
  }, [continues, isFetching, fetchNextPage]);
  const columns = useMemo(() => columnsOf(setOpen), [setOpen]);
  const isFiltered = Object.keys(filter).length > 0;
  const entry = rows?.find(({ _id }) => _id === open);
  const names = Object.assign({}, ...(data?.pages.map((page) => page.names) ?? [])) as Record<string, string>;

  const setFilter = (next: ScreenFilter): void =>
    void navigate({ to: paths.auditLogs, search: readFilter(next), replace: true });

  return (
    <ListScreen
      texts={texts}
      wide
      actions={
        <>
          <Button
            variant="default"
            leftSection={<Download />}
            component={Link}
            to={paths.newExport({ ...filter, kind: 'audit' })}
          >
            {texts.export}
          </Button>
          <VerifyButton onVerified={setVerification} />
        </>
      }
      before={
        <>
          {verification && <VerifyResult verification={verification} />}
          <AuditFilters
            filter={filter}
            onChange={(part) => setFilter({ ...filter, ...part })}
            onClear={isFiltered ? () => setFilter({}) : undefined}
          />
          {isFiltered && last && total && (
            <p className="ui-muted ui-mb-2">
              {last.searchedTo === null
                ? texts.found(total, last.totalIsCapped)
                : texts.foundSoFar(total, formatDateTime(last.searchedTo))}
            </p>
          )}
        </>
      }
      query={query}
      name="audit-logs"
      columns={columns}
      rows={rows}
      rowKey={({ _id }) => _id}
      rowLabel={({ action }) => action}
      empty={
        <EmptyState
          icon={<ScrollText />}
          title={isIncomplete ? texts.noMatchYet : isFiltered ? texts.noMatch : texts.empty}
        >
          {isFiltered && !isIncomplete ? texts.noMatchNext : undefined}
        </EmptyState>
      }
      after={
        hasNextPage && (
          <div className="ui-line ui-middle ui-pad">
            <Button
              variant="default"
              loading={continues || isFetchingNextPage}
              onClick={() => void fetchNextPage()}
            >
              {texts.older}
            </Button>
          </div>
        )
      }
    >
      {entry && (
        <EntryDrawer
          entry={entry}
          names={names}
          onRecord={(recordId) => {
            setOpen(null);
            setFilter({ recordId });
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </ListScreen>
  );
}

const kinds = Object.entries(recordKinds).map(([value, { many }]) => ({ value, label: many }));

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const SPECIFIC = Object.entries(texts.whole).map(([value, text]) => ({ value, label: capital(text) }));
const COMMON = ['created', 'updated', 'deleted', 'restored', 'shared', 'transferred'];

/** Returns the actions of a record kind. Specific labels replace common ones. */
function actionsOf(entity: string) {
  const own = SPECIFIC.filter(({ value }) => value.startsWith(`${entity}.`));
  const taken = new Set(own.map(({ value }) => value));
  const common = COMMON.map((verb) => ({ value: `${entity}.${verb}`, label: capital(texts.verbs[verb]!) }));
  return [...common.filter(({ value }) => !taken.has(value)), ...own];
}

type AuditFiltersProps = {
  filter: ScreenFilter;
  onChange: (part: ScreenFilter) => void;
  onClear: (() => void) | undefined;
};

function AuditFilters({ filter, onChange, onClear }: AuditFiltersProps): ReactNode {
  const { data: users } = useQuery(usersQuery);
  const by = (name: keyof ScreenFilter) => ({
    value: filter[name] ?? '',
    onChange: (value: string) => onChange({ [name]: value }),
  });
  return (
    <FilterBar onClear={onClear}>
      <SearchFilter label={texts.search} {...by('search')} />
      <ChoiceFilter
        label={texts.person}
        all={texts.everybody}
        data={namedChoices(users?.items)}
        {...by('actorId')}
      />
      <ChoiceFilter
        label={texts.kind}
        all={texts.everything}
        data={kinds}
        {...by('entity')}
        onChange={(entity) => onChange({ entity, action: '' })}
      />
      <ChoiceFilter
        label={texts.action}
        all={texts.anyAction}
        data={filter.entity ? actionsOf(filter.entity) : SPECIFIC}
        {...by('action')}
      />
      <DayFilter label={texts.from} {...by('fromDay')} />
      <DayFilter label={texts.to} {...by('toDay')} />
    </FilterBar>
  );
}

/** Verifies the whole log and shows the progress; `VerifyResult` shows the result. */
function VerifyButton({ onVerified }: { onVerified: (verification: Verification) => void }): ReactNode {
  const [entries, setEntries] = useState<number | null>(null);
  const leaving = useRef<AbortController>(null);
  useEffect(() => () => leaving.current?.abort(), []);

  const verify = async (): Promise<void> => {
    const { signal } = (leaving.current = new AbortController());
    setEntries(0);
    try {
      onVerified(await verifyLog(signal, setEntries));
    } catch (failure) {
      if (!signal.aborted) toastFailed(failure, texts.verifyFailed);
    } finally {
      setEntries(null);
    }
  };

  return (
    <Button leftSection={<ShieldCheck />} disabled={entries !== null} onClick={() => void verify()}>
      {entries === null ? texts.verify : texts.verifying(formatCount(entries))}
    </Button>
  );
}

/** Whether the log is intact, and the problems found. */
function VerifyResult({ verification }: { verification: Verification }): ReactNode {
  const { problems, head, unsealed, otherKey, entries } = verification;
  const isWhole = problems.length === 0;
  return (
    <section
      className={`ui-line ui-top ui-gap-3 ui-mb-4 ui-box ${isWhole ? 'ui-good' : 'ui-bad'}`}
      role="status"
    >
      {isWhole ? <ShieldCheck aria-hidden /> : <ShieldAlert aria-hidden />}
      <div className="ui-stack ui-gap-1">
        <h2 className="ui-title">{isWhole ? texts.isWhole : texts.broken}</h2>
        <p>{isWhole ? texts.isWholeWhat(formatCount(entries)) : texts.brokenWhat(problems.length)}</p>
        {!isWhole && (
          <ul className="ui-bullets ui-mt-1">
            {problems.map(({ kind, entry, seal }) => (
              <li key={`${kind} ${entry} ${seal}`}>{texts.problems[kind](entry ?? seal ?? '')}</li>
            ))}
          </ul>
        )}
        {otherKey > 0 && <p>{texts.otherKey(otherKey)}</p>}
        {unsealed > 0 && <p>{texts.unsealed(unsealed)}</p>}
        {head && (
          <p>
            {texts.head(head.seal, formatDateTime(head.at))} <code className="ui-code">{head.hash}</code>
          </p>
        )}
      </div>
    </section>
  );
}
