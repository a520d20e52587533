/** The first instant of a day, `2026-11-20`, on the viewer's clock, or of one some days later; undefined for no day. */
const startOf = (day: string, daysLater = 0): string | undefined => {
  const [year = NaN, month = NaN, date = NaN] = day.split('-').map(Number);
  const start = new Date(year, month - 1, date + daysLater);
  return Number.isNaN(start.valueOf()) ? undefined : start.toISOString();
};

type Days = { fromDay?: string | undefined; toDay?: string | undefined };

/** What a list is asked for between two days, both included; what is no day is left out. */
export function instantsOf({ fromDay = '', toDay = '' }: Days) {
  const [from, to] = [startOf(fromDay), startOf(toDay, 1)];
  return { ...(from && { from }), ...(to && { to }) };
}
