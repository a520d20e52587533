import { Button } from '@mantine/core';
import Info from 'lucide-react/icons/info';
import type { ReactNode } from 'react';
import { texts } from '../../texts/settings.ts';
import { toastDone, toastFailed } from '../../ui/toasts.ts';
import { useInitializeSettings } from './settings.queries.ts';
import styles from './GeneralSettingsScreen.module.css';

/** Shown while the company has no value of its own for some settings: writes down the product's. */
export function MissingDefaults(): ReactNode {
  const { mutateAsync, isPending } = useInitializeSettings();
  const initialize = async (): Promise<void> => {
    try {
      await mutateAsync();
      toastDone(texts.initialized);
    } catch (thrown) {
      toastFailed(thrown, texts.initializeFailed);
    }
  };
  return (
    <div className={styles.notice}>
      <Info size={15} />
      <p>{texts.missingDefaults}</p>
      <Button variant="default" loading={isPending} onClick={() => void initialize()}>
        {texts.initialize}
      </Button>
    </div>
  );
}
