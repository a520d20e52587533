import type { Item } from '@forecourt/contract/items';
import type { UserPermissions } from '@forecourt/contract/permissions';
import type { Ability } from '@forecourt/contract/route';
import { Button } from '@mantine/core';
import Package from 'lucide-react/icons/package';
import Plus from 'lucide-react/icons/plus';
import { useMemo, useState, type ReactNode } from 'react';
import { formatCount, formatMoney } from '../../platform/formats.ts';
import { newKey } from '../../platform/ids.ts';
import { useLiveQuery } from '../../platform/live-events.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { texts } from '../../texts/items.ts';
import { texts as sharing } from '../../texts/sharing.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { ListScreen } from '../../ui/ListScreen.tsx';
import { OrderedRows } from '../../ui/ordering/OrderedRows.tsx';
import { orderColumn } from '../../ui/ordering/OrderHandle.tsx';
import { RowAction, ToggleAction } from '../../ui/RowAction.tsx';
import { RecordSharing } from '../../ui/sharing/RecordSharing.tsx';
import { SharedWith } from '../../ui/sharing/SharedWith.tsx';
import { readAndWrite } from '../../ui/sharing/shares.ts';
import { activeColumn, valueColumn } from '../../ui/table/columns.tsx';
import { ItemForm } from './ItemForm.tsx';
import { itemSharing, itemsQuery, useDeleteItem, useReorderItems, useSaveItem } from './items.queries.ts';
import styles from './ItemsScreen.module.css';

const inOneLine = ({ category, price, active }: Item): string =>
  [category, price === null ? '' : formatMoney(price), active ? '' : texts.inactive]
    .filter(Boolean)
    .join(' · ');

const amountColumn = (id: 'price' | 'cost'): DataColumn<Item> =>
  valueColumn({
    id,
    header: texts[id],
    width: '120px',
    align: 'right',
    of: (item) => item[id],
    filter: 'number',
    render: ({ [id]: amount }) =>
      amount === null ? <span className="ui-quiet">{texts.open}</span> : formatMoney(amount),
  });

type ColumnsOptions = { reorder: Ability; onShare: (item: Item) => void };

const columnsOf = ({ reorder, onShare }: ColumnsOptions): readonly DataColumn<Item>[] => [
  orderColumn(reorder),
  valueColumn({
    id: 'name',
    header: texts.name,
    wideOnly: false,
    of: ({ name }) => name,
    filter: 'text',
    render: (item) => (
      <div className="ui-stack ui-gap-0">
        <span className="ui-strong">{item.name}</span>
        <span className="ui-sub ui-phone-only">{inOneLine(item)}</span>
      </div>
    ),
  }),
  {
    id: 'category',
    header: texts.category,
    width: '110px',
    sortBy: ({ category }) => category,
    filterBy: { kind: 'choice', of: ({ category }) => category || null },
    render: ({ category }) => category,
    wideOnly: true,
  },
  amountColumn('price'),
  amountColumn('cost'),
  activeColumn(texts),
  valueColumn({
    id: 'usage',
    header: texts.usage,
    width: '90px',
    align: 'right',
    of: ({ usage }) => usage,
    filter: 'number',
    render: ({ usage }) => formatCount(usage),
    wideOnly: 'desktop',
  }),
  {
    id: 'sharedWith',
    header: sharing.sharedWith,
    width: '130px',
    sortBy: ({ sharedWith }) => sharedWith.length,
    render: (item) => <SharedItem item={item} onShare={onShare} />,
    wideOnly: true,
  },
];

/** The open dialog; `item` is undefined for a new one. */
type Open = { kind: 'form'; item: Item | undefined } | { kind: 'share' | 'transfer' | 'delete'; item: Item };

/** The items in the order of their menu in Data Entry (docs/product/items-and-statuses.md, Items). */
export default function ItemsScreen(): ReactNode {
  const query = useLiveQuery(itemsQuery, 'item');
  const items = query.data?.items;
  const { mutateAsync: reorder } = useReorderItems();
  const { mutateAsync: remove } = useDeleteItem();
  const canReorder = usePermissions().can('itemConfiguration', 'editItems');
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const columns = useMemo(
    () =>
      columnsOf({
        reorder: canReorder || texts.noReorder,
        onShare: (item) => setOpen({ kind: 'share', item }),
      }),
    [canReorder],
  );
  const categories = useMemo(
    () => [...new Set(items?.map(({ category }) => category))].filter(Boolean).sort(),
    [items],
  );

  return (
    <OrderedRows rows={items} save={reorder} failed={texts.orderFailed}>
      {(rows) => (
        <ListScreen
          texts={texts}
          add={
            <Button leftSection={<Plus />} onClick={() => setOpen({ kind: 'form', item: undefined })}>
              {texts.add}
            </Button>
          }
          query={query}
          name="items"
          columns={columns}
          rows={rows}
          rowKey={({ _id }) => _id}
          rowLabel={({ name }) => name}
          isMuted={({ active }) => !active}
          rowActions={(item) => <ItemActions item={item} onOpen={(kind) => setOpen({ kind, item })} />}
          icon={<Package />}
        >
          {open?.kind === 'form' && <ItemForm item={open.item} categories={categories} onClose={close} />}
          {(open?.kind === 'share' || open?.kind === 'transfer') && (
            <RecordSharing
              kind={open.kind}
              record={open.item}
              texts={texts}
              rightsOf={rightsOf}
              calls={itemSharing}
              onClose={close}
            />
          )}
          {open?.kind === 'delete' && (
            <ConfirmDialog
              title={texts.deleteTitle}
              confirmLabel={texts.delete}
              destructive
              failed={texts.deleteFailed}
              done={texts.deleted}
              onConfirm={() => remove({ params: { id: open.item._id } })}
              onClose={close}
            >
              <p>{texts.deleteQuestion}</p>
              <p className="ui-box ui-strong ui-mt-3">{open.item.name}</p>
            </ConfirmDialog>
          )}
        </ListScreen>
      )}
    </OrderedRows>
  );
}

type ItemActionsProps = { item: Item; onOpen: (kind: Open['kind']) => void };

function ItemActions({ item, onOpen }: ItemActionsProps): ReactNode {
  const { mutateAsync, isPending } = useSaveItem();
  const { _id: id, name, category, price, cost, active, usage, version, abilities } = item;
  const { edit, share, transfer } = abilities;
  const row = { name, reasons: texts.reasons };
  const input = { name, category, price, cost, active: !active, version };
  const remove = abilities.delete === true && usage > 0 ? texts.inUse(usage) : abilities.delete;
  return (
    <div className={`ui-row ui-gap-1 ui-end ${styles.actions}`}>
      <RowAction {...row} action="edit" ability={edit} onClick={() => onOpen('form')} />
      <RowAction {...row} action="share" ability={share} onClick={() => onOpen('share')} />
      <RowAction {...row} action="transfer" ability={transfer} onClick={() => onOpen('transfer')} />
      <ToggleAction
        name={name}
        active={active}
        texts={texts}
        ability={edit}
        isSaving={isPending}
        save={() => mutateAsync({ id, input, idempotencyKey: newKey() })}
      />
      <RowAction {...row} action="delete" ability={remove} onClick={() => onOpen('delete')} />
    </div>
  );
}

const rightsOf = ({ pages, features, itemConfiguration }: UserPermissions) => ({
  opensList: pages.itemConfiguration && features.manageItems,
  editsAll: itemConfiguration.editItems,
});

/** Users who may not share see only their own share. */
function SharedItem({ item, onShare }: { item: Item; onShare: (item: Item) => void }): ReactNode {
  const { abilities, sharedWith } = item;
  if (abilities.share === true)
    return <SharedWith shares={sharedWith} levels={readAndWrite} onOpen={() => onShare(item)} />;
  return sharedWith.map(({ userId, permissions }) => (
    <span key={userId}>{texts.sharedWithYou(sharing.levels[permissions])}</span>
  ));
}
