import type { Item } from '@forecourt/contract/items';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Package from 'lucide-react/icons/package';
import Plus from 'lucide-react/icons/plus';
import { useMemo, useState, type ReactNode } from 'react';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { texts } from '../../texts/items.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { OrderedRows } from '../../ui/ordering/OrderedRows.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { DeleteItem } from './DeleteItem.tsx';
import { ItemActions } from './ItemActions.tsx';
import { ItemForm } from './ItemForm.tsx';
import { itemColumns } from './items.columns.tsx';
import { itemsKey, itemsQuery, useReorderItems } from './items.queries.ts';
import { ShareItem, TransferItem } from './ItemSharing.tsx';

/** The open dialog; `item` undefined: a new one. */
type Open = { kind: 'form'; item: Item | undefined } | { kind: 'share' | 'transfer' | 'delete'; item: Item };

/** Item Configuration (docs/product/items-and-statuses.md, Items): the items, in the order in which they are offered. */
export function ItemsScreen(): ReactNode {
  const query = useQuery(itemsQuery);
  const { data } = query;
  useLiveRefresh('item', itemsKey);
  const { mutateAsync: reorder } = useReorderItems();
  const canReorder = usePermissions().can('itemConfiguration', 'editItems');
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const columns = useMemo(
    () =>
      itemColumns({
        reorder: canReorder || texts.noReorder,
        onShare: (item) => setOpen({ kind: 'share', item }),
      }),
    [canReorder],
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
      <Loaded of={query} message={texts.loadFailed}>
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
      </Loaded>
      {open?.kind === 'form' && <ItemForm item={open.item} categories={categories} onClose={close} />}
      {open?.kind === 'share' && <ShareItem item={open.item} onClose={close} />}
      {open?.kind === 'transfer' && <TransferItem item={open.item} onClose={close} />}
      {open?.kind === 'delete' && <DeleteItem item={open.item} onClose={close} />}
    </Page>
  );
}
