const formatters = new Map<string, Intl.DateTimeFormat>();

/** The browser's zone, cached with its offset: reading it takes a millisecond. A changed offset reads it again. */
let own = { offset: NaN, zone: '' };

/**
 * Returns the zone in the form that the functions below and the grid expect: '' for the browser's own, which needs no
 * `Intl`. Uses `Intl` once, so it should be called after the first screen is ready.
 */
export function zoneForClock(timeZone: string): string {
  const offset = new Date().getTimezoneOffset();
  if (offset !== own.offset) own = { offset, zone: new Intl.DateTimeFormat().resolvedOptions().timeZone };
  return own.zone === timeZone ? '' : timeZone;
}

/** The browser's wall clock without `Intl`, whose first use is slow. */
function ownTime(instant: Date): string {
  const own = new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000);
  return own.toISOString().slice(0, 19);
}

/** Returns an instant as wall clock text of a zone, `2026-03-05T14:30:00`. The zone '' is the browser's. */
export function zonedTime(instant: Date, timeZone: string): string {
  if (timeZone === '') return ownTime(instant);
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    // The Swedish format is almost ISO 8601, so the parts need no reordering.
    formatter = new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    formatters.set(timeZone, formatter);
  }
  return formatter.format(instant).replace(' ', 'T');
}

/**
 * Returns the instant at which the clocks of a zone show `wallClock` (`2026-03-05T14:30`, with or without seconds).
 * Returns null if the start of daylight saving skips that time, and the later instant if it occurs twice.
 */
export function instantOf(wallClock: string, timeZone: string): Date | null {
  const asUtc = Date.parse(`${wallClock}Z`);
  const offsetAt = (time: number) => Date.parse(`${zonedTime(new Date(time), timeZone)}Z`) - time;
  // The first guess may have the offset of the other side of a clock change; one correction is enough.
  const guess = asUtc - offsetAt(asUtc);
  const instant = new Date(asUtc - offsetAt(guess));
  return zonedTime(instant, timeZone).startsWith(wallClock) ? instant : null;
}
