import type { ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import { centsOf } from '@forecourt/contract/deal-groups';
import type { Figures } from '@forecourt/contract/figures';
import type { ReportDimension } from '@forecourt/contract/report-dimensions';
import type { Statement } from '@forecourt/contract/reports';
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

type Person = Pick<Statement, 'owner' | 'ownerName'> & { figures: Partial<Figures> };

/** Dimensions whose rows contain deals of every status; only there is a share of won deals meaningful. */
const COMPARED: ReadonlySet<ReportDimension> = new Set(['month', 'dealership', 'owner']);

/** Adds what dealerships compare, except figures of hidden columns. */
function withRatios<F extends Figures>(figures: F): F {
  const { deals, won, grossProfit } = figures;
  const perDeal = (amount: number): number | null => (deals === 0 ? null : Math.round(amount / deals));
  const share = won === undefined ? undefined : perDeal(won * 1000);
  const cents = grossProfit === undefined ? undefined : perDeal(centsOf(grossProfit));
  return {
    ...figures,
    ...(share !== undefined && { penetration: share === null ? null : share / 10 }),
    ...(cents !== undefined && { profitPerVehicle: cents === null ? null : cents / 100 }),
  };
}

/** Figures over months, and commission statements of one month (docs/product/exports-and-reports.md, Reports). */
export function createReportsService({ deals: { figures }, clock, companyName }: Parts) {
  const head = (month: string) => ({ companyName, asOf: clock.now().toISOString(), month });

  /** Returns in one snapshot the users with rows in a month, their totals, and the rows that earn commission. */
  const readMonth = (ctx: Context, filter: { owner?: string; month: string }) =>
    inSnapshot(ctx.db, async (db) => {
      const inner = { ...ctx, db };
      const earning = await figures.earning(inner, filter);
      return { earning, ...(await figures.by(inner, 'owner', filter)) };
    });

  type Earning = Awaited<ReturnType<typeof readMonth>>['earning'];
  function statementOf(earning: Earning, { owner, ownerName, figures: of }: Person): Statement {
    const rows = earning.get(owner) ?? [];
    const cents = rows.reduce((sum, { saleAmount }) => sum + centsOf(saleAmount), 0);
    return {
      owner,
      ownerName,
      rows,
      total: {
        deals: rows.length,
        ...(of.saleAmount !== undefined && { saleAmount: cents / 100 }),
        commission: of.commission,
        withoutRate: of.withoutRate,
      },
    };
  }

  return {
    /** Throws a 400 if the dimension or a filter column is hidden from the viewer. */
    async report(ctx: Context, { by, from, to, ...filter }: ReportQuery) {
      const now = clock.businessMonth();
      const range = { ...filter, fromMonth: from ?? to ?? now, toMonth: to ?? now };
      if (by === 'item') return figures.byItem(ctx, range);
      const { rows, total } = await figures.by(ctx, by, range);
      return COMPARED.has(by) ? { rows: rows.map(withRatios), total: withRatios(total) } : { rows, total };
    },

    /** Throws NOT_FOUND for another user without a visible row in that month. */
    async statement(ctx: Context, query: { owner?: string | undefined; month?: string | undefined }) {
      const { viewer } = ctx;
      const { owner = viewer.userId, month = clock.businessMonth() } = query;
      const { earning, rows: people, total } = await readMonth(ctx, { owner, month });
      const ownerName = owner === viewer.userId ? viewer.name : people[0]?.name;
      if (ownerName === undefined) throw new AppError('NOT_FOUND');
      return { ...head(month), ...statementOf(earning, { owner, ownerName, figures: total }) };
    },

    /** Returns the statements of all users with a visible row that earns commission, by name. */
    async statements(ctx: Context, { month = clock.businessMonth() }: { month?: string | undefined }) {
      const { earning, rows: people } = await readMonth(ctx, { month });
      return {
        ...head(month),
        statements: people
          .filter(({ key }) => earning.has(key))
          .map(({ key, name, ...figures }) => statementOf(earning, { owner: key, ownerName: name, figures })),
      };
    },
  };
}

export type ReportsService = ReturnType<typeof createReportsService>;
