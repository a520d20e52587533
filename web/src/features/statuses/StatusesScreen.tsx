import type { Status } from '@forecourt/contract/statuses';
import { useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import Tags from 'lucide-react/icons/tags';
import { useMemo, useState, type ReactNode } from 'react';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { texts } from '../../texts/statuses.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { OrderedRows } from '../../ui/ordering/OrderedRows.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { CountingNotice } from './CountingNotice.tsx';
import { DeleteStatus } from './DeleteStatus.tsx';
import { GrantStatus } from './GrantStatus.tsx';
import { StatusActions } from './StatusActions.tsx';
import { statusColumns } from './statuses.columns.tsx';
import { statusesKey, statusesQuery, useReorderStatuses } from './statuses.queries.ts';
import { StatusForm } from './StatusForm.tsx';
import styles from './StatusesScreen.module.css';

/** The open dialog; `status` undefined: a new one. */
type Open = { kind: 'form'; status: Status | undefined } | { kind: 'grant' | 'delete'; status: Status };

/** Status Configuration (docs/product/items-and-statuses.md, Statuses): the status cycle, its colours and its rules. */
export function StatusesScreen(): ReactNode {
  const query = useQuery(statusesQuery);
  const { data } = query;
  useLiveRefresh('status', statusesKey);
  const { mutateAsync: reorder } = useReorderStatuses();
  const { isAdmin } = usePermissions();
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const columns = useMemo(() => statusColumns(isAdmin || texts.adminsOrder), [isAdmin]);

  return (
    <Page>
      <PageHeader
        title={texts.title}
        note={texts.note}
        actions={
          <ActionButton
            ability={isAdmin || texts.adminsAdd}
            leftSection={<Plus />}
            onClick={() => setOpen({ kind: 'form', status: undefined })}
          >
            {texts.add}
          </ActionButton>
        }
      />
      <div className={styles.notice}>
        <CountingNotice />
      </div>
      <Loaded of={query} message={texts.loadFailed}>
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
      </Loaded>
      {open?.kind === 'form' && <StatusForm status={open.status} onClose={close} />}
      {open?.kind === 'grant' && <GrantStatus status={open.status} onClose={close} />}
      {open?.kind === 'delete' && (
        <DeleteStatus status={open.status} others={data?.items ?? []} onClose={close} />
      )}
    </Page>
  );
}
