/** Every key of the browser's local storage. `token` and `theme` are fixed by spec section 9. */
export const storageKeys = {
  token: 'token',
  theme: 'theme',
  sidePanel: 'side-panel',
  changelog: 'changelog-seen',
  demo: 'demo-done',
} as const;

/** Where a person's arrangement of a table is kept, on this computer. */
export const tableKey = (table: string, userId: string) => `table-${table}:${userId}` as const;

export type StorageKey = (typeof storageKeys)[keyof typeof storageKeys] | ReturnType<typeof tableKey>;

/** What is kept for this page only, where the browser refuses to store anything. */
const memory = new Map<string, string>();

/** A stored text, or null. A browser that blocks storage is treated as one that forgets at reload. */
export function readStored(key: StorageKey): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return memory.get(key) ?? null;
  }
}

/** Stores a text, or forgets it with null. */
export function writeStored(key: StorageKey, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    if (text === null) memory.delete(key);
    else memory.set(key, text);
  }
}
