import type { MonthFigures } from '@forecourt/contract/dashboard';
import { TREND_MONTHS } from '@forecourt/contract/dashboard-limits';
import type { Clock } from '../../platform/clock.ts';
import type { Context } from '../../platform/http/context.ts';
import type { DealsService } from '../deals/deals.service.ts';

/** Returns `count` months that end with `month`, oldest first: `2026-11` and 3 are September to November. */
export function monthsUpTo(month: string, count: number): string[] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(year, number - count + index, 1)).toISOString().slice(0, 7),
  );
}

type Parts = { deals: DealsService; clock: Clock };

/** The start screen (docs/product/exports-and-reports.md, Dashboard): figures, follow-ups, changes by other users. */
export function createDashboardService({ deals: { figures, followUps, canOpenMonth }, clock }: Parts) {
  async function figuresOf(ctx: Context, month: string): Promise<MonthFigures> {
    const { rows, total } = await figures.byStatus(ctx, { month });
    return { month, ...total, byStatus: rows };
  }

  return {
    toCall: (ctx: Context) => followUps.toCall(ctx),
    changes: (ctx: Context) => followUps.changes(ctx),

    async figures(ctx: Context) {
      const months = monthsUpTo(clock.businessMonth(), TREND_MONTHS).filter((month) =>
        canOpenMonth(ctx.viewer, month),
      );
      const [thisMonth, lastMonth] = months.toReversed();
      const { rows } = await figures.by(ctx, 'month', { fromMonth: months[0], toMonth: thisMonth });
      const figuresByMonth = new Map(rows.map(({ key, name: _name, ...row }) => [key, row]));
      return {
        thisMonth: await figuresOf(ctx, thisMonth!),
        lastMonth: lastMonth === undefined ? null : await figuresOf(ctx, lastMonth),
        trend: months.map((month) => ({ ...(figuresByMonth.get(month) ?? figures.none(ctx.viewer)), month })),
      };
    },
  };
}

export type DashboardService = ReturnType<typeof createDashboardService>;
