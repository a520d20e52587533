import type { Status } from '@forecourt/contract/statuses';
import { useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import Tags from 'lucide-react/icons/tags';
import { useMemo, useState, type ReactNode } from 'react';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { useMay } from '../../platform/permissions.ts';
import { texts } from '../../texts/statuses.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { OrderedRows } from '../../ui/ordering/OrderedRows.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { DeleteStatus } from './DeleteStatus.tsx';
import { GrantStatus } from './GrantStatus.tsx';
import { StatusActions } from './StatusActions.tsx';
import { statusColumns } from './statuses.columns.tsx';
import { statusesKey, statusesQuery, useReorderStatuses } from './statuses.queries.ts';
import { StatusForm } from './StatusForm.tsx';

/** What is open on top of the table; `status` undefined: a new one. */
type Open = { kind: 'form'; status: Status | undefined } | { kind: 'grant' | 'delete'; status: Status };

/** Status Configuration (spec section 2, product section 5): the status cycle, its colours and its rules. */
export function StatusesScreen(): ReactNode {
  const { data, error, refetch } = useQuery(statusesQuery);
  useLiveRefresh('status', statusesKey);
  const { mutateAsync: reorder } = useReorderStatuses();
  const { admin } = useMay();
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const columns = useMemo(() => statusColumns(admin || texts.adminsOrder), [admin]);

  return (
    <Page>
      <PageHeader
        title={texts.title}
        note={texts.note}
        actions={
          <ActionButton
            ability={admin || texts.adminsAdd}
            leftSection={<Plus />}
            onClick={() => setOpen({ kind: 'form', status: undefined })}
          >
            {texts.add}
          </ActionButton>
        }
      />
      {error ? (
        <LoadFailed error={error} message={texts.loadFailed} retry={() => void refetch()} />
      ) : (
        <OrderedRows rows={data?.items} save={reorder} failed={texts.orderFailed}>
          {(rows) => (
            <DataTable
              label={texts.table}
              name="statuses"
              columns={columns}
              rows={rows}
              rowKey={({ _id }) => _id}
              rowLabel={({ name }) => name}
              isMuted={({ active }) => !active}
              empty={
                <EmptyState icon={<Tags />} title={texts.empty}>
                  {texts.emptyNext}
                </EmptyState>
              }
              actions={(status) => (
                <StatusActions status={status} onOpen={(kind) => setOpen({ kind, status })} />
              )}
            />
          )}
        </OrderedRows>
      )}
      {open?.kind === 'form' && <StatusForm status={open.status} onClose={close} />}
      {open?.kind === 'grant' && <GrantStatus status={open.status} onClose={close} />}
      {open?.kind === 'delete' && (
        <DeleteStatus status={open.status} others={data?.items ?? []} onClose={close} />
      )}
    </Page>
  );
}
