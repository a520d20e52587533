import { useEffect, useState } from 'react';
import { createStore, useStore } from '../../../platform/external-store.ts';
import { loadScript } from '../../../platform/load-script.ts';
import type { DealOptions } from '../deal-fields.ts';
import type { customColumns } from './custom-columns.ts';

/** The function that creates the columns of custom fields; null until it is loaded. */
export const customPart = createStore<typeof customColumns | null>(null);

export async function loadCustomColumns(): Promise<void> {
  customPart.set((await loadScript(() => import('./custom-columns.ts'))).customColumns);
}

/** Returns the options once the script of their custom columns is loaded, if they have any; until then the former ones. */
export function useWithCustomColumns(options: DealOptions | undefined): DealOptions | undefined {
  const isLoaded = useStore(customPart) !== null;
  const isNeeded = options !== undefined && options.customFields.length > 0;
  const isUsable = isLoaded || !isNeeded;
  const [usable, setUsable] = useState(isUsable ? options : undefined);
  if (isUsable && options !== usable) setUsable(options);
  useEffect(() => {
    if (!isUsable) void loadCustomColumns();
  }, [isUsable]);
  return isUsable ? options : usable;
}
