import { customFieldTypes, hasOptions, type CustomFieldType } from '@forecourt/contract/custom-field-types';
import type { CustomField } from '@forecourt/contract/custom-fields';
import { MultiSelect, Select, Switch, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/custom-fields.ts';
import { DayField } from '../../ui/DayField.tsx';
import { descriptionBelow, FormModal, FormRow } from '../../ui/FormModal.tsx';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { useSaveCustomField } from './custom-fields.queries.ts';
import {
  comparedFields,
  fieldErrors,
  inputOf,
  sentOptions,
  valuesOf,
  withType,
  type FieldValues,
} from './field-values.ts';
import { OptionList } from './OptionList.tsx';

type CustomFieldFormProps = {
  /** Undefined for a new field. */
  field: CustomField | undefined;
  onClose: () => void;
};

const audiences = (['everybody', 'administrators'] as const).map((value) => ({
  value,
  label: texts.audiences[value],
}));
export function CustomFieldForm({ field, onClose }: CustomFieldFormProps): ReactNode {
  const { mutateAsync } = useSaveCustomField();

  const form = useRecordForm({
    record: field,
    valuesOf,
    inputOf,
    schema: 'customField',
    validate: fieldErrors,
    fields: comparedFields,
    failed: texts.saveFailed,
    send: (input, idempotencyKey) => mutateAsync({ id: field?._id, input, idempotencyKey }),
    sent: field ? texts.updated : texts.created,
    onClose,
  });
  const { values } = form;
  const { type, visibleTo } = values;
  const isCheckbox = type === 'checkbox';
  const setAudience = (name: 'visibleTo' | 'editableBy') => (value: string | null) =>
    form.set(name, value as CustomField['visibleTo']);

  return (
    <FormModal title={field ? texts.edit : texts.add} form={form} isUnsaved={form.changed} onClose={onClose}>
      <TextInput label={texts.name} withAsterisk data-autofocus {...form.text('name')} />
      <Select
        label={texts.type}
        description={field ? texts.typeNotes[type] : `${texts.typeNotes[type]} ${texts.typeStays}`}
        {...descriptionBelow}
        data={customFieldTypes.map((value) => ({ value, label: texts.types[value] }))}
        disabled={field !== undefined}
        {...form.choice('type')}
        onChange={(value) => form.putAll(withType(values, value as CustomFieldType))}
      />
      {hasOptions(type) && (
        <OptionList
          options={values.options}
          errors={form.errors}
          onChange={(options) => form.set('options', options)}
        />
      )}
      <TextInput
        label={texts.help}
        description={texts.helpHint}
        {...descriptionBelow}
        {...form.text('help')}
      />
      <DefaultField
        values={values}
        error={form.errors['defaultValue']}
        onChange={(next) => form.set('defaultValue', next)}
      />
      <Switch
        label={texts.required}
        description={isCheckbox ? texts.checkboxRequired : texts.requiredHint}
        disabled={isCheckbox}
        {...form.check('isRequired')}
      />
      <FormRow>
        <Select
          label={texts.visibleTo}
          description={texts.visibleHint}
          {...descriptionBelow}
          data={audiences}
          {...form.choice('visibleTo')}
          onChange={setAudience('visibleTo')}
        />
        <Select
          label={texts.editableBy}
          description={texts.editableHint}
          {...descriptionBelow}
          data={audiences}
          disabled={visibleTo === 'administrators'}
          {...form.choice('editableBy')}
          {...(visibleTo === 'administrators' && { value: visibleTo })}
          onChange={setAudience('editableBy')}
        />
      </FormRow>
    </FormModal>
  );
}

type DefaultFieldProps = {
  values: FieldValues;
  error: string | undefined;
  onChange: (value: readonly string[]) => void;
};

/** The value of new rows, with the editor of the type. Fields of people have none. */
function DefaultField({ values, error, onChange }: DefaultFieldProps): ReactNode {
  const { type, defaultValue } = values;
  const [value = ''] = defaultValue;
  const set = (text: string | null): void => onChange(text ? [text] : []);
  const shared = {
    label: texts.default,
    description: texts.defaultHint,
    ...descriptionBelow,
    error,
  };
  const options = sentOptions(values)
    .filter(({ key, active }) => active || defaultValue.includes(key))
    .map(({ key, name }) => ({ value: key, label: name }));
  switch (type) {
    case 'person':
      return null;
    case 'checkbox':
      return (
        <Switch
          label={texts.defaultTicked}
          checked={value !== ''}
          error={error}
          onChange={({ currentTarget: { checked } }) => set(checked ? 'true' : null)}
        />
      );
    case 'select':
      return (
        <Select
          {...shared}
          placeholder={texts.noDefault}
          clearable
          data={options}
          value={value || null}
          onChange={set}
        />
      );
    case 'multiSelect':
      return (
        <MultiSelect
          {...shared}
          placeholder={defaultValue.length === 0 ? texts.noDefault : undefined}
          data={options}
          value={[...defaultValue]}
          onChange={onChange}
        />
      );
    case 'date':
      return <DayField {...shared} value={value} onChange={set} />;
    case 'longText':
      return (
        <Textarea
          {...shared}
          autosize
          minRows={2}
          maxRows={6}
          value={value}
          onChange={(event) => set(event.currentTarget.value)}
        />
      );
    case 'text':
    case 'link':
    case 'number':
    case 'currency':
    case 'percent':
      break;
  }
  return (
    <TextInput
      {...shared}
      {...(type === 'currency' && { leftSection: '$' })}
      {...(type === 'percent' && { rightSection: '%' })}
      {...(type !== 'text' && type !== 'link' && { inputMode: 'decimal' })}
      {...(type === 'link' && { inputMode: 'url' })}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
    />
  );
}
