import type { Setting } from '@forecourt/contract/settings';
import { Button, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/settings.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { ConflictNotice } from '../../ui/ConflictNotice.tsx';
import { FormMessage } from '../../ui/FormMessage.tsx';
import { LeaveWarning } from '../../ui/LeaveWarning.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import {
  sections,
  type Section,
  fieldOf,
  formatSetting,
  type SettingField,
  type SettingName,
} from './settings-values.ts';
import { useSettingsSection, type SettingsSection } from './use-settings-section.ts';
import styles from './GeneralSettingsScreen.module.css';

type SettingsFormProps = {
  owner: string;
  who: 'mine' | 'company' | 'user';
  name: string;
  settings: readonly Setting[];
  company: readonly Setting[];
};

/** The sections of an owner's settings, saved separately. Must be mounted again for another owner. */
export function SettingsForm({ owner, who, name, settings, company }: SettingsFormProps): ReactNode {
  const savedMessage = (section: Section): string => texts.saved[who](texts.sections[section], name);
  const of = (section: Section) => ({ section, owner, settings, savedMessage: savedMessage(section) });
  const commission = useSettingsSection(of('commission'));
  const dataEntry = useSettingsSection(of('dataEntry'));
  const statements = useSettingsSection(of('statements'));
  const defaults = who === 'company' ? undefined : company;

  return (
    <>
      <p className="ui-muted">{who === 'user' ? texts.about.user(name) : texts.about[who]}</p>
      <SettingsCard section="commission" state={commission}>
        {sections.commission.map((setting) => (
          <PercentField key={setting} name={setting} form={commission.form} defaults={defaults} />
        ))}
      </SettingsCard>
      <SettingsCard section="dataEntry" state={dataEntry}>
        {sections.dataEntry.map((setting) => (
          <SwitchField key={setting} name={setting} form={dataEntry.form} defaults={defaults} />
        ))}
      </SettingsCard>
      {who === 'company' && (
        <SettingsCard section="statements" state={statements}>
          {sections.statements.map((setting) => (
            <PercentField key={setting} name={setting} form={statements.form} defaults={defaults} />
          ))}
        </SettingsCard>
      )}
      <LeaveWarning
        when={commission.isDirty || dataEntry.isDirty || statements.isDirty}
        title={texts.leaveTitle}
        confirmLabel={texts.leave}
      >
        {texts.leaveQuestion}
      </LeaveWarning>
    </>
  );
}

type SettingsCardProps = { section: Section; state: SettingsSection; children: ReactNode };

function SettingsCard({ section, state, children }: SettingsCardProps): ReactNode {
  const { form, failure, isDirty, discard } = state;
  const title = texts.sections[section];
  return (
    <form className="ui-card" onSubmit={form.onSubmit} noValidate aria-label={title}>
      <header className="ui-head">
        <h2>{title}</h2>
        <p className="ui-quiet ui-mt-1">{texts.sectionNotes[section]}</p>
      </header>
      <div className="ui-stack ui-pad">
        {failure !== null && <FormMessage text={texts.saveFailed[section]} note={failure} />}
        {form.conflict.changes && (
          <ConflictNotice changes={form.conflict.changes} onTake={form.conflict.take} />
        )}
        {children}
      </div>
      <footer className="ui-line ui-end ui-foot ui-stays">
        <span className="ui-quiet ui-pull" role="status">
          {isDirty && texts.unsaved}
        </span>
        <ActionButton
          variant="default"
          ability={(isDirty && !form.busy) || texts.unchanged}
          aria-label={texts.discardOf(title)}
          onClick={discard}
        >
          {texts.discard}
        </ActionButton>
        <ActionButton
          type="submit"
          ability={isDirty || texts.unchanged}
          loading={form.busy}
          aria-label={texts.saveOf(title)}
        >
          {texts.save}
        </ActionButton>
      </footer>
    </form>
  );
}

type FieldProps = {
  name: SettingName;
  form: SettingsSection['form'];
  /** The inherited settings; undefined in the form of the company. */
  defaults: readonly Setting[] | undefined;
};

/** Percent in steps of 0.01 (docs/product/settings.md, Known settings). Typing overrides the default. */
function PercentField({ name, form, defaults }: FieldProps): ReactNode {
  const field = form.values[name];
  if (!field || typeof field.value === 'boolean') return null;
  return (
    <TextInput
      label={texts.labels[name]}
      description={texts.hints[name]}
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

/** Switching overrides the default. */
function SwitchField({ name, form, defaults }: FieldProps): ReactNode {
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

/** Shows where the value comes from, with a button that restores the company's. */
function Source({ name, field, form, defaults }: FieldProps & { field: SettingField }): ReactNode {
  const byDefault = defaults?.find(({ settingName }) => settingName === name);
  if (!byDefault || !field.own) {
    const isSet = byDefault
      ? byDefault.value !== null
      : typeof field.value === 'string' && field.value !== '';
    const setText = byDefault ? texts.inherited : texts.productDefault;
    return (
      <div className="ui-row ui-quiet">
        {!field.own && (
          <StatusBadge tone={isSet ? 'neutral' : 'warn'}>{isSet ? setText : texts.missing}</StatusBadge>
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
        onClick={({ currentTarget }) => {
          // The button is unmounted, so the focus moves to the field.
          currentTarget.parentElement?.parentElement?.querySelector('input')?.focus();
          form.set(name, fieldOf(byDefault, false));
        }}
      >
        {texts.toDefault}
      </Button>
    </div>
  );
}
