import { createStore } from './external-store.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export type LogEntry = {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly level: LogLevel;
  readonly text: string;
  /** Under which the server's log knows the same. */
  readonly requestId?: string | undefined;
};

/** At most so many are kept (spec section 2); the oldest go. */
export const MOST_ENTRIES = 1000;

/** What this page did and what failed in it: for the debug panel, and gone with the page. */
export const clientLog = createStore<readonly LogEntry[]>([]);

let lastId = 0;

/** Notes something. What looks like a secret is masked before it is kept. */
export function note(level: LogLevel, text: string, requestId?: string): void {
  lastId += 1;
  const entry = { id: lastId, at: Date.now(), level, text: masked(text), requestId };
  clientLog.set([...clientLog.get().slice(1 - MOST_ENTRIES), entry]);
}

const HIDDEN = '•••';

/**
 * A text without passwords, tokens, keys and codes, by what stands before them, and without whatever is as long and
 * as random as a token. Ids of records and requests stay: they are what support asks for.
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

/** Whatever was thrown, in one line. */
export const thrownText = (thrown: unknown): string =>
  thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);

/** Notes what no code caught. Called once, at the start. */
export function noteUncaught(): void {
  window.addEventListener('error', ({ message, filename, lineno }) =>
    note('error', `${message} (${filename}:${lineno})`),
  );
  window.addEventListener('unhandledrejection', ({ reason }) => note('error', thrownText(reason)));
}
