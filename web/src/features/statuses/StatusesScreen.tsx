import type { Ability } from '@forecourt/contract/route';
import type { Status } from '@forecourt/contract/statuses';
import { Select } from '@mantine/core';
import Plus from 'lucide-react/icons/plus';
import Tags from 'lucide-react/icons/tags';
import UserRoundCog from 'lucide-react/icons/user-round-cog';
import { useMemo, useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { formatCount } from '../../platform/formats.ts';
import { newKey } from '../../platform/ids.ts';
import { useLiveQuery } from '../../platform/live-events.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { texts } from '../../texts/statuses.ts';
import { ActionButton, IconAction } from '../../ui/ActionButton.tsx';
import { namedChoices } from '../../ui/choices.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { FormModal } from '../../ui/FormModal.tsx';
import { ListScreen } from '../../ui/ListScreen.tsx';
import { OrderedRows } from '../../ui/ordering/OrderedRows.tsx';
import { orderColumn } from '../../ui/ordering/OrderHandle.tsx';
import { RowAction, ToggleAction } from '../../ui/RowAction.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { valueColumn, activeColumn } from '../../ui/table/columns.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { required, useForm } from '../../ui/use-form.ts';
import CountingNotice from './CountingNotice.tsx';
import { GrantStatus } from './GrantStatus.tsx';
import { StatusChip } from './StatusChip.tsx';
import { statusesQuery, useReorderStatuses, useSaveStatus, useDeleteStatus } from './statuses.queries.ts';
import { rules, StatusForm } from './StatusForm.tsx';
import styles from './StatusesScreen.module.css';

/** A rule as a column; on a phone, rules are below the name. */
const ruleColumn = ([id, header]: (typeof rules)[number]): DataColumn<Status> => ({
  id,
  header,
  width: '110px',
  // Null means undecided, which is treated as yes.
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
            // Null means undecided, which is treated as yes.
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

/** The open dialog; `status` is undefined for a new one. */
type Open = { kind: 'form'; status: Status | undefined } | { kind: 'grant' | 'delete'; status: Status };

export default function StatusesScreen(): ReactNode {
  const query = useLiveQuery(statusesQuery, 'status');
  const statuses = query.data?.items;
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

type DeleteStatusProps = { status: Status; others: readonly Status[]; onClose: () => void };

/** Deletes a status. Its deals get a replacement. */
function DeleteStatus({ status, others, onClose }: DeleteStatusProps): ReactNode {
  const { mutateAsync } = useDeleteStatus();
  // Updated by a refusal: the server also counts deleted deals, and deals created since.
  const [isUsed, setIsUsed] = useState(status.usage > 0);
  const form = useForm({
    initial: { replacement: '' },
    failed: texts.deleteFailed,
    validate: (values) => (isUsed ? required({ replacement: texts.replacementRequired })(values) : {}),
    submit: async ({ replacement }) => {
      try {
        await mutateAsync({ id: status._id, replacement });
        toastDone(texts.deleted);
        onClose();
      } catch (thrown) {
        if (thrown instanceof ApiError && thrown.code === 'IN_USE') setIsUsed(true);
        throw thrown;
      }
    },
  });
  return (
    <FormModal
      title={texts.deleteTitle}
      size="sm"
      form={form}
      submitLabel={texts.delete}
      destructive
      onClose={onClose}
    >
      <div>
        <p>{texts.deleteQuestion}</p>
        <p className="ui-box ui-strong ui-mt-3">{status.name}</p>
      </div>
      {status.usage > 0 && <p>{texts.inUse(status.usage)}</p>}
      {isUsed && (
        <Select
          label={texts.replacement}
          withAsterisk
          placeholder={texts.chooseReplacement}
          data={namedChoices(others.filter(({ _id, active }) => active && _id !== status._id))}
          {...form.choice('replacement')}
        />
      )}
    </FormModal>
  );
}

type StatusActionsProps = { status: Status; onOpen: (kind: Open['kind']) => void };

function StatusActions({ status, onOpen }: StatusActionsProps): ReactNode {
  const { mutateAsync, isPending } = useSaveStatus();
  const { isAdmin } = usePermissions();
  const { _id: id, name, color, active, isDefault, version, abilities } = status;
  const row = { name, reasons: texts.reasons };
  /** The default status can be neither deactivated nor deleted. */
  const unlessDefault = (ability: Ability): Ability =>
    ability === true && isDefault ? texts.defaultStays : ability;
  const input = { name, color, active: !active, version };
  return (
    <div className={`ui-row ui-gap-1 ui-end ${styles.actions}`}>
      <RowAction {...row} action="edit" ability={abilities.edit} onClick={() => onOpen('form')} />
      <IconAction
        icon={UserRoundCog}
        label={texts.rowGrant(name)}
        ability={isAdmin || texts.adminsGrant}
        onClick={() => onOpen('grant')}
      />
      <ToggleAction
        name={name}
        active={active}
        texts={texts}
        ability={unlessDefault(abilities.edit)}
        isSaving={isPending}
        save={() => mutateAsync({ id, input, idempotencyKey: newKey() })}
      />
      <RowAction
        {...row}
        action="delete"
        ability={unlessDefault(abilities.delete)}
        onClick={() => onOpen('delete')}
      />
    </div>
  );
}
