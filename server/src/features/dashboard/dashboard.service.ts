import type { MonthFigures } from '@forecourt/contract/dashboard';
import type { Clock } from '../../platform/clock.ts';
import type { Context } from '../../platform/http/context.ts';
import type { DealsService } from '../deals/deals.service.ts';

/** This month and the twelve before it: a whole year, and the same month of the last one beside it. */
const TREND_MONTHS = 13;

/** So many months that end with this one, oldest first: `2026-11` and 3 are September to November. */
export function monthsUpTo(month: string, count: number): string[] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(year, number - count + index, 1)).toISOString().slice(0, 7),
  );
}

type Parts = { deals: DealsService; clock: Clock };

/** The first screen of the day (product.md section 8): figures, calls to make, and what others changed. */
export function createDashboardService({ deals: { figures, desk, mayOpenMonth }, clock }: Parts) {
  async function figuresOf(ctx: Context, month: string): Promise<MonthFigures> {
    const { rows, total } = await figures.byStatus(ctx, { month });
    return { month, ...total, byStatus: rows };
  }

  return {
    toCall: (ctx: Context) => desk.toCall(ctx),
    changes: (ctx: Context) => desk.changes(ctx),

    async figures(ctx: Context) {
      const months = monthsUpTo(clock.businessMonth(), TREND_MONTHS).filter((month) =>
        mayOpenMonth(ctx.viewer, month),
      );
      const [thisMonth, lastMonth] = months.toReversed();
      const { rows } = await figures.by(ctx, 'month', { fromMonth: months[0], toMonth: thisMonth });
      const found = new Map(rows.map(({ key, name: _name, ...row }) => [key, row]));
      return {
        thisMonth: await figuresOf(ctx, thisMonth!),
        lastMonth: lastMonth === undefined ? null : await figuresOf(ctx, lastMonth),
        trend: months.map((month) => ({ ...(found.get(month) ?? figures.none(ctx.viewer)), month })),
      };
    },
  };
}

export type DashboardService = ReturnType<typeof createDashboardService>;
