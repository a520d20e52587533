import { isCustomLink } from '@forecourt/contract/custom-field-types';
import type { TemplateVariable, LinkedData } from '@forecourt/contract/email-templates';
import { fixedLinks, linkNames } from '@forecourt/contract/variable-links';
import { Button, UnstyledButton, Menu, Select, Switch, TextInput } from '@mantine/core';
import Pencil from 'lucide-react/icons/pencil';
import Plus from 'lucide-react/icons/plus';
import Trash2 from 'lucide-react/icons/trash-2';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useState, type ReactNode, Fragment, type ChangeEvent } from 'react';
import { texts } from '../../../texts/email-templates.ts';
import { IconAction } from '../../../ui/ActionButton.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { descriptionBelow, FormModal, FormRow } from '../../../ui/FormModal.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { useRecordForm } from '../../../ui/use-record-form.ts';
import {
  variableForKey,
  categoryOf,
  customLink,
  undeclaredFields,
  useCustomFields,
} from './variable-catalogue.ts';
import { keyFromLabel } from './variable-keys.ts';
import styles from './VariablesPanel.module.css';

type VariablesPanelProps = {
  variables: readonly TemplateVariable[];
  /** Number of occurrences of each key in subject and body. */
  counts: ReadonlyMap<string, number>;
  readOnly: boolean;
  onInsert: (variable: TemplateVariable) => void;
  onChange: (variables: readonly TemplateVariable[]) => void;
  /** Called when the key of a variable changes, to rename it in the text. */
  onRename: (from: string, to: string) => void;
};

/** The open dialog; `variable` is undefined for a new one. */
type Open =
  | { kind: 'form'; variable: TemplateVariable | undefined }
  | { kind: 'remove'; variable: TemplateVariable };

/** The variables of a template, and undeclared ones in the text. */
export function VariablesPanel(props: VariablesPanelProps): ReactNode {
  const { variables, counts, readOnly, onInsert, onChange, onRename } = props;
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const declared = new Set(variables.map(({ key }) => key));
  const unknown = [...counts.keys()].filter((key) => !declared.has(key));

  const save = (old: TemplateVariable | undefined, changed: TemplateVariable): void => {
    if (old === undefined) onChange([...variables, changed]);
    else {
      onChange(variables.map((variable) => (variable === old ? changed : variable)));
      if (old.key !== changed.key) onRename(old.key, changed.key);
    }
    close();
  };

  return (
    <section className="ui-card ui-pad" aria-labelledby="template-variables">
      <header className="ui-line ui-gap-0 ui-between">
        <h2 id="template-variables" className="ui-title">
          {texts.variables}
        </h2>
        {!readOnly && (
          <AddVariable
            declared={variables}
            onAdd={(variable) => onChange([...variables, variable])}
            onCustom={() => setOpen({ kind: 'form', variable: undefined })}
          />
        )}
      </header>
      <p className="ui-quiet ui-mt-1 ui-mb-2">{noteFor(variables.length, readOnly)}</p>
      <ul>
        {variables.map((variable) => (
          <VariableRow
            key={variable.key}
            variable={variable}
            count={counts.get(variable.key) ?? 0}
            readOnly={readOnly}
            onInsert={() => onInsert(variable)}
            onEdit={() => setOpen({ kind: 'form', variable })}
            onRemove={() => setOpen({ kind: 'remove', variable })}
          />
        ))}
      </ul>
      {unknown.length > 0 && (
        <UnknownKeys
          keys={unknown}
          readOnly={readOnly}
          onDeclare={(key) => onChange([...variables, variableForKey(key)])}
        />
      )}
      {open?.kind === 'form' && (
        <VariableForm
          variable={open.variable}
          taken={variables.filter((variable) => variable !== open.variable).map(({ key }) => key)}
          onSave={(changed) => save(open.variable, changed)}
          onClose={close}
        />
      )}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          title={texts.removeTitle}
          confirmLabel={texts.remove}
          destructive
          onConfirm={async () => onChange(variables.filter((variable) => variable !== open.variable))}
          onClose={close}
        >
          {counts.has(open.variable.key)
            ? texts.removeUsed(open.variable.label, counts.get(open.variable.key) ?? 0)
            : texts.removeUnused(open.variable.label)}
        </ConfirmDialog>
      )}
    </section>
  );
}

function noteFor(count: number, readOnly: boolean): string {
  if (readOnly) return texts.variablesReadOnly;
  return count === 0 ? texts.noVariables : texts.variablesNote;
}

type VariableRowProps = {
  variable: TemplateVariable;
  count: number;
  readOnly: boolean;
  onInsert: () => void;
  onEdit: () => void;
  onRemove: () => void;
};

function VariableRow({ variable, count, readOnly, onInsert, onEdit, onRemove }: VariableRowProps): ReactNode {
  const { key, label, required, description } = variable;
  return (
    <li className={`ui-line ui-gap-0 ${styles.row}`}>
      <Tooltip label={description} disabled={description === ''}>
        <UnstyledButton
          className={`ui-stack ui-gap-0 ${styles.insert}`}
          disabled={readOnly}
          onClick={onInsert}
        >
          <span className="ui-strong">
            <span className="ui-hidden">{texts.insert} </span>
            {label}
          </span>
          <span className="ui-line ui-quiet ui-nowrap">
            <span className="ui-quiet ui-ellipsis">{`{{${key}}}`}</span>
            {count === 0 ? texts.unused : texts.usedTimes(count)}
            {required && ` · ${texts.requiredShort}`}
          </span>
        </UnstyledButton>
      </Tooltip>
      {!readOnly && (
        <span className={styles.buttons}>
          <IconAction label={texts.editNamed(label)} icon={Pencil} onClick={onEdit} />
          <IconAction label={texts.removeNamed(label)} icon={Trash2} onClick={onRemove} />
        </span>
      )}
    </li>
  );
}

type UnknownKeysProps = { keys: readonly string[]; readOnly: boolean; onDeclare: (key: string) => void };

function UnknownKeys({ keys, readOnly, onDeclare }: UnknownKeysProps): ReactNode {
  return (
    <div className="ui-box ui-bad ui-mt-3" role="status">
      <p className="ui-line ui-bold">
        <TriangleAlert /> {texts.unknownTitle}
      </p>
      <p className="ui-small ui-mt-1 ui-mb-2">{texts.unknownNote}</p>
      {keys.map((key) => (
        <div key={key} className="ui-line ui-between ui-anywhere">
          <code>{`{{${key}}}`}</code>
          {!readOnly && (
            <Button
              variant="default"
              size="compact-xs"
              aria-label={texts.declareNamed(key)}
              onClick={() => onDeclare(key)}
            >
              {texts.declare}
            </Button>
          )}
        </div>
      ))}
    </div>
  );
}

type AddVariableProps = {
  declared: readonly TemplateVariable[];
  onAdd: (variable: TemplateVariable) => void;
  onCustom: () => void;
};

/** A menu of the fields that a variable can be linked to, by group, and a custom variable. */
function AddVariable({ declared, onAdd, onCustom }: AddVariableProps): ReactNode {
  const offered = undeclaredFields(declared, useCustomFields());
  const groups = [...Map.groupBy(offered, ({ category }) => category)];
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button variant="default" size="compact-sm" leftSection={<Plus size={14} />}>
          {texts.addVariable}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className="ui-scroll">
        {groups.length === 0 && <Menu.Label>{texts.allAdded}</Menu.Label>}
        {groups.map(([category, variables]) => (
          <Fragment key={category}>
            <Menu.Label>{texts.categories[category]}</Menu.Label>
            {variables.map((variable) => (
              <Menu.Item key={variable.key} closeMenuOnClick={false} onClick={() => onAdd(variable)}>
                {variable.label}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={onCustom}>{texts.customVariable}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

type VariableFormProps = {
  /** Undefined for a new variable. */
  variable: TemplateVariable | undefined;
  taken: readonly string[];
  onSave: (variable: TemplateVariable) => void;
  onClose: () => void;
};

const groupedFields = [...Map.groupBy(fixedLinks, categoryOf)].map(([category, fields]) => ({
  category,
  group: texts.categories[category],
  items: fields.map((field): { value: string; label: string } => ({
    value: field,
    label: linkNames[field],
  })),
}));

const fieldNamed = (name: string): LinkedData | null =>
  isCustomLink(name) ? name : (fixedLinks.find((field) => field === name) ?? null);

/** Changes a variable of the form only: it is saved with the template. */
function VariableForm({ variable, taken, onSave, onClose }: VariableFormProps): ReactNode {
  // The key of a new variable is derived from its label until the user types a key.
  const [keyFollows, setKeyFollows] = useState(variable === undefined);
  const form = useRecordForm({
    record: variable,
    valuesOf: (variable) => ({
      label: variable?.label ?? '',
      key: variable?.key ?? '',
      linkedData: variable?.linkedData ?? '',
      defaultValue: variable?.defaultValue ?? '',
      description: variable?.description ?? '',
      required: variable?.required ?? false,
    }),
    inputOf: (values): TemplateVariable => {
      const linkedData = fieldNamed(values.linkedData);
      return { ...values, label: values.label.trim(), linkedData, category: categoryOf(linkedData) };
    },
    schema: 'templateVariable',
    validate: ({ label, key }) => ({
      ...(label.trim() === '' && { label: texts.labelRequired }),
      ...(taken.includes(key) && { key: texts.keyTaken }),
    }),
    save: async (input) => onSave(input),
  });

  const customFields = useCustomFields().map(({ key: field, name }) => ({
    value: customLink(field),
    label: name,
  }));
  const { linkedData } = form.values;
  // The field is retired or hidden from the user.
  const notInUse =
    isCustomLink(linkedData) && customFields.every(({ value }) => value !== linkedData)
      ? [{ value: linkedData, label: texts.unknownField }]
      : [];

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
          {...descriptionBelow}
          {...key}
        />
      </FormRow>
      <Select
        label={texts.linkedField}
        placeholder={texts.nothingLinked}
        clearable
        searchable
        data={groupedFields.map(({ category, group, items }) => ({
          group,
          items: category === 'deal' ? [...items, ...customFields, ...notInUse] : items,
        }))}
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
