import type { ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import type { ReportDimension } from '@forecourt/contract/report-dimensions';
import type { Clock } from '../../platform/clock.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
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
  filter?: ColumnFilter | undefined;
};

type Parts = { deals: DealsService; clock: Clock; companyName: string };

/** Figures over months, and a user's commission in one (docs/product/exports-and-reports.md, Reports). */
export function createReportsService({ deals: { figures }, clock, companyName }: Parts) {
  return {
    /** Throws a 400 when the grouping or a filter column is hidden from the viewer. */
    report(ctx: Context, { by, from, to, ...filter }: ReportQuery) {
      const now = clock.businessMonth();
      const range = { ...filter, fromMonth: from ?? to ?? now, toMonth: to ?? now };
      return by === 'item' ? figures.byItem(ctx, range) : figures.by(ctx, by, range);
    },

    /** Throws NOT_FOUND for another user without a visible row in that month. */
    async statement(ctx: Context, query: { owner?: string | undefined; month?: string | undefined }) {
      const { viewer } = ctx;
      const { owner = viewer.userId, month = clock.businessMonth() } = query;
      const { rows, people, total } = await inSnapshot(ctx.db, async (db) => {
        const inner = { ...ctx, db };
        const rows = await figures.earning(inner, { owner, month });
        const { rows: people, total } = await figures.by(inner, 'owner', { owner, month });
        return { rows, people, total };
      });
      const ownerName = owner === viewer.userId ? viewer.name : people[0]?.name;
      if (ownerName === undefined) throw new AppError('NOT_FOUND');
      return { companyName, asOf: clock.now().toISOString(), ownerName, month, rows, total };
    },
  };
}

export type ReportsService = ReturnType<typeof createReportsService>;
