import type { Setting } from '@forecourt/contract/settings';
import type { ReactNode } from 'react';
import { texts } from '../../texts/settings.ts';
import { LeaveWarning } from '../../ui/LeaveWarning.tsx';
import { PercentField, SwitchField } from './SettingFields.tsx';
import { sections, type Section } from './settings-values.ts';
import { SettingsCard } from './SettingsCard.tsx';
import { useSettingsSection } from './use-settings-section.ts';

type SettingsFormProps = {
  /** A user id or `company`. */
  owner: string;
  who: 'mine' | 'company' | 'user';
  /** The user's name. */
  name: string;
  settings: readonly Setting[];
  company: readonly Setting[];
};

/** Both sections of an owner's settings, saved separately. Remount it for another owner. */
export function SettingsForm({ owner, who, name, settings, company }: SettingsFormProps): ReactNode {
  const savedMessage = (section: Section): string => texts.saved[who](texts.sections[section], name);
  const of = (section: Section) => ({ section, owner, settings, savedMessage: savedMessage(section) });
  const commission = useSettingsSection(of('commission'));
  const dataEntry = useSettingsSection(of('dataEntry'));
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
      <LeaveWarning
        when={commission.isDirty || dataEntry.isDirty}
        title={texts.leaveTitle}
        confirmLabel={texts.leave}
      >
        {texts.leaveQuestion}
      </LeaveWarning>
    </>
  );
}
