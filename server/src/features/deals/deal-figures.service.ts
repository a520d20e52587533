import type { Figures } from '@forecourt/contract/figures';
import type { DealColumn } from '@forecourt/contract/permission-defaults';
import type { ReportDimension } from '@forecourt/contract/report-dimensions';
import type { Context, Viewer } from '../../platform/http/context.ts';
import { invalidField } from '../../platform/http/errors.ts';
import * as queries from './deal-figures.queries.ts';
import { canSee } from './deals.policy.ts';
import type { InScope } from './deals.queries.ts';

type Parts = {
  inScope: (viewer: Viewer) => InScope;
  /** Filters as a viewer may use them. Throws a 400 about a column that does not exist for them. */
  filterFor: (viewer: Viewer, filter: queries.FiguresFilter) => queries.FiguresFilter;
};

/** The column that must exist for somebody who asks by a dimension. */
const COLUMN_OF: Record<Exclude<ReportDimension, 'month'>, DealColumn> = {
  dealership: 'dealershipId',
  owner: 'owner',
  item: 'items',
  status: 'status',
};

const NOTHING = {
  deals: 0,
  saleAmount: 0,
  grossProfit: 0,
  commission: 0,
  won: 0,
  lost: 0,
  daysToClose: null,
};

/** Won of won and lost in percent, to one decimal. */
const conversion = (won: number, lost: number): number | null =>
  won + lost === 0 ? null : Math.round((won / (won + lost)) * 1000) / 10;

/** Figures as this viewer gets them: without what is made of a column that does not exist for them. */
const presentFigures = (viewer: Viewer, row: queries.FiguresRow): Figures => ({
  deals: row.deals,
  ...(canSee(viewer, 'saleAmount') && { saleAmount: row.saleAmount }),
  ...(canSee(viewer, 'grossProfit') && { grossProfit: row.grossProfit }),
  ...(canSee(viewer, 'commission') && { commission: row.commission }),
  ...(canSee(viewer, 'status') && {
    won: row.won,
    lost: row.lost,
    conversion: conversion(row.won, row.lost),
    daysToClose: row.daysToClose,
  }),
});

/**
 * What rows come to, for the grid's totals, the dashboard and reports alike (product.md section 8): of the rows and
 * the columns that the viewer sees.
 */
export function createDealFigures({ inScope, filterFor }: Parts) {
  return {
    /** What no rows come to. */
    none: (viewer: Viewer): Figures => presentFigures(viewer, NOTHING),

    /** By one dimension, in its own order. Throws a 400 where its column does not exist for the viewer. */
    async by(ctx: Context, dimension: queries.Dimension, filter: queries.FiguresFilter) {
      if (dimension !== 'month') requireColumn(ctx.viewer, COLUMN_OF[dimension], 'by');
      const scope = inScope(ctx.viewer);
      const found = await queries.figuresBy(ctx.db, scope, filterFor(ctx.viewer, filter), dimension);
      return {
        rows: found.rows.map(({ key, name, ...row }) => ({
          key: key!,
          name,
          ...presentFigures(ctx.viewer, row),
        })),
        total: presentFigures(ctx.viewer, found.total),
      };
    },

    /** How many rows have each status, for those who may see it, and what all come to. */
    async byStatus(ctx: Context, filter: queries.FiguresFilter) {
      const scope = inScope(ctx.viewer);
      const { rows, total } = await queries.figuresBy(ctx.db, scope, filterFor(ctx.viewer, filter), 'status');
      return {
        rows: canSee(ctx.viewer, 'status')
          ? rows.map(({ name, deals }) => ({ status: name, count: deals }))
          : [],
        total: presentFigures(ctx.viewer, total),
      };
    },

    /** By item, with how many of it were sold and for how much. */
    async byItem(ctx: Context, filter: queries.FiguresFilter) {
      requireColumn(ctx.viewer, COLUMN_OF.item, 'by');
      const scope = inScope(ctx.viewer);
      const rows = await queries.figuresByItem(ctx.db, scope, filterFor(ctx.viewer, filter));
      return {
        rows: rows.map((row) => ({
          key: row.key,
          name: row.name ?? '',
          ...presentFigures(ctx.viewer, row),
          quantity: row.quantity,
          itemAmount: row.itemAmount,
        })),
        total: presentFigures(
          ctx.viewer,
          await queries.figuresOf(ctx.db, scope, filterFor(ctx.viewer, filter)),
        ),
      };
    },

    /** The rows that earn somebody's commission of a month. Throws a 400 where that does not exist for the viewer. */
    async earning(ctx: Context, filter: { owner: string; month: string }) {
      requireColumn(ctx.viewer, 'commission', 'commission');
      const rows = await queries.earningRows(ctx.db, inScope(ctx.viewer), filterFor(ctx.viewer, filter));
      const sees = (column: DealColumn) => canSee(ctx.viewer, column);
      return rows.map((row) => ({
        _id: row.id,
        ...(sees('customerName') && { customerName: row.customer_name }),
        ...(sees('dealNumber') && { dealNumber: row.deal_number }),
        ...(sees('dealershipId') && { dealershipName: row.dealership_name }),
        ...(sees('status') && { status: row.status }),
        ...(sees('saleAmount') && { saleAmount: row.sale_amount }),
        ...(sees('commissionRate') && { commissionRate: row.commission_rate }),
        commission: row.commission!,
      }));
    },
  };
}

function requireColumn(viewer: Viewer, column: DealColumn, field: string): void {
  if (!canSee(viewer, column)) throw invalidField(field, 'You may not see this column');
}
