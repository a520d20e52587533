import type { Setting } from '@forecourt/contract/settings';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/settings.ts';
import { Notice } from '../../ui/Notice.tsx';
import { toastDone, toastFailed } from '../../ui/toasts.ts';
import type { SettingName } from './settings-values.ts';
import { useInitializeSettings } from './settings.queries.ts';

/** Shows the company settings without a value, and their defaults. The product's defaults can be saved; rates have none. */
export function MissingDefaults({ company }: { company: readonly Setting[] }): ReactNode {
  const { mutateAsync, isPending } = useInitializeSettings();
  const missing = company.filter(({ inherited }) => inherited);
  const named = (settings: readonly Setting[]): string =>
    settings.map(({ settingName }) => texts.labels[settingName as SettingName]).join(', ');
  const rates = missing.filter(({ value }) => value === null);
  const others = missing.filter(({ value }) => value !== null);
  if (missing.length === 0) return null;

  const initialize = async (): Promise<void> => {
    try {
      await mutateAsync();
      toastDone(texts.initialized);
    } catch (thrown) {
      toastFailed(thrown, texts.initializeFailed);
    }
  };
  return (
    <Notice
      action={
        others.length > 0 && (
          <Button variant="default" loading={isPending} onClick={() => void initialize()}>
            {texts.initialize}
          </Button>
        )
      }
    >
      {rates.length > 0 && <p>{texts.missingRates(named(rates))}</p>}
      {others.length > 0 && <p>{texts.missingOthers(named(others))}</p>}
    </Notice>
  );
}
