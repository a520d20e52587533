import { editedFields, fieldOf, type EditedField, type FieldType } from '@forecourt/contract/deal-fields';
import { Button, Checkbox, Input, MultiSelect, Select, Textarea, TextInput } from '@mantine/core';
import { useEffect, useEffectEvent, useMemo, useState, type ComponentProps, type ReactNode } from 'react';
import { useTimeZone } from '../../../platform/deal-options.ts';
import { texts as customTexts } from '../../../texts/custom-values.ts';
import { texts } from '../../../texts/deal-form.ts';
import { texts as itemTexts } from '../../../texts/deal-items.ts';
import { texts as common } from '../../../texts/deals.ts';
import { namedChoices } from '../../../ui/choices.ts';
import { DayField } from '../../../ui/DayField.tsx';
import { FormModal, FormRow } from '../../../ui/FormModal.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { defaultCell } from '../custom/custom-columns.ts';
import { chosenIds, listCell, optionChoices, TICK } from '../custom/custom-values.ts';
import { useDataEntry } from '../data-entry-context.ts';
import { type DealField, existsFor, type DealOptions } from '../deal-fields.ts';
import { rowName, type DealRow } from '../deal-row.ts';
import { formatItems } from '../items/deal-items.ts';
import DealItems from '../items/DealItems.tsx';
import type { DealFormValues, FormDraft, FormPreset } from '../open-parts.ts';
import { formChanges, formErrors, formValues, textOf, type CustomControl } from './form-values.ts';

type DealFormProps = {
  row: DealRow;
  /** Unsaved values from before a reload. */
  draft: FormDraft | undefined;
  preset: FormPreset | undefined;
  /** Called with all unsaved values. */
  onType: (form: FormDraft) => void;
  /** Called after saving or discarding; null if nothing was typed, so that no draft is stored. */
  onClose: (form: FormDraft['key'] | null) => void;
};

const { columns } = common;

/** A new row as a form, on a phone. Saved values are sent like those typed in cells. */
export default function DealForm({ row, draft, preset, onType, onClose }: DealFormProps): ReactNode {
  const { deals, options, columns: shownColumns } = useDataEntry();
  const custom = useMemo(
    () =>
      (options?.customFields ?? []).flatMap((field): CustomControl[] => {
        const column = shownColumns.find(({ id }) => id === field.key);
        return column ? [{ field, column }] : [];
      }),
    [options, shownColumns],
  );
  const [opened] = useState(draft ? { ...draft.opened, key: row.key } : row);
  const zone = useTimeZone();
  // Times are parsed in the zone in which they were displayed.
  const [timeZone] = useState(draft?.timeZone ?? zone);
  const [initial] = useState(() => formValues(opened, timeZone, custom));
  const [start] = useState(() =>
    preset ? { ...initial, [preset.field]: textOf(preset.field, preset.value, timeZone) } : initial,
  );
  const [choosing, setChoosing] = useState(false);
  const name = draft?.key ?? 'new';
  const has = (field: DealField): boolean => options === undefined || existsFor(options, field);
  const form = useForm({
    initial: draft?.values ?? start,
    validate: (typed) => formErrors(typed, has, timeZone, custom),
    submit: async (values) => {
      const changes = formChanges(opened, initial, values, timeZone, custom).map(
        ({ field: columnId, before, after }) => ({ key: row.key, columnId, before, after }),
      );
      deals.onCommand({ changes });
      close();
    },
  });
  const { values } = form;
  const isDirty = (Object.keys(values) as DealField[]).some(
    (name) => (values[name] ?? '') !== (start[name] ?? ''),
  );
  const isTyped = form.changed;
  // Must not delete a draft of the row that another tab has stored.
  const close = (): void => onClose(draft || isTyped ? name : null);
  const store = useEffectEvent(onType);
  useEffect(() => {
    if (isTyped) store({ key: name, opened, values, timeZone });
  }, [isTyped, name, opened, values, timeZone]);
  const text = (field: EditedField) => ({
    label: columns[field],
    ...form.text(field),
  });
  /** The visible fields of a type, in rows by type. */
  const typed = (type: FieldType): EditedField[] =>
    editedFields.filter((field) => fieldOf(field).type === type && has(field));
  const control = (field: EditedField): ReactNode => (
    <ValueInput key={field} type={fieldOf(field).type} {...text(field)} {...form.value(field)} />
  );

  return (
    <FormModal
      title={row.deal === null ? texts.addDeal : rowName(row)}
      form={form}
      submitLabel={texts.saveDeal}
      isUnsaved={isDirty}
      onClose={close}
    >
      {draft && !isTyped && <p>{texts.formKept}</p>}
      {has('customerName') && <TextInput withAsterisk {...text('customerName')} />}
      {has('dealershipId') && (
        <Select
          withAsterisk
          searchable
          label={columns.dealershipId}
          data={namedChoices(options?.dealerships.filter(({ active }) => active))}
          {...form.choice('dealershipId')}
        />
      )}
      {has('status') && (
        <Select
          label={columns.status}
          placeholder={options?.statuses.find(({ isDefault }) => isDefault)?.name ?? ''}
          data={(options?.statuses ?? []).filter(({ active }) => active).map(({ name }) => name)}
          {...form.choice('status')}
        />
      )}
      {typed('phone').map(control)}
      {typed('email').map(control)}
      <FormRow>
        {typed('text')
          .filter((field) => field !== 'customerName')
          .map(control)}
      </FormRow>
      {has('items') && (
        <Input.Wrapper label={columns.items} labelElement="div">
          <Button
            variant="default"
            fullWidth
            justify="start"
            aria-label={`${columns.items}: ${formatItems(form.values.items) || itemTexts.choose}`}
            onClick={() => setChoosing(true)}
          >
            {formatItems(form.values.items) || itemTexts.choose}
          </Button>
        </Input.Wrapper>
      )}
      {choosing && (
        <DealItems
          row={row}
          customer={form.values.customerName}
          value={form.values.items}
          offered={options?.items ?? []}
          onSave={(value) => form.set('items', value ?? '')}
          onClose={() => setChoosing(false)}
        />
      )}
      <FormRow>{typed('currency').map(control)}</FormRow>
      <FormRow>{[...typed('date'), ...typed('time')].map(control)}</FormRow>
      {typed('longText').map(control)}
      <CustomControls controls={custom} form={form} people={options?.people ?? []} />
    </FormModal>
  );
}

type CustomControlsProps = {
  controls: readonly CustomControl[];
  form: ReturnType<typeof useForm<DealFormValues>>;
  people: DealOptions['people'];
};

/** The custom fields in the form of a row, each with the control of its type. */
function CustomControls({ controls, ...rest }: CustomControlsProps): ReactNode {
  return controls.map((control) => <Control key={control.field.key} {...control} {...rest} />);
}

type ControlProps = CustomControl & Omit<CustomControlsProps, 'controls'>;

function Control({ field, column, form, people }: ControlProps): ReactNode {
  const { key, name, type, help, options, isRequired, editable } = field;
  const readOnly = !editable;
  const value = form.values[key] ?? '';
  const set = (text: string | null): void => form.set(key, text ?? '');
  const initial = defaultCell(field);
  const shared = {
    name: key,
    label: name,
    description:
      [help, !editable && customTexts.administratorsOnly(name)].filter(Boolean).join(' ') || undefined,
    error: form.errors[key],
    readOnly,
    withAsterisk: isRequired,
    // Without a default the control has its own placeholder.
    ...(initial !== null && { placeholder: column.toText?.(initial) || String(initial) }),
  };
  if (type === 'checkbox') {
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
  if (type === 'multiSelect') {
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
  if (type !== 'select' && type !== 'person')
    return <ValueInput type={type} {...shared} value={value} onChange={set} />;
  const isFormer = type === 'person' && value !== '' && !people.some(({ _id }) => _id === value);
  const choices = type === 'person' ? namedChoices(people) : optionChoices(options, [value]);
  return (
    <Select
      {...shared}
      searchable
      clearable={!isRequired && !readOnly}
      data={[...choices, ...(isFormer ? [{ value, label: column.toText?.(value) ?? '' }] : [])]}
      value={value || null}
      onChange={set}
    />
  );
}

/** The keyboard of a phone, by type of field. */
const INPUTS: { readonly [type in FieldType]?: ComponentProps<typeof TextInput> } = {
  phone: { type: 'tel' },
  email: { type: 'email' },
  link: { type: 'url' },
  number: { inputMode: 'decimal' },
  currency: { inputMode: 'decimal' },
  percent: { inputMode: 'decimal' },
};

type ValueInputProps = Pick<
  ComponentProps<typeof DayField>,
  | 'name'
  | 'label'
  | 'description'
  | 'placeholder'
  | 'error'
  | 'readOnly'
  | 'withAsterisk'
  | 'value'
  | 'onChange'
> & { type: FieldType };

/** The control of a field that is typed. */
function ValueInput({ type, onChange, ...rest }: ValueInputProps): ReactNode {
  if (type === 'date' || type === 'time')
    return <DayField precision={type === 'date' ? 'day' : 'minute'} onChange={onChange} {...rest} />;
  const props = {
    ...rest,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (type === 'longText') return <Textarea autosize minRows={3} {...props} />;
  return <TextInput {...INPUTS[type]} {...props} />;
}
