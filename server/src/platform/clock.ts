/** The company's calendar. Expiry uses the database's clock, durations the monotonic clock. */
export type Clock = {
  /** TIME_ZONE, as PostgreSQL and Intl name it. */
  timeZone: string;
  now(): Date;
  /** The business date at an instant, such as `2026-11-20`, in TIME_ZONE. */
  businessDate(instant?: Date): string;
  /** The business month at an instant, such as `2026-11`. */
  businessMonth(instant?: Date): string;
};

export function createClock(timeZone: string, now: () => Date = () => new Date()): Clock {
  // The format of sv-SE is that of ISO 8601.
  const dates = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  let cached = { minute: Number.NaN, date: '' };
  // Cached per minute, because every request calls it and no zone changes its date within a minute.
  const dateAt = (instant: Date): string => {
    const minute = Math.floor(instant.getTime() / 60_000);
    if (minute !== cached.minute) cached = { minute, date: dates.format(instant) };
    return cached.date;
  };
  return {
    timeZone,
    now,
    businessDate: (instant = now()) => dateAt(instant),
    businessMonth: (instant = now()) => dateAt(instant).slice(0, 7),
  };
}
