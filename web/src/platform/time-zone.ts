const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * A zone as the functions below and the grid take it: '' where it is the browser's own, whose clock needs no `Intl`. To be
 * asked when the first screen stands: it needs that once.
 */
export const zoneForClock = (timeZone: string): string =>
  new Intl.DateTimeFormat().resolvedOptions().timeZone === timeZone ? '' : timeZone;

/** The clock of the browser, put together from its parts: the first use of `Intl` takes as long as a script. */
function ownTime(instant: Date): string {
  const own = new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000);
  return own.toISOString().slice(0, 19);
}

/** An instant as wall clock text of a zone, `2026-03-05T14:30:00`; without a name, of the browser's. */
export function zonedTime(instant: Date, timeZone: string): string {
  if (timeZone === '') return ownTime(instant);
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    // Swedish is the locale whose own form is almost ISO 8601, which saves picking the parts out.
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
 * The instant at which the clocks of a zone show `wallClock` (`2026-03-05T14:30:00`).
 * In the hour that daylight saving skips it answers an hour later, in the one it repeats the second pass.
 */
export function instantOf(wallClock: string, timeZone: string): Date {
  const asUtc = Date.parse(`${wallClock}Z`);
  const offsetAt = (time: number) => Date.parse(`${zonedTime(new Date(time), timeZone)}Z`) - time;
  // The offset at the guess may be that of the other side of a change of clocks; one correction reaches the right one.
  const guess = asUtc - offsetAt(asUtc);
  return new Date(asUtc - offsetAt(guess));
}
