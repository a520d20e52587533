import { createStore } from '../../platform/external-store.ts';

/** The row whose items are being chosen, by its key: a cell says so, the dialog beside the table follows. */
export const itemsInEdit = createStore<string | null>(null);
