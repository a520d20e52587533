import type { CustomKey } from '@forecourt/contract/custom-field-types';
import type { VisibleCustomField } from '@forecourt/contract/custom-fields';
import { Checkbox } from '@mantine/core';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useStore } from '../../../platform/external-store.ts';
import { texts } from '../../../texts/custom-values.ts';
import { FormModal } from '../../../ui/FormModal.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { customInEdit } from '../custom/custom-columns.ts';
import { chosenIds, listCell, optionChoices, TICK } from '../custom/custom-values.ts';
import { useDataEntry } from '../data-entry-context.ts';
import { rowName, valueOf, type DealRow } from '../deal-row.ts';

/** Changes a checkbox at once, or opens the dialog of a list. Changes are saved like typed values. */
export default function CustomInEdit(): ReactNode {
  const { deals, options } = useDataEntry();
  const cell = useStore(customInEdit);
  useEffect(() => () => customInEdit.set(null), []);
  const row = cell ? deals.rows.get(cell.key) : undefined;
  const field = options?.customFields.find(({ key }) => key === cell?.field);
  if (!row || !field) return null;
  const Part = field.type === 'checkbox' ? CustomTick : CustomOptions;
  return <Part key={`${row.key} ${field.key}`} row={row} field={field} />;
}

type CustomCellProps = { row: DealRow; field: VisibleCustomField };

/** Returns a function that changes a cell from its initial value and ends the edit. */
function useCellChange(row: DealRow, field: CustomKey) {
  const { deals } = useDataEntry();
  // The value that the user has seen: changes by others during the edit are not visible.
  const [before] = useState(() => valueOf(row, field));
  const change = (after: typeof before): void => {
    if (after !== before) deals.onCommand({ changes: [{ key: row.key, columnId: field, before, after }] });
    customInEdit.set(null);
  };
  return { before, change };
}

function CustomTick({ row, field: { key } }: CustomCellProps): ReactNode {
  const { before, change } = useCellChange(row, key);
  const toggle = useEffectEvent(() => {
    if (customInEdit.get() !== null) change(before === null ? TICK : null);
  });
  useEffect(() => toggle(), []);
  return null;
}

function CustomOptions({ row, field }: CustomCellProps): ReactNode {
  const { before, change } = useCellChange(row, field.key);
  const [initial] = useState(() => ({ ids: chosenIds(before) }));
  const form = useForm<{ ids: readonly string[] }>({
    initial,
    submit: async ({ ids }) => change(listCell(ids, field.options)),
  });
  const { ids } = form.values;
  return (
    <FormModal
      title={texts.of(field.name, rowName(row))}
      size="sm"
      form={form}
      onClose={() => customInEdit.set(null)}
    >
      {field.help !== '' && <p className="ui-muted">{field.help}</p>}
      {optionChoices(field.options, initial.ids).map(({ value: id, label }, at) => (
        <Checkbox
          key={id}
          data-autofocus={at === 0 || undefined}
          label={label}
          checked={ids.includes(id)}
          onChange={(event) =>
            form.set('ids', event.currentTarget.checked ? [...ids, id] : ids.filter((other) => other !== id))
          }
        />
      ))}
      {field.options.length === 0 && <p className="ui-muted">{texts.noOptions}</p>}
    </FormModal>
  );
}
