import type { Ability } from '@forecourt/contract/route';
import type { Status } from '@forecourt/contract/statuses';
import { useQuery } from '@tanstack/react-query';
import Pencil from 'lucide-react/icons/pencil';
import Plus from 'lucide-react/icons/plus';
import Power from 'lucide-react/icons/power';
import PowerOff from 'lucide-react/icons/power-off';
import Tags from 'lucide-react/icons/tags';
import Trash2 from 'lucide-react/icons/trash-2';
import UserRoundCog from 'lucide-react/icons/user-round-cog';
import { useMemo, useState, type ReactNode } from 'react';
import { formatCount } from '../../platform/formats.ts';
import { newKey } from '../../platform/ids.ts';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { texts } from '../../texts/statuses.ts';
import { abilityText } from '../../ui/ability.ts';
import { ActionButton, IconAction } from '../../ui/ActionButton.tsx';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { ListScreen } from '../../ui/ListScreen.tsx';
import { OrderedRows } from '../../ui/ordering/OrderedRows.tsx';
import { orderColumn } from '../../ui/ordering/OrderHandle.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { valueColumn, activeColumn } from '../../ui/table/columns.tsx';
import { toastOutcome } from '../../ui/toasts.ts';
import CountingNotice from './CountingNotice.tsx';
import { DeleteStatus } from './DeleteStatus.tsx';
import { GrantStatus } from './GrantStatus.tsx';
import { StatusChip } from './StatusChip.tsx';
import { statusesKey, statusesQuery, useReorderStatuses, useSaveStatus } from './statuses.queries.ts';
import { StatusForm } from './StatusForm.tsx';
import styles from './StatusesScreen.module.css';

/** The rules of a status, each in a column; on a phone below its name. */
const rules = [
  ['isDefault', texts.default],
  ['isClosed', texts.closed],
  ['countsForCommission', texts.counts],
] as const;

const ruleColumn = ([id, header]: (typeof rules)[number]): DataColumn<Status> => ({
  id,
  header,
  width: '110px',
  // Null: not decided yet, which counts.
  sortBy: (status) => Number(status[id] === false),
  filterBy: { kind: 'choice', of: (status) => (status[id] === false ? texts.no : texts.yes) },
  render: ({ [id]: is }) => is !== false && <StatusBadge tone="accent">{texts.yes}</StatusBadge>,
  wideOnly: true,
});

const columnsOf = (reorder: Ability): readonly DataColumn<Status>[] => [
  orderColumn(reorder),
  valueColumn({
    id: 'name',
    header: texts.name,
    wideOnly: false,
    of: ({ name }) => name,
    filter: 'text',
    render: (status) => (
      <>
        <StatusChip color={status.color}>{status.name}</StatusChip>
        <span className="ui-row ui-gap-1 ui-phone-only">
          {rules
            // Null: not decided yet, which counts.
            .filter(([id]) => status[id] !== false)
            .map(([id, header]) => (
              <StatusBadge key={id} tone="accent">
                {header}
              </StatusBadge>
            ))}
          {!status.active && <StatusBadge>{texts.inactive}</StatusBadge>}
        </span>
      </>
    ),
  }),
  ...rules.map(ruleColumn),
  activeColumn(texts),
  valueColumn({
    id: 'usage',
    header: texts.usage,
    width: '100px',
    align: 'right',
    of: ({ usage }) => usage,
    filter: 'number',
    render: ({ usage }) => formatCount(usage),
  }),
];

/** The open dialog; `status` undefined: a new one. */
type Open = { kind: 'form'; status: Status | undefined } | { kind: 'grant' | 'delete'; status: Status };

/** Status Configuration (docs/product/items-and-statuses.md, Statuses): the status cycle, its colours and its rules. */
export function StatusesScreen(): ReactNode {
  const query = useQuery(statusesQuery);
  const statuses = query.data?.items;
  useLiveRefresh('status', statusesKey);
  const { mutateAsync: reorder } = useReorderStatuses();
  const { isAdmin } = usePermissions();
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const columns = useMemo(() => columnsOf(isAdmin || texts.adminsOrder), [isAdmin]);

  return (
    <OrderedRows rows={statuses} save={reorder} failed={texts.orderFailed}>
      {(rows) => (
        <ListScreen
          texts={texts}
          actions={
            <ActionButton
              ability={isAdmin || texts.adminsAdd}
              leftSection={<Plus />}
              onClick={() => setOpen({ kind: 'form', status: undefined })}
            >
              {texts.add}
            </ActionButton>
          }
          before={
            <div className={styles.notice}>
              <CountingNotice />
            </div>
          }
          query={query}
          name="statuses"
          columns={columns}
          rows={rows}
          rowKey={({ _id }) => _id}
          rowLabel={({ name }) => name}
          isMuted={({ active }) => !active}
          rowActions={(status) => (
            <StatusActions status={status} onOpen={(kind) => setOpen({ kind, status })} />
          )}
          icon={<Tags />}
        >
          {open?.kind === 'form' && <StatusForm status={open.status} onClose={close} />}
          {open?.kind === 'grant' && <GrantStatus status={open.status} onClose={close} />}
          {open?.kind === 'delete' && (
            <DeleteStatus status={open.status} others={statuses ?? []} onClose={close} />
          )}
        </ListScreen>
      )}
    </OrderedRows>
  );
}

type StatusActionsProps = { status: Status; onOpen: (kind: Open['kind']) => void };

/** The buttons of one row; blocked ones show the reason. */
function StatusActions({ status, onOpen }: StatusActionsProps): ReactNode {
  const save = useSaveStatus();
  const { isAdmin } = usePermissions();
  const { _id, name, color, active, isDefault, version, abilities } = status;
  const edit = abilityText(abilities.edit, texts.reasons);
  const remove = abilityText(abilities.delete, texts.reasons);
  /** The default can be neither deactivated nor deleted. */
  const unlessDefault = (ability: Ability): Ability =>
    ability === true && isDefault ? texts.defaultStays : ability;

  const toggle = (): void => {
    if (save.isPending) return;
    const input = { name, color, active: !active, version };
    toastOutcome(
      save.mutateAsync({ id: _id, input, idempotencyKey: newKey() }),
      active ? texts.deactivated : texts.activated,
      texts.statusFailed,
    );
  };

  return (
    <div className={`ui-row ui-gap-1 ui-end ${styles.actions}`}>
      <IconAction icon={Pencil} label={texts.rowEdit(name)} ability={edit} onClick={() => onOpen('form')} />
      <IconAction
        icon={UserRoundCog}
        label={texts.rowGrant(name)}
        ability={isAdmin || texts.adminsGrant}
        onClick={() => onOpen('grant')}
      />
      <IconAction
        icon={active ? PowerOff : Power}
        label={active ? texts.rowDeactivate(name) : texts.rowActivate(name)}
        ability={unlessDefault(edit)}
        onClick={toggle}
      />
      <IconAction
        icon={Trash2}
        label={texts.rowDelete(name)}
        ability={unlessDefault(remove)}
        onClick={() => onOpen('delete')}
      />
    </div>
  );
}
