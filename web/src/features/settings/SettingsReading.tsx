import type { Setting } from '@forecourt/contract/settings';
import type { ReactNode } from 'react';
import { texts } from '../../texts/settings.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { formatSetting, sections, type Section, type SettingName } from './settings-values.ts';
import styles from './GeneralSettingsScreen.module.css';

/** The effective settings, read-only. */
export function SettingsReading({ settings }: { settings: readonly Setting[] }): ReactNode {
  return (Object.keys(sections) as Section[]).map((section) => (
    <section key={section} className="ui-card" aria-label={texts.sections[section]}>
      <header className="ui-head">
        <h2>{texts.sections[section]}</h2>
        <p className="ui-quiet ui-mt-1">{texts.sectionNotes[section]}</p>
      </header>
      <dl>
        {settings
          .filter(({ category }) => category === section)
          .map(({ settingName, value, inherited }) => (
            <div key={settingName} className={`ui-row ui-gap-4 ui-between ${styles.value}`}>
              <dt>
                {texts.labels[settingName as SettingName]}
                <span className="ui-sub">{texts.hints[settingName as SettingName]}</span>
              </dt>
              <dd className="ui-line">
                <strong>{formatSetting(value)}</strong>
                {!inherited && <StatusBadge tone="accent">{texts.own}</StatusBadge>}
                {inherited && value !== null && <StatusBadge>{texts.inherited}</StatusBadge>}
              </dd>
            </div>
          ))}
      </dl>
    </section>
  ));
}
