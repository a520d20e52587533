/** All localStorage keys. `token` and `theme` must not change, because browsers have stored them. */
export const storageKeys = {
  token: 'token',
  theme: 'theme',
  sidePanel: 'side-panel',
  changelog: 'changelog-seen',
  demo: 'demo-done',
} as const;

/** The layout of a table in this browser, by user. */
export const tableKey = (table: string, userId: string) => `table-${table}:${userId}` as const;

export type StorageKey =
  | (typeof storageKeys)[keyof typeof storageKeys]
  | ReturnType<typeof tableKey>
  | `${string}-columns:${string}`;

/** Replaces localStorage if the browser blocks it. */
const memory = new Map<string, string>();

/** Returns a stored text or null. If storage is blocked, values last until a reload. */
export function readStored(key: StorageKey): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return memory.get(key) ?? null;
  }
}

export function writeStored(key: StorageKey, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    if (text === null) memory.delete(key);
    else memory.set(key, text);
  }
}

/** Parses a stored object; returns an empty one for other texts. */
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
