import { createStore } from '../../../platform/external-store.ts';
import { loadScript } from '../../../platform/load-script.ts';
import type { customColumns } from './custom-columns.ts';

/** Returns the columns of custom fields; null: there are none. */
export const customPart = createStore<typeof customColumns | null>(null);

export async function loadCustomColumns(): Promise<void> {
  customPart.set((await loadScript(() => import('./custom-columns.ts'))).customColumns);
}
