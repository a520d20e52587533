import { Checkbox, MultiSelect, Select, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../../texts/custom-values.ts';
import { namedChoices } from '../../../ui/choices.ts';
import { DayField } from '../../../ui/DayField.tsx';
import type { useForm } from '../../../ui/use-form.ts';
import type { DealOptions } from '../deal-fields.ts';
import type { CustomControl, DealFormValues } from '../form/form-values.ts';
import { defaultCell } from './custom-columns.ts';
import { chosenIds, listCell, optionChoices, TICK } from './custom-values.ts';

type CustomControlsProps = {
  controls: readonly CustomControl[];
  form: ReturnType<typeof useForm<DealFormValues>>;
  people: DealOptions['people'];
  /** The row is new: its empty fields will get their defaults. */
  isNew: boolean;
  readOnly: boolean;
};

/** The custom fields in the form of a row, each with the control of its type. */
export function CustomControls({ controls, ...rest }: CustomControlsProps): ReactNode {
  return controls.map((control) => <Control key={control.field.key} {...control} {...rest} />);
}

type ControlProps = CustomControl & Omit<CustomControlsProps, 'controls'>;

function Control({ field, column, form, people, isNew, readOnly: isReadOnly }: ControlProps): ReactNode {
  const { key, name, type, help, options, isRequired, editable } = field;
  const readOnly = isReadOnly || !editable;
  const value = form.values[key] ?? '';
  const set = (text: string | null): void => form.set(key, text ?? '');
  const initial = isNew ? defaultCell(field) : null;
  const shared = {
    name: key,
    label: name,
    description: [help, !editable && texts.administratorsOnly(name)].filter(Boolean).join(' ') || undefined,
    error: form.errors[key],
    readOnly,
    withAsterisk: isRequired,
    // Without a default the control has its own placeholder.
    ...(initial !== null && { placeholder: column.toText?.(initial) || String(initial) }),
  };
  const text = {
    ...shared,
    value,
    onChange: (event: { currentTarget: { value: string } }) => set(event.currentTarget.value),
  };
  switch (type) {
    case 'longText':
      return <Textarea autosize minRows={3} {...text} />;
    case 'number':
    case 'currency':
    case 'percent':
      return <TextInput inputMode="decimal" {...text} />;
    case 'text':
      return <TextInput {...text} />;
    case 'link':
      return <TextInput type="url" {...text} />;
    case 'date':
      return <DayField {...shared} value={value} onChange={set} />;
    case 'checkbox': {
      const { placeholder: _, readOnly: disabled, withAsterisk: _required, ...rest } = shared;
      return (
        <Checkbox
          {...rest}
          disabled={disabled}
          aria-invalid={rest.error !== undefined}
          checked={value !== ''}
          onChange={(event) => set(event.currentTarget.checked ? TICK : '')}
        />
      );
    }
    case 'select':
      return (
        <Select
          {...shared}
          searchable
          clearable={!isRequired && !readOnly}
          data={optionChoices(options, [value])}
          value={value || null}
          onChange={set}
        />
      );
    case 'multiSelect': {
      const ids = chosenIds(value);
      return (
        <MultiSelect
          {...shared}
          placeholder={ids.length === 0 ? shared.placeholder : ''}
          searchable
          clearable={!readOnly}
          data={optionChoices(options, ids)}
          value={[...ids]}
          onChange={(chosen) => set(String(listCell(chosen, options) ?? ''))}
        />
      );
    }
    case 'person': {
      const isFormer = value !== '' && !people.some(({ _id }) => _id === value);
      return (
        <Select
          {...shared}
          searchable
          clearable={!isRequired && !readOnly}
          data={[
            ...namedChoices(people),
            ...(isFormer ? [{ value, label: column.toText?.(value) ?? '' }] : []),
          ]}
          value={value || null}
          onChange={set}
        />
      );
    }
    default:
      return type satisfies never;
  }
}
