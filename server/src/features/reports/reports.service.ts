import type { ReportDimension } from '@forecourt/contract/report-dimensions';
import type { Clock } from '../../platform/clock.ts';
import type { Context } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { DealsService } from '../deals/deals.service.ts';

type ReportQuery = {
  by: ReportDimension;
  from?: string | undefined;
  to?: string | undefined;
  dealershipId?: string | undefined;
  owner?: string | undefined;
  status?: string | undefined;
};

type Parts = { deals: DealsService; clock: Clock };

/** Figures over months, and what a person earned in one (product.md section 8). */
export function createReportsService({ deals: { figures }, clock }: Parts) {
  return {
    /** Throws a 400 where a column that the report is by, or filtered by, does not exist for the viewer. */
    report(ctx: Context, { by, from, to, ...filter }: ReportQuery) {
      const now = clock.businessMonth();
      const asked = { ...filter, fromMonth: from ?? to ?? now, toMonth: to ?? now };
      return by === 'item' ? figures.byItem(ctx, asked) : figures.by(ctx, by, asked);
    },

    /** Throws NOT_FOUND for another person who has no row in that month that the viewer sees. */
    async statement(ctx: Context, query: { owner?: string | undefined; month?: string | undefined }) {
      const { viewer } = ctx;
      const { owner = viewer.userId, month = clock.businessMonth() } = query;
      const rows = await figures.earning(ctx, { owner, month });
      const { rows: people, total } = await figures.by(ctx, 'owner', { owner, month });
      const ownerName = owner === viewer.userId ? viewer.name : people[0]?.name;
      if (ownerName === undefined) throw new AppError('NOT_FOUND');
      return { ownerName, month, rows, total };
    },
  };
}

export type ReportsService = ReturnType<typeof createReportsService>;
