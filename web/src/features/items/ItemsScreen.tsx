import type { Item } from '@forecourt/contract/items';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Package from 'lucide-react/icons/package';
import Plus from 'lucide-react/icons/plus';
import { useMemo, useState, type ReactNode } from 'react';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { useMay } from '../../platform/permissions.ts';
import { texts } from '../../texts/items.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { OrderedRows } from '../../ui/ordering/OrderedRows.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { DeleteItem } from './DeleteItem.tsx';
import { ItemActions } from './ItemActions.tsx';
import { ItemForm } from './ItemForm.tsx';
import { itemColumns } from './items.columns.tsx';
import { itemsKey, itemsQuery, useReorderItems } from './items.queries.ts';
import { ShareItem, TransferItem } from './ItemSharing.tsx';

/** What is open on top of the table; `item` undefined: a new one. */
type Open = { kind: 'form'; item: Item | undefined } | { kind: 'share' | 'transfer' | 'delete'; item: Item };

/** Item Configuration (spec section 2, product section 5): what is sold, in the order in which it is offered. */
export function ItemsScreen(): ReactNode {
  const { data, error, refetch } = useQuery(itemsQuery);
  useLiveRefresh('item', itemsKey);
  const { mutateAsync: reorder } = useReorderItems();
  const mayReorder = useMay().do('itemConfiguration', 'editItems');
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const columns = useMemo(
    () =>
      itemColumns({
        reorder: mayReorder || texts.noReorder,
        onShare: (item) => setOpen({ kind: 'share', item }),
      }),
    [mayReorder],
  );
  const categories = useMemo(
    () => [...new Set(data?.items.map(({ category }) => category))].filter(Boolean).sort(),
    [data],
  );

  const add = (
    <Button leftSection={<Plus />} onClick={() => setOpen({ kind: 'form', item: undefined })}>
      {texts.add}
    </Button>
  );

  return (
    <Page>
      <PageHeader title={texts.title} note={texts.note} actions={data?.total === 0 ? undefined : add} />
      {error ? (
        <LoadFailed error={error} message={texts.loadFailed} retry={() => void refetch()} />
      ) : (
        <OrderedRows rows={data?.items} save={reorder} failed={texts.orderFailed}>
          {(rows) => (
            <DataTable
              label={texts.table}
              name="items"
              columns={columns}
              rows={rows}
              rowKey={({ _id }) => _id}
              rowLabel={({ name }) => name}
              isMuted={({ active }) => !active}
              empty={
                <EmptyState icon={<Package />} title={texts.empty} action={add}>
                  {texts.emptyNext}
                </EmptyState>
              }
              actions={(item) => <ItemActions item={item} onOpen={(kind) => setOpen({ kind, item })} />}
            />
          )}
        </OrderedRows>
      )}
      {open?.kind === 'form' && <ItemForm item={open.item} categories={categories} onClose={close} />}
      {open?.kind === 'share' && <ShareItem item={open.item} onClose={close} />}
      {open?.kind === 'transfer' && <TransferItem item={open.item} onClose={close} />}
      {open?.kind === 'delete' && <DeleteItem item={open.item} onClose={close} />}
    </Page>
  );
}
