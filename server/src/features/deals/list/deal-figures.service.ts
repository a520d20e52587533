import type { DealColumn } from '@forecourt/contract/deal-fields';
import type { Figures } from '@forecourt/contract/figures';
import { columnOfDimension } from '@forecourt/contract/report-dimensions';
import { MAX_STATEMENT_ROWS } from '@forecourt/contract/reports';
import type { Db } from '../../../platform/db/database.ts';
import { defineJob, IDLE } from '../../../platform/define-job.ts';
import type { Context, Viewer } from '../../../platform/http/context.ts';
import { invalidField } from '../../../platform/http/errors.ts';
import { requireColumn } from '../deals.fields.ts';
import { canSee } from '../deals.policy.ts';
import { coversAllMonths, withSharedIds, type InScope, type RequestedFilter } from '../deals.queries.ts';
import * as queries from './deal-figures.queries.ts';
import { MAX_FILTER_MS, readWithinLimit, type FilterFor, type ReadPermit } from './deal-filter.service.ts';

type Parts = {
  withPermit: ReadPermit;
  inScope: (viewer: Viewer) => InScope;
  filterFor: FilterFor;
  /** Timeout of a filter on columns in all months, in milliseconds. */
  maxMs?: number;
};

/** The filters of a request, and first and last month, both included. */
type RequestedFigures = RequestedFilter & Pick<queries.FiguresFilter, 'fromMonth' | 'toMonth'>;

const NOTHING = {
  deals: 0,
  saleAmount: 0,
  grossProfit: 0,
  commission: 0,
  withoutRate: 0,
  won: 0,
  lost: 0,
  daysToClose: null,
};

/** Returns the percentage of won rows among won and lost ones, to one decimal; null if there are none. */
const conversion = (won: number, lost: number): number | null =>
  won + lost === 0 ? null : Math.round((won / (won + lost)) * 1000) / 10;

/** Returns the figures without those computed from a hidden column. */
const presentFigures = (viewer: Viewer, row: queries.FiguresRow): Figures => ({
  deals: row.deals,
  ...(canSee(viewer, 'saleAmount') && { saleAmount: row.saleAmount }),
  ...(canSee(viewer, 'grossProfit') && { grossProfit: row.grossProfit }),
  ...(canSee(viewer, 'commission') && { commission: row.commission, withoutRate: row.withoutRate }),
  ...(canSee(viewer, 'status') && {
    won: row.won,
    lost: row.lost,
    conversion: conversion(row.won, row.lost),
    daysToClose: row.daysToClose,
  }),
});

/** Shorter periods, as of the dashboard, need not wait, because an index finds their months. */
const LONG_MONTHS = 24;

const monthNumber = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5));

/** Whether figures cover more than two years, or all months. */
const isLong = ({ fromMonth, toMonth }: queries.FiguresFilter): boolean =>
  !fromMonth || !toMonth || monthNumber(toMonth) - monthNumber(fromMonth) > LONG_MONTHS;

/**
 * Figures for the totals of the grid, the dashboard and reports, computed from visible rows and columns
 * (docs/product/exports-and-reports.md, Figures).
 */
export function createDealFigures({ withPermit, inScope, filterFor, maxMs = MAX_FILTER_MS }: Parts) {
  /** Reads figures with the viewer's scope and filter. */
  function read<T>(
    ctx: Context,
    filter: RequestedFigures,
    query: (db: Context['db'], scope: InScope, filter: queries.FiguresFilter) => Promise<T>,
  ): Promise<T> {
    const { db, viewer } = ctx;
    const scope = inScope(viewer);
    const narrowed = filterFor(viewer, filter);
    const run = () =>
      readWithinLimit(db, { scope, filter: narrowed, maxMs }, async (db) =>
        query(db, await withSharedIds(db, scope, narrowed), narrowed),
      );
    // Somebody who sees only their own rows may have very many of other owners, which are read.
    const readsRows =
      query === queries.figuresByItem || scope.onlyOf !== null || !queries.isStored(scope, narrowed);
    // A transaction has a connection already.
    if (!readsRows || db.isTransaction) return run();
    return withPermit(ctx, coversAllMonths(scope, narrowed) && isLong(narrowed), run);
  }

  return {
    none: (viewer: Viewer): Figures => presentFigures(viewer, NOTHING),

    /** Returns figures by one dimension, in its order. Throws a 400 if its column is hidden. */
    async by(ctx: Context, dimension: queries.Dimension, filter: RequestedFigures) {
      if (dimension !== 'month') requireColumn(ctx.viewer, columnOfDimension[dimension], 'by');
      const groups = await read(ctx, filter, (...question) => queries.figuresBy(...question, dimension));
      return {
        rows: groups.rows.map(({ key, name, ...row }) => ({
          key: key!,
          name,
          ...presentFigures(ctx.viewer, row),
        })),
        total: presentFigures(ctx.viewer, groups.total),
      };
    },

    /** Returns the number of rows with each status, by its id. */
    countByStatus: (ctx: Context) => read(ctx, {}, queries.countByStatus),

    /** Returns the number of rows with each item, by its id. */
    countByItem: (ctx: Context) => read(ctx, {}, queries.countByItem),

    /** Returns the number of rows by status (empty if that column is hidden), and the figures of all rows. */
    async byStatus(ctx: Context, filter: RequestedFigures) {
      const { rows, total } = await read(ctx, filter, (...question) =>
        queries.figuresBy(...question, 'status'),
      );
      return {
        rows: canSee(ctx.viewer, 'status')
          ? rows.map(({ name, deals }) => ({ status: name, count: deals }))
          : [],
        total: presentFigures(ctx.viewer, total),
      };
    },

    /** Returns figures by item, with quantity and amount. Throws a 400 if the items column is hidden. */
    async byItem(ctx: Context, filter: RequestedFigures) {
      requireColumn(ctx.viewer, columnOfDimension.item, 'by');
      const rows = await read(ctx, filter, queries.figuresByItem);
      return {
        rows: rows.map((row) => ({
          key: row.key,
          name: row.name ?? '',
          ...presentFigures(ctx.viewer, row),
          quantity: row.quantity,
          itemAmount: row.itemAmount,
        })),
        total: presentFigures(ctx.viewer, await read(ctx, filter, queries.figuresOf)),
      };
    },

    /** Returns a month's rows that earn commission, by owner. Throws a 400 for too many rows or a hidden column. */
    async earning(ctx: Context, filter: { owner?: string; month: string }) {
      requireColumn(ctx.viewer, 'commission', 'commission');
      const found = queries.earningRows(ctx.db, inScope(ctx.viewer), filterFor(ctx.viewer, filter));
      const rows = await (filter.owner ? found : found.limit(MAX_STATEMENT_ROWS + 1)).execute();
      if (filter.owner === undefined && rows.length > MAX_STATEMENT_ROWS)
        throw invalidField(
          'month',
          `More than ${MAX_STATEMENT_ROWS} rows earn commission in this month. Choose one person.`,
        );
      const sees = (column: DealColumn) => canSee(ctx.viewer, column);
      const earning = (row: (typeof rows)[number]) => ({
        _id: row.id,
        ...(sees('customerName') && { customerName: row.customer_name }),
        ...(sees('dealNumber') && { dealNumber: row.deal_number }),
        ...(sees('dealershipId') && { dealershipName: row.dealership_name }),
        ...(sees('status') && { status: row.status }),
        ...(sees('saleAmount') && { saleAmount: row.sale_amount }),
        ...(sees('commissionRate') && { commissionRate: row.commission_rate }),
        commission: row.commission!,
      });
      const byOwner = [...Map.groupBy(rows, (row) => row.owner_id)];
      return new Map(byOwner.map(([owner, own]) => [owner, own.map(earning)]));
    },
  };
}

const FOLD_EVERY_MS = 60_000;

export const createSumsFolding = (db: Db) =>
  defineJob({
    name: 'deal-sums',
    schedule: { everyMs: FOLD_EVERY_MS },
    run: async () => ((await queries.foldDealSums(db)) ? undefined : IDLE),
  });
