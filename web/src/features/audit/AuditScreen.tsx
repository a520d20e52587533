import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import Download from 'lucide-react/icons/download';
import ScrollText from 'lucide-react/icons/scroll-text';
import { useMemo, useState, type ReactNode } from 'react';
import { formatCount } from '../../platform/formats.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/audit.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { queryOf, readFilter, type ScreenFilter } from './audit-filter.ts';
import { auditColumns } from './audit.columns.tsx';
import { auditQuery, type Verification } from './audit.queries.ts';
import { AuditFilters } from './AuditFilters.tsx';
import { EntryDrawer } from './EntryDrawer.tsx';
import { VerifyButton, VerifyResult } from './VerifyLog.tsx';

/** The audit log (docs/product/audit.md, Audit log). Filters are in the address. */
export function AuditScreen(): ReactNode {
  const navigate = useNavigate();
  const filter = readFilter(useSearch({ strict: false }));
  const [open, setOpen] = useState<string | null>(null);
  const [found, setFound] = useState<Verification | null>(null);
  const query = useInfiniteQuery(auditQuery(queryOf(filter)));
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items), [data]);
  const columns = useMemo(() => auditColumns(setOpen), [setOpen]);
  const isFiltered = Object.keys(filter).length > 0;
  const entry = rows?.find(({ _id }) => _id === open);
  const names = Object.assign({}, ...(data?.pages.map((page) => page.names) ?? [])) as Record<string, string>;

  const setFilter = (next: ScreenFilter): void =>
    void navigate({ to: paths.auditLogs, search: readFilter(next), replace: true });
  const older = hasNextPage && (
    <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
      {texts.older}
    </Button>
  );

  return (
    <Page wide>
      <PageHeader
        title={texts.title}
        note={texts.note}
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
            <VerifyButton onFound={setFound} />
          </>
        }
      />
      {found && <VerifyResult found={found} />}
      <AuditFilters filter={filter} onChange={(part) => setFilter({ ...filter, ...part })} />
      {isFiltered && data && (
        <p className="ui-line ui-muted ui-mb-2">
          {texts.found(formatCount(data.pages[0]!.total), data.pages[0]!.totalIsCapped)}
          <Button variant="subtle" size="compact-xs" onClick={() => setFilter({})}>
            {texts.clear}
          </Button>
        </p>
      )}
      <Loaded of={query} message={texts.loadFailed}>
        <>
          <DataTable
            label={texts.table}
            name="audit-logs"
            columns={columns}
            rows={rows}
            rowKey={({ _id }) => _id}
            rowLabel={({ action }) => action}
            empty={
              <EmptyState icon={<ScrollText />} title={isFiltered ? texts.noMatch : texts.empty}>
                {hasNextPage ? texts.searchedSoFar : isFiltered ? texts.noMatchNext : undefined}
              </EmptyState>
            }
          />
          {older && <div className="ui-line ui-middle ui-pad">{older}</div>}
        </>
      </Loaded>
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
    </Page>
  );
}
