const formatters = new Map<string, Intl.DateTimeFormat>();

/** The browser's zone, and its offset when it was read: to read it takes a millisecond, and it changes on a journey. */
let own = { offset: NaN, zone: '' };

/**
 * Returns the zone as the functions below and the grid expect it: '' for the browser's own, which needs no `Intl`. Uses
 * `Intl` once, so call it after the first screen is ready.
 */
export function zoneForClock(timeZone: string): string {
  const offset = new Date().getTimezoneOffset();
  if (offset !== own.offset) own = { offset, zone: new Intl.DateTimeFormat().resolvedOptions().timeZone };
  return own.zone === timeZone ? '' : timeZone;
}

/** The browser's wall clock, computed without `Intl`, whose first use is slow. */
function ownTime(instant: Date): string {
  const own = new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000);
  return own.toISOString().slice(0, 19);
}

/** Returns an instant as wall clock text of a zone, `2026-03-05T14:30:00`; '' is the browser's zone. */
export function zonedTime(instant: Date, timeZone: string): string {
  if (timeZone === '') return ownTime(instant);
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    // The Swedish format is almost ISO 8601, so that the parts need no reordering.
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
 * Null: the start of daylight saving skips that time. Of a time that occurs twice, returns the second.
 */
export function instantOf(wallClock: string, timeZone: string): Date | null {
  const asUtc = Date.parse(`${wallClock}Z`);
  const offsetAt = (time: number) => Date.parse(`${zonedTime(new Date(time), timeZone)}Z`) - time;
  // The offset at the guess may be that of the other side of a clock change; one correction is enough.
  const guess = asUtc - offsetAt(asUtc);
  const instant = new Date(asUtc - offsetAt(guess));
  return zonedTime(instant, timeZone).startsWith(wallClock) ? instant : null;
}
