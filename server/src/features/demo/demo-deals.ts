import * as company from './demo-company.ts';

export const DEAL_COUNT = 5000;
const MONTHS = 18;
const DAY_MS = 86_400_000;

/** A row as it is to be stored: people, dealerships, statuses and items by their place in their lists. */
export type DemoDeal = {
  person: number;
  dealership: number;
  status: string;
  customerName: string;
  customerNumber: string;
  dealNumber: string;
  vehicle: string;
  createdAt: Date;
  closedAt: Date | null;
  followUpAt: Date | null;
  sold: { item: number; quantity: number }[];
};

/**
 * Rows over the last 18 months, oldest first: more of them lately, since the company grows. The same for the same
 * numbers.
 * @param random from 0 to below 1
 */
export function demoDeals(random: () => number, now: Date): DemoDeal[] {
  const whole = (below: number): number => Math.floor(random() * below);
  const one = <T>(list: readonly T[]): T => list[whole(list.length)]!;
  const digits = (count: number): string => Array.from({ length: count }, () => whole(10)).join('');
  const span = MONTHS * 30 * DAY_MS;
  const monthBegan = new Date(now.getFullYear(), now.getMonth(), 1);

  const weighted = (weights: Readonly<Record<string, number>>): string => {
    let left = random() * Object.values(weights).reduce((sum, weight) => sum + weight, 0);
    return Object.entries(weights).find(([, weight]) => (left -= weight) < 0)![0];
  };

  function deal(number: number): DemoDeal {
    const createdAt = new Date(now.getTime() - span * (1 - Math.sqrt(random())) - 60_000);
    const isOpen = createdAt >= monthBegan;
    const status = weighted(isOpen ? company.openStatuses : company.settledStatuses);
    const isClosed = status === 'Deal' || status === 'No deal';
    const closedAt = new Date(Math.min(createdAt.getTime() + random() * 9 * DAY_MS, now.getTime()));
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

/** Random numbers that come again: the demo looks the same wherever it is started (mulberry32). */
export function repeatable(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
