import { MAX_ALL_CUSTOM_FIELDS, MAX_CUSTOM_FIELDS } from '@forecourt/contract/custom-field-types';
import type { CustomField } from '@forecourt/contract/custom-fields';
import type { Ability } from '@forecourt/contract/route';
import Archive from 'lucide-react/icons/archive';
import ArchiveRestore from 'lucide-react/icons/archive-restore';
import Columns3 from 'lucide-react/icons/columns-3';
import Plus from 'lucide-react/icons/plus';
import { useState, type ReactNode } from 'react';
import { newKey } from '../../platform/ids.ts';
import { useLiveQuery } from '../../platform/live-events.ts';
import { texts } from '../../texts/custom-fields.ts';
import { ActionButton, IconAction } from '../../ui/ActionButton.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { ListScreen } from '../../ui/ListScreen.tsx';
import { OrderedRows } from '../../ui/ordering/OrderedRows.tsx';
import { orderColumn } from '../../ui/ordering/OrderHandle.tsx';
import { RowAction } from '../../ui/RowAction.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { activeColumn, valueColumn } from '../../ui/table/columns.tsx';
import { customFieldsQuery, useReorderCustomFields, useSaveCustomField } from './custom-fields.queries.ts';
import { CustomFieldForm } from './CustomFieldForm.tsx';

const inOneLine = ({ type, isRequired, active }: CustomField): string =>
  [texts.types[type], isRequired && texts.required, !active && texts.inactive].filter(Boolean).join(' · ');

/** Only administrators change a field that only they see. */
const editorsOf = ({ visibleTo, editableBy }: CustomField) =>
  visibleTo === 'administrators' ? visibleTo : editableBy;

const audienceColumn = (
  id: 'visibleTo' | 'editableBy',
  of: (field: CustomField) => CustomField['visibleTo'],
): DataColumn<CustomField> =>
  valueColumn({
    id,
    header: texts[id],
    width: '150px',
    of: (field) => texts.audiences[of(field)],
    filter: 'choice',
  });

const columns: readonly DataColumn<CustomField>[] = [
  orderColumn(true),
  valueColumn({
    id: 'name',
    header: texts.name,
    wideOnly: false,
    of: ({ name }) => name,
    filter: 'text',
    render: (field) => (
      <div className="ui-stack ui-gap-0">
        <span className="ui-strong ui-anywhere">{field.name}</span>
        {field.help !== '' && <span className="ui-sub ui-anywhere">{field.help}</span>}
        <span className="ui-sub ui-phone-only">{inOneLine(field)}</span>
      </div>
    ),
  }),
  valueColumn({
    id: 'type',
    header: texts.type,
    width: '120px',
    of: ({ type }) => texts.types[type],
    filter: 'choice',
  }),
  valueColumn({
    id: 'required',
    header: texts.required,
    width: '110px',
    of: ({ isRequired }) => (isRequired ? texts.yes : texts.no),
    filter: 'choice',
    render: ({ isRequired }) => isRequired && <StatusBadge tone="accent">{texts.required}</StatusBadge>,
  }),
  audienceColumn('visibleTo', ({ visibleTo }) => visibleTo),
  audienceColumn('editableBy', editorsOf),
  activeColumn(texts),
];

type Open = { kind: 'form'; field: CustomField | undefined } | { kind: 'retire'; field: CustomField };

export default function CustomFieldsScreen(): ReactNode {
  const query = useLiveQuery(customFieldsQuery, 'custom-field');
  const fields = query.data?.items;
  const { mutateAsync: reorder } = useReorderCustomFields();
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const inUse = fields?.filter(({ active }) => active).length ?? 0;
  const hasSpace: Ability = inUse < MAX_CUSTOM_FIELDS || texts.inUse;
  const canAdd: Ability = (fields?.length ?? 0) < MAX_ALL_CUSTOM_FIELDS ? hasSpace : texts.allUsed;

  return (
    <OrderedRows rows={fields} save={reorder} failed={texts.orderFailed}>
      {(rows) => (
        <ListScreen
          texts={texts}
          add={
            <ActionButton
              ability={canAdd}
              leftSection={<Plus />}
              onClick={() => setOpen({ kind: 'form', field: undefined })}
            >
              {texts.add}
            </ActionButton>
          }
          query={query}
          name="custom-fields"
          columns={columns}
          rows={rows}
          rowKey={({ _id }) => _id}
          rowLabel={({ name }) => name}
          isMuted={({ active }) => !active}
          rowActions={(field) => (
            <>
              <RowAction action="edit" name={field.name} onClick={() => setOpen({ kind: 'form', field })} />
              <IconAction
                icon={field.active ? Archive : ArchiveRestore}
                label={field.active ? texts.rowRetire(field.name) : texts.rowReinstate(field.name)}
                ability={field.active || hasSpace}
                onClick={() => setOpen({ kind: 'retire', field })}
              />
            </>
          )}
          icon={<Columns3 />}
        >
          {open?.kind === 'form' && <CustomFieldForm field={open.field} onClose={close} />}
          {open?.kind === 'retire' && <RetireField field={open.field} onClose={close} />}
        </ListScreen>
      )}
    </OrderedRows>
  );
}

/** Retires an active field or reinstates a retired one, after a confirmation. */
function RetireField({ field, onClose }: { field: CustomField; onClose: () => void }): ReactNode {
  const { mutateAsync } = useSaveCustomField();
  const { _id: id, name, type, version, active } = field;
  const [idempotencyKey] = useState(newKey);
  return (
    <ConfirmDialog
      title={active ? texts.retireTitle : texts.reinstateTitle}
      confirmLabel={active ? texts.retire : texts.reinstate}
      failed={texts.saveFailed}
      done={active ? texts.retired : texts.reinstated}
      onConfirm={() => mutateAsync({ id, input: { name, type, version, active: !active }, idempotencyKey })}
      onClose={onClose}
    >
      <p>{active ? texts.retireQuestion : texts.reinstateQuestion}</p>
      <p className="ui-box ui-strong ui-mt-3">{name}</p>
    </ConfirmDialog>
  );
}
