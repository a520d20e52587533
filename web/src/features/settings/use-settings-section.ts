import type { Setting } from '@forecourt/contract/settings';
import { useState } from 'react';
import { ApiError, messageOf } from '../../platform/api-error.ts';
import { toastDone } from '../../ui/toasts.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import {
  changesOf,
  comparedFields,
  failureOf,
  settingErrors,
  valuesOf,
  type Section,
} from './settings-values.ts';
import { useReloadSettings, writeSetting } from './settings.queries.ts';

type SectionOptions = {
  section: Section;
  owner: string;
  settings: readonly Setting[];
  savedMessage: string;
};

export type SettingsSection = ReturnType<typeof useSettingsSection>;

/** The form of one section of a user's or the company's settings. */
export function useSettingsSection({ section, owner, settings, savedMessage }: SectionOptions) {
  const reload = useReloadSettings();
  /** Why the last save failed; null if it did not. */
  const [failure, setFailure] = useState<string | null>(null);

  const form = useRecordForm({
    record: settings,
    valuesOf: (from) => valuesOf(from, section),
    fields: comparedFields(section),
    validate: settingErrors,
    submit: async () => {
      setFailure(null);
      const failed = await writeAll();
      const fresh = await reload(owner).catch(() => undefined);
      if (failed) {
        const isConflict = failed.thrown instanceof ApiError && failed.thrown.code === 'CONFLICT';
        if (fresh) form.meet(fresh, isConflict);
        if (!isConflict || !fresh) setFailure(failed.message);
        return undefined;
      }
      toastDone(savedMessage);
      if (!fresh) return undefined;
      form.rebase(fresh);
      return valuesOf(fresh, section);
    },
  });
  const changes = changesOf(form.base, form.values);
  const isDirty = changes.length > 0;

  // Another user's change replaces an unchanged form at once, otherwise after the next save.
  const [shownSettings, setShown] = useState(settings);
  if (!isDirty && !form.busy && settings !== shownSettings) {
    setShown(settings);
    form.reset(settings);
  }

  /** Saves one setting after the other until one fails. */
  async function writeAll(): Promise<{ thrown: unknown; message: string } | undefined> {
    for (const change of changes) {
      try {
        await writeSetting(owner, change);
      } catch (thrown) {
        return { thrown, message: messageOf(thrown, failureOf(change)) };
      }
    }
    return undefined;
  }

  return {
    form,
    failure,
    isDirty,
    discard: (): void => {
      setFailure(null);
      form.reset(settings);
    },
  };
}
