import { Loader } from '@mantine/core';
import { Suspense, useSyncExternalStore, type ReactNode } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { useStore } from '../../../platform/external-store.ts';
import { lazyAfterFirstPaint } from '../../../platform/first-screen.ts';
import { texts } from '../../../texts/deals.ts';
import { SlowNotice } from '../../../ui/Loaded.tsx';
import { LoadFailed } from '../../../ui/LoadFailed.tsx';
import { useDataEntry } from '../data-entry-context.ts';
import styles from '../DataEntryScreen.module.css';

const NoRows = lazyAfterFirstPaint(() => import('./NoRows.tsx'));

/**
 * Replaces rows by a loading state, an error, or the next step.
 * @param isFilterKnown whether the filter was checked for hidden columns; otherwise it may still change
 */
export function DealsEmpty({ isFilterKnown }: { isFilterKnown: boolean }): ReactNode {
  const { deals } = useDataEntry();
  const { state, error } = useStore(deals.loading.state);
  const order = useSyncExternalStore(deals.rows.subscribeOrder, deals.rows.getOrder);
  const unsaved = useStore(deals.table.trailing).some((key) => deals.draftSync.draftOf(key) !== undefined);
  // In all months the server may refuse a filter that would read too many rows.
  const refused = error instanceof ApiError ? error.errors['filter'] : undefined;
  const isLoading = state === 'loading' || (refused !== undefined && !isFilterKnown);
  if (state === 'failed' && !isLoading) {
    return (
      <div className={styles.overlay} data-solid>
        {refused === undefined ? (
          <LoadFailed error={error} retry={deals.loading.reload} />
        ) : (
          <div role="alert">
            <Suspense>
              <NoRows refused={refused} />
            </Suspense>
          </div>
        )}
      </div>
    );
  }
  if (order.length > 0) return null;
  if (isLoading) {
    return (
      <output className={styles.overlay}>
        <Loader size={16} /> {texts.loading} <SlowNotice />
      </output>
    );
  }
  if (unsaved) return null;
  return (
    <div className={styles.overlay}>
      <Suspense>
        <NoRows />
      </Suspense>
    </div>
  );
}
