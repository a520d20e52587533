import type { Setting } from '@forecourt/contract/settings';
import { Button, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/settings.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { fieldOf, formatSetting, type SettingField, type SettingName } from './settings-values.ts';
import type { SettingsSection } from './use-settings-section.ts';
import styles from './GeneralSettingsScreen.module.css';

type FieldProps = {
  name: SettingName;
  form: SettingsSection['form'];
  /** The inherited settings; undefined: the form is the company's. */
  defaults: readonly Setting[] | undefined;
};

/** A percentage from 0 to 100 in steps of 0.01 (docs/product/settings.md, Known settings). Typing overrides the default. */
export function PercentField({ name, form, defaults }: FieldProps): ReactNode {
  const field = form.values[name];
  if (!field || typeof field.value === 'boolean') return null;
  return (
    <TextInput
      label={texts.labels[name]}
      description={texts.hints[name]}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      inputMode="decimal"
      placeholder={texts.missing}
      rightSection="%"
      rightSectionPointerEvents="none"
      value={field.value}
      error={form.errors[name]}
      onChange={({ currentTarget: { value } }) => form.set(name, { own: true, value })}
      inputContainer={(input) => (
        <div className={styles.setting}>
          {input}
          <Source name={name} field={field} form={form} defaults={defaults} />
        </div>
      )}
    />
  );
}

/** A switch. Switching overrides the default. */
export function SwitchField({ name, form, defaults }: FieldProps): ReactNode {
  const field = form.values[name];
  if (!field) return null;
  return (
    <div>
      <Switch
        label={texts.labels[name]}
        description={texts.hints[name]}
        checked={field.value === true}
        onChange={(event) => form.set(name, { own: true, value: event.currentTarget.checked })}
      />
      <Source name={name} field={field} form={form} defaults={defaults} />
    </div>
  );
}

/** The source of the value, and a button to restore the company's. */
function Source({ name, field, form, defaults }: FieldProps & { field: SettingField }): ReactNode {
  const byDefault = defaults?.find(({ settingName }) => settingName === name);
  if (!byDefault) {
    return (
      <div className="ui-row ui-quiet">
        {!field.own && <StatusBadge tone="warn">{texts.missing}</StatusBadge>}
      </div>
    );
  }
  if (!field.own) {
    return (
      <div className="ui-row ui-quiet">
        {byDefault.value === null ? (
          <StatusBadge tone="warn">{texts.missing}</StatusBadge>
        ) : (
          <StatusBadge>{texts.inherited}</StatusBadge>
        )}
      </div>
    );
  }
  return (
    <div className="ui-row ui-quiet">
      <StatusBadge tone="accent">{texts.own}</StatusBadge>
      <span>{texts.defaultIs(formatSetting(byDefault.value))}</span>
      <Button
        variant="subtle"
        size="compact-xs"
        aria-label={texts.toDefaultOf(texts.labels[name])}
        onClick={() => form.set(name, fieldOf(byDefault, false))}
      >
        {texts.toDefault}
      </Button>
    </div>
  );
}
