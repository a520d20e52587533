import type { Setting } from '@forecourt/contract/settings';
import type { ReactNode } from 'react';
import { texts } from '../../texts/settings.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { inWords, sections, type Section, type SettingName } from './settings-values.ts';
import styles from './GeneralSettingsScreen.module.css';

/** The effective settings, read-only. */
export function SettingsReading({ settings }: { settings: readonly Setting[] }): ReactNode {
  return (Object.keys(sections) as Section[]).map((section) => (
    <section key={section} className={styles.card} aria-label={texts.sections[section]}>
      <header className={styles.head}>
        <h2 className={styles.title}>{texts.sections[section]}</h2>
        <p className={styles.note}>{texts.sectionNotes[section]}</p>
      </header>
      <dl className={styles.values}>
        {settings
          .filter(({ category }) => category === section)
          .map(({ settingName, value, inherited }) => (
            <div key={settingName} className={styles.value}>
              <dt>
                {texts.labels[settingName as SettingName]}
                <span className={styles.hint}>{texts.hints[settingName as SettingName]}</span>
              </dt>
              <dd>
                <strong>{inWords(value)}</strong>
                {!inherited && <StatusBadge tone="accent">{texts.own}</StatusBadge>}
                {inherited && value !== null && <StatusBadge>{texts.inherited}</StatusBadge>}
              </dd>
            </div>
          ))}
      </dl>
    </section>
  ));
}
