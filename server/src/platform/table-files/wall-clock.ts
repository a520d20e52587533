const HOUR_MS = 3_600_000;

/**
 * Returns a function from an instant to local time in ms, as if it were UTC. The offset is cached for each quarter of
 * an hour, the granularity of time zones: computing it per cell takes ten times as long.
 */
export function createWallClock(timeZone: string): (instant: string) => number {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const offsets = new Map<number, number>();
  return (instant) => {
    const at = Date.parse(instant);
    const quarter = Math.floor((at * 4) / HOUR_MS);
    if (offsets.size > 50_000) offsets.clear();
    const offset = offsets.getOrInsertComputed(quarter, () => {
      const start = (quarter * HOUR_MS) / 4;
      return Date.parse(`${format.format(start).replace(' ', 'T')}Z`) - start;
    });
    return at + offset;
  };
}

/** Formats a date `2026-11-20` as `20/11/2026`. */
export const formatDate = (date: string): string =>
  `${date.slice(8, 10)}/${date.slice(5, 7)}/${date.slice(0, 4)}`;

/** Formats local time as `20/11/2026 15:04`. */
export function formatLocalTime(localTime: number): string {
  const text = new Date(localTime).toISOString();
  return `${formatDate(text)} ${text.slice(11, 16)}`;
}
