import type { Setting } from '@forecourt/contract/settings';
import { useState } from 'react';
import { ApiError, messageOf } from '../../platform/api-error.ts';
import { toastDone } from '../../ui/toasts.ts';
import { useConflict } from '../../ui/use-conflict.ts';
import { useForm } from '../../ui/use-form.ts';
import {
  changesOf,
  comparedFields,
  failureOf,
  settingErrors,
  valuesOf,
  type Section,
  type SettingName,
  type SettingValues,
} from './settings-values.ts';
import { useReloadSettings, writeSetting } from './settings.queries.ts';

type SectionOptions = {
  section: Section;
  /** A person's id or `company`. */
  owner: string;
  /** What holds for them now. */
  settings: readonly Setting[];
  savedMessage: string;
};

export type SettingsSection = ReturnType<typeof useSettingsSection>;

/** The form of one section of somebody's settings: what is typed, what of it is not saved yet, and saving it. */
export function useSettingsSection({ section, owner, settings, savedMessage }: SectionOptions) {
  const reload = useReloadSettings();
  const [saved, setSaved] = useState(settings);
  /** Why the last save failed; null: it did not. */
  const [failure, setFailure] = useState<string | null>(null);

  const form = useForm<SettingValues>({
    initial: valuesOf(saved, section),
    validate: settingErrors,
    submit: async (values) => {
      setFailure(null);
      const failed = await writeAll();
      const fresh = await reload(owner).catch(() => undefined);
      if (failed?.thrown instanceof ApiError && failed.thrown.code === 'CONFLICT' && fresh) {
        conflict.meet(base, fresh, values);
        return;
      }
      if (fresh) {
        conflict.clear();
        setSaved(fresh);
      }
      if (failed) setFailure(failed.words);
      else {
        if (fresh) fill(fresh);
        toastDone(savedMessage);
      }
    },
  });

  const fill = (from: readonly Setting[]): void => {
    for (const [name, field] of Object.entries(valuesOf(from, section))) form.set(name as SettingName, field);
  };

  const conflict = useConflict<readonly Setting[], SettingValues>({
    fields: comparedFields(section),
    valuesOf: (record) => valuesOf(record, section),
    put: (name, theirs) => form.set(name, theirs[name]),
  });
  // What the next save is a change of.
  const base = conflict.record ?? saved;
  const changes = changesOf(base, form.values);
  const isDirty = changes.length > 0;

  // What somebody else changed shows at once where nothing is typed, and else when this is saved.
  if (!isDirty && !form.busy && settings !== saved) {
    setSaved(settings);
    fill(settings);
    conflict.clear();
  }

  /** One after the other until one fails. */
  async function writeAll(): Promise<{ thrown: unknown; words: string } | undefined> {
    for (const change of changes) {
      try {
        await writeSetting(owner, change);
      } catch (thrown) {
        return { thrown, words: messageOf(thrown, failureOf(change)) };
      }
    }
    return undefined;
  }

  return {
    form,
    conflict,
    failure,
    isDirty,
    discard: (): void => {
      setFailure(null);
      conflict.clear();
      fill(settings);
    },
  };
}
