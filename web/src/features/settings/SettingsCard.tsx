import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/settings.ts';
import { ConflictNotice } from '../../ui/ConflictNotice.tsx';
import { FormMessage } from '../../ui/FormMessage.tsx';
import type { Section } from './settings-values.ts';
import type { SettingsSection } from './use-settings-section.ts';

type SettingsCardProps = { section: Section; state: SettingsSection; children: ReactNode };

/** One section with its own Save button. */
export function SettingsCard({ section, state, children }: SettingsCardProps): ReactNode {
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
      <footer className="ui-line ui-end ui-foot">
        <span className="ui-quiet ui-pull" role="status">
          {isDirty && texts.unsaved}
        </span>
        <Button
          variant="default"
          disabled={!isDirty || form.busy}
          aria-label={texts.discardOf(title)}
          onClick={discard}
        >
          {texts.discard}
        </Button>
        <Button type="submit" disabled={!isDirty} loading={form.busy} aria-label={texts.saveOf(title)}>
          {texts.save}
        </Button>
      </footer>
    </form>
  );
}
