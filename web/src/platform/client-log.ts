import { createStore } from './external-store.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export type LogEntry = {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly level: LogLevel;
  readonly text: string;
  /** The server's log contains the same id. */
  readonly requestId?: string | undefined;
};

/** Maximum number of entries (docs/product/limits.md, Screen limits); the oldest are dropped. */
export const MAX_ENTRIES = 1000;

/** Actions and failures of this page, for the debug panel. Not stored. */
export const clientLog = createStore<readonly LogEntry[]>([]);

let lastId = 0;

/** Masks secrets and adds an entry. */
export function note(level: LogLevel, text: string, requestId?: string): void {
  lastId += 1;
  const entry = { id: lastId, at: Date.now(), level, text: masked(text), requestId };
  clientLog.set([...clientLog.get().slice(1 - MAX_ENTRIES), entry]);
}

const HIDDEN = '•••';

/**
 * Masks passwords, tokens, keys and codes, detected by a label in front of them or by their length and randomness. Ids
 * of records and requests are not masked, because support needs them.
 */
export const masked = (text: string): string =>
  text
    .replace(/\b(bearer|basic)\s+[^\s"',]+/gi, `$1 ${HIDDEN}`)
    .replace(
      /(["']?\b\w*(?:password|passphrase|secret|token|api_?key|key|code|ticket)["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s"',;&)}]+)/gi,
      `$1${HIDDEN}`,
    )
    .replace(/\b[\w-]{32,}\b/g, (word) => (isId(word) ? word : HIDDEN));

const isId = (word: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(word);

/** Returns any thrown value as one line. */
export const thrownText = (thrown: unknown): string =>
  thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);

/** Logs uncaught errors and rejections. Called once, at the start. */
export function logUncaughtErrors(): void {
  window.addEventListener('error', ({ message, filename, lineno }) =>
    note('error', `${message} (${filename}:${lineno})`),
  );
  window.addEventListener('unhandledrejection', ({ reason }) => note('error', thrownText(reason)));
}
