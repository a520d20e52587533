import type { LinkedData, TemplateVariable } from '@forecourt/contract/email-templates';
import { Select, Switch, TextInput } from '@mantine/core';
import { useState, type ChangeEvent, type ReactNode } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { FormModal, FormRow } from '../../../ui/FormModal.tsx';
import { schemas } from '../../../ui/schemas.ts';
import { useRecordForm } from '../../../ui/use-record-form.ts';
import { categoryOf, linkedFields } from './variable-catalogue.ts';
import { keyFromLabel } from './variable-keys.ts';

type VariableFormProps = {
  /** Undefined: a new one. */
  variable: TemplateVariable | undefined;
  /** Keys of the other variables. */
  taken: readonly string[];
  onSave: (variable: TemplateVariable) => void;
  onClose: () => void;
};

const groupedFields = [...new Set(linkedFields.map(categoryOf))].map((group) => ({
  group: texts.categories[group],
  items: linkedFields
    .filter((field) => categoryOf(field) === group)
    .map((field) => ({ value: field, label: texts.linked[field] })),
}));

const fieldNamed = (name: string): LinkedData | null => linkedFields.find((field) => field === name) ?? null;

/** One variable of a template. Nothing is sent to the server here: it is saved with the template. */
export function VariableForm({ variable, taken, onSave, onClose }: VariableFormProps): ReactNode {
  // The key of a new variable follows its label until the user types a key.
  const [keyFollows, setKeyFollows] = useState(variable === undefined);
  const form = useRecordForm({
    record: variable,
    valuesOf: (given) => ({
      label: given?.label ?? '',
      key: given?.key ?? '',
      linkedData: given?.linkedData ?? '',
      defaultValue: given?.defaultValue ?? '',
      description: given?.description ?? '',
      required: given?.required ?? false,
    }),
    inputOf: (values): TemplateVariable => {
      const linkedData = fieldNamed(values.linkedData);
      return { ...values, label: values.label.trim(), linkedData, category: categoryOf(linkedData) };
    },
    schema: schemas.templateVariable,
    validate: ({ label, key }) => ({
      ...(label.trim() === '' && { label: texts.labelRequired }),
      ...(taken.includes(key) && { key: texts.keyTaken }),
    }),
    save: async (input) => onSave(input),
  });

  const label = {
    ...form.text('label'),
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      const typed = event.currentTarget.value;
      form.set('label', typed);
      if (keyFollows) form.set('key', keyFromLabel(typed));
    },
  };
  const key = {
    ...form.text('key'),
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      setKeyFollows(false);
      form.set('key', event.currentTarget.value);
    },
  };

  return (
    <FormModal
      title={variable ? texts.editVariable : texts.newVariable}
      form={form}
      submitLabel={texts.done}
      onClose={onClose}
    >
      <FormRow>
        <TextInput label={texts.label} withAsterisk data-autofocus {...label} />
        <TextInput
          label={texts.key}
          withAsterisk
          spellCheck={false}
          description={texts.keyHint(form.values.key)}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          {...key}
        />
      </FormRow>
      <Select
        label={texts.linkedField}
        placeholder={texts.nothingLinked}
        clearable
        searchable
        data={groupedFields}
        {...form.choice('linkedData')}
      />
      <TextInput
        label={texts.defaultValue}
        description={texts.defaultValueHint}
        {...form.text('defaultValue')}
      />
      <TextInput label={texts.description} {...form.text('description')} />
      <Switch label={texts.required} description={texts.requiredHint} {...form.check('required')} />
    </FormModal>
  );
}
