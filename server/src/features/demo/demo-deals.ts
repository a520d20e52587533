import type { Clock } from '../../platform/clock.ts';
import * as company from './demo-company.ts';

export const DEAL_COUNT = 5000;
const MONTHS = 18;
/** Rows of the last days belong to the current month, so that it is not empty on its first day. */
const CURRENT_DAYS = 14;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A row to insert. It refers to people, dealerships, statuses and items by their index. */
export type DemoDeal = ReturnType<typeof demoDeals>[number];

/**
 * Returns rows of the last 18 months, oldest first, with increasing frequency. The same random numbers give the same
 * rows.
 * @param random from 0 to below 1
 */
export function demoDeals(random: () => number, clock: Clock) {
  const now = clock.now();
  const workingTime = createWorkingTime(random, clock);
  const whole = (below: number): number => Math.floor(random() * below);
  const one = <T>(list: readonly T[]): T => list[whole(list.length)]!;
  const digits = (count: number): string => Array.from({ length: count }, () => whole(10)).join('');
  const span = MONTHS * 30 * DAY_MS;
  const thisMonth = clock.businessMonth(now);

  const weighted = (weights: Readonly<Record<string, number>>): string => {
    let left = random() * Object.values(weights).reduce((sum, weight) => sum + weight, 0);
    return Object.entries(weights).find(([, weight]) => (left -= weight) < 0)![0];
  };

  function deal(number: number) {
    const createdAt = workingTime(new Date(now.getTime() - span * (1 - Math.sqrt(random())) - 60_000));
    const isRecent = now.getTime() - createdAt.getTime() < CURRENT_DAYS * DAY_MS;
    const month = isRecent ? thisMonth : clock.businessMonth(createdAt);
    const isOpen = month === thisMonth;
    const status = weighted(isOpen ? company.openStatuses : company.settledStatuses);
    const isClosed = status === 'Deal' || status === 'No deal';
    const closing = workingTime(new Date(createdAt.getTime() + random() * 9 * DAY_MS));
    const atOnce = new Date(
      createdAt.getTime() + Math.min(HOUR_MS, (now.getTime() - createdAt.getTime()) / 2),
    );
    const closedAt = closing > createdAt ? closing : atOnce;
    const first = whole(company.items.length);
    const sold = [first, ...(random() < 0.35 ? [(first + 1 + whole(6)) % company.items.length] : [])];
    return {
      person: 2 + whole(company.people.length - 2),
      dealership: whole(company.dealerships.length),
      status,
      customerName: `${one(company.firstNames)} ${one(company.lastNames)}`,
      customerNumber: `(04${digits(2)}) ${digits(3)} ${digits(3)}`,
      dealNumber: `D-${String(number).padStart(5, '0')}`,
      vehicle: one(company.vehicles),
      month,
      createdAt,
      closedAt: isClosed ? closedAt : null,
      followUpAt: status === 'To Call' ? new Date(now.getTime() + (random() - 0.3) * 4 * DAY_MS) : null,
      sold: sold.map((item) => ({ item, quantity: 1 + (random() < 0.1 ? 1 : 0) })),
    };
  }

  return Array.from({ length: DEAL_COUNT }, (_, index) => deal(index + 1)).sort(
    (a, b) => a.createdAt.getTime() - b.createdAt.getTime(),
  );
}

/**
 * Returns a function that moves an instant into office hours of its day in TIME_ZONE: 8:30 to 18:00, mostly Monday to
 * Friday. An instant in the future is moved back by whole days.
 */
export function createWorkingTime(random: () => number, clock: Clock): (instant: Date) => Date {
  const local = new Intl.DateTimeFormat('sv-SE', {
    timeZone: clock.timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const offsetAt = (instant: Date) =>
    Date.parse(`${local.format(instant).replace(' ', 'T')}Z`) - instant.getTime();
  const latest = clock.now().getTime();
  return (instant) => {
    const offset = offsetAt(instant);
    const midnight = Math.floor((instant.getTime() + offset) / DAY_MS) * DAY_MS - offset;
    const time = (8.5 + random() * 9.5) * HOUR_MS;
    const worksOnWeekends = random() < 0.1;
    const weekday = new Date(midnight + offset).getUTCDay();
    const back = worksOnWeekends ? 0 : ({ 6: 1, 0: 2 }[weekday] ?? 0);
    let moved = midnight - back * DAY_MS + time;
    while (moved > latest) moved -= DAY_MS;
    return new Date(moved);
  };
}

/** Returns a generator of reproducible random numbers (mulberry32), so that the demo is the same everywhere. */
export function repeatable(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
