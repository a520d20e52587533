import { logLevels, type LogEntry, type LogLevel } from '../../platform/client-log.ts';

const clock = new Intl.DateTimeFormat('en-AU', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

/** Formats as `20/11/2026, 3:04:05.678 pm` in the browser's zone. */
export const formatLogTime = (at: number): string => clock.format(at);

/** Returns the entries of these levels whose text, level or request id contains the search text. */
export function shownEntries(
  entries: readonly LogEntry[],
  levels: ReadonlySet<LogLevel>,
  search: string,
): readonly LogEntry[] {
  const searchText = search.trim().toLowerCase();
  if (searchText === '' && levels.size === logLevels.length) return entries;
  return entries.filter(
    ({ level, text, requestId = '' }) =>
      levels.has(level) && `${level} ${text} ${requestId}`.toLowerCase().includes(searchText),
  );
}

/** Formats entries as text for support. Secrets were masked when they were logged. */
export const supportText = (entries: readonly LogEntry[]): string =>
  entries
    .map(({ at, level, text, requestId }) =>
      [new Date(at).toISOString(), level.toUpperCase(), text, requestId && `[${requestId}]`]
        .filter(Boolean)
        .join(' '),
    )
    .join('\n');

/** The log scrolls to new entries within this distance in px from its end (docs/product/limits.md, Screen limits). */
const NEAR_BOTTOM = 50;

type Scrolled = Pick<HTMLElement, 'scrollHeight' | 'scrollTop' | 'clientHeight'>;

export const isNearBottom = ({ scrollHeight, scrollTop, clientHeight }: Scrolled): boolean =>
  scrollHeight - scrollTop - clientHeight <= NEAR_BOTTOM;
