/** All localStorage keys. `token` and `theme` must not change: browsers have them stored. */
export const storageKeys = {
  token: 'token',
  theme: 'theme',
  sidePanel: 'side-panel',
  changelog: 'changelog-seen',
  demo: 'demo-done',
} as const;

/** Key of a user's layout of a table, in this browser. */
export const tableKey = (table: string, userId: string) => `table-${table}:${userId}` as const;

export type StorageKey =
  | (typeof storageKeys)[keyof typeof storageKeys]
  | ReturnType<typeof tableKey>
  /** Columns of a grid. */
  | `${string}-columns:${string}`;

/** Values of this page when the browser blocks storage. */
const memory = new Map<string, string>();

/** Returns a stored text, or null. With blocked storage, values last until reload. */
export function readStored(key: StorageKey): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return memory.get(key) ?? null;
  }
}

/** Stores a text; null removes it. */
export function writeStored(key: StorageKey, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    if (text === null) memory.delete(key);
    else memory.set(key, text);
  }
}

/** Parses a stored object; an empty one where the text is none. */
export function parsedObject(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
