import type { Deal, DealPatch, DealStatus, NewDeal } from '@forecourt/contract/deals';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Context, Viewer } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { requireAbility } from '../../platform/http/policy.ts';
import { newId } from '../../platform/ids.ts';
import type { DealershipsService } from '../dealerships/dealerships.service.ts';
import { columnsOf, present } from './deals.fields.ts';
import {
  canAdd,
  canDelete,
  canEdit,
  canOpen,
  conflictingFields,
  searchesAllMonths,
  seesAllMonths,
} from './deals.policy.ts';
import * as queries from './deals.queries.ts';

/** A change is tried again on the newest row this often before it is told as a conflict. */
const MERGE_ATTEMPTS = 5;

/** Deal rows (product.md section 4; spec.md sections 3, 4 and 6). */
export function createDealsService(dealerships: DealershipsService, clock: Clock) {
  /** What a viewer may see: the one place where rights become a condition on rows. */
  const scopeOf = (viewer: Viewer): queries.DealScope =>
    seesAllMonths(viewer) ? {} : { onlyMonth: clock.businessMonth() };

  async function load(ctx: Context, id: string): Promise<queries.DealRow> {
    const row = await queries.findDeal(ctx.db, scopeOf(ctx.viewer), id);
    if (!row) throw new AppError('NOT_FOUND');
    return row;
  }

  /** Filters as this viewer may use them: a search without a month stays in the current one for most. */
  const filterFor = (viewer: Viewer, filter: queries.DealFilter): queries.DealFilter =>
    filter.search && !filter.month && !searchesAllMonths(viewer)
      ? { ...filter, month: clock.businessMonth() }
      : filter;

  /** Turns the names in a change into references. Throws a 400 that names the field. */
  async function resolve(ctx: Context, input: DealPatch | NewDeal): Promise<queries.DealColumns> {
    const columns: queries.DealColumns = columnsOf(input);
    if (input.status !== undefined) {
      const status = await queries.findStatus(ctx.db, input.status);
      if (!status) throw invalidField('status', 'Choose one of the statuses');
      columns.status_id = status.id;
    }
    if (input.dealershipId !== undefined) {
      const dealership = await dealerships.findOption(ctx, input.dealershipId);
      if (!dealership) throw invalidField('dealershipId', 'Choose one of the dealerships');
    }
    if (input.month !== undefined && !seesAllMonths(ctx.viewer) && input.month !== clock.businessMonth()) {
      throw invalidField('month', 'You may only use the current month');
    }
    return columns;
  }

  return {
    async list(ctx: Context, query: queries.DealFilter & { cursor?: string | undefined; limit: number }) {
      const scope = scopeOf(ctx.viewer);
      const filter = filterFor(ctx.viewer, query);
      const rows = await queries.listDeals(ctx.db, scope, filter, {
        limit: query.limit,
        after: query.cursor,
      });
      const total = await queries.countDeals(ctx.db, scope, filter);
      return {
        items: rows.map((row) => present(ctx.viewer, row)),
        total: Math.min(total, filter.search ? queries.TOTAL_CAP : total),
        totalIsCapped: filter.search !== undefined && total > queries.TOTAL_CAP,
        nextCursor: rows.length === query.limit ? (rows.at(-1)?.id ?? null) : null,
      };
    },

    async summary(ctx: Context, filter: queries.DealFilter) {
      const rows = await queries.summariseDeals(ctx.db, scopeOf(ctx.viewer), filterFor(ctx.viewer, filter));
      const sum = (field: 'count' | 'saleAmount' | 'grossProfit') =>
        // Whole cents, so that adding a few sums cannot leave them.
        Math.round(rows.reduce((total, row) => total + row[field] * 100, 0)) / 100;
      return {
        total: sum('count'),
        byStatus: rows.map(({ status, count }) => ({ status, count })),
        saleAmount: sum('saleAmount'),
        grossProfit: sum('grossProfit'),
      };
    },

    async options(ctx: Context) {
      const statuses = await queries.listStatuses(ctx.db);
      return {
        statuses: statuses.map((status): DealStatus => ({
          _id: status.id,
          name: status.name,
          color: status.color,
          order: status.position,
          isDefault: status.is_default,
        })),
        dealerships: await dealerships.options(ctx),
        currentMonth: clock.businessMonth(),
      };
    },

    get: async (ctx: Context, id: string): Promise<Deal> => present(ctx.viewer, await load(ctx, id)),

    /** The row as its mail may tell of it: with the sender's own eyes, or not at all. */
    async forMail(ctx: Context, id: string): Promise<Deal | undefined> {
      const row = await queries.findDeal(ctx.db, scopeOf(ctx.viewer), id);
      return row && present(ctx.viewer, row);
    },

    /** Of these rows those that a viewer sees, for live events: none without the page. */
    async visibleIds(db: Db, viewer: Viewer, ids: string[]): Promise<Set<string>> {
      return canOpen(viewer) ? queries.visibleDealIds(db, scopeOf(viewer), ids) : new Set();
    },

    /** Whether a viewer who does not see a row now saw it until a change, judged by what it was before. */
    wasVisible: (viewer: Viewer, before: Record<string, unknown>): boolean =>
      canOpen(viewer) && before.month === clock.businessMonth(),

    async create(ctx: Context, input: NewDeal): Promise<Deal> {
      requireAbility(canAdd(ctx.viewer));
      const columns = await resolve(ctx, input);
      columns.status_id ??= (await queries.findStatus(ctx.db, undefined))!.id;
      columns.month ??= clock.businessMonth();
      columns.owner_id = ctx.viewer.userId;
      columns.created_by = ctx.viewer.userId;
      columns.updated_by = ctx.viewer.userId;
      const id = newId();
      await refusingGoneDealership(
        queries.insertDeal(ctx.db, ctx, id, columns, {
          action: 'deal.created',
          entity: 'deal',
          after: input,
        }),
      );
      return present(ctx.viewer, await load(ctx, id));
    },

    /**
     * Changes the named fields. Goes in, and merges, when nobody changed those fields since `version`;
     * otherwise CONFLICT with the row as it is now.
     */
    async update(ctx: Context, id: string, { version, ...input }: DealPatch): Promise<Deal> {
      const changed = Object.keys(input) as (keyof typeof input)[];
      for (let attempt = 1; ; attempt += 1) {
        const row = await load(ctx, id);
        const before = present(ctx.viewer, row);
        requireAbility(canEdit(ctx.viewer, row));
        if (version > row.version) throw invalidField('version', 'This version does not exist yet');
        const fieldVersions = row.field_versions as Record<string, number>;
        const conflicts = conflictingFields(changed, fieldVersions, version).filter(
          (field) => input[field as keyof typeof input] !== before[field as keyof Deal],
        );
        if (conflicts.length > 0 || attempt > MERGE_ATTEMPTS) {
          throw new AppError('CONFLICT', { details: conflicts.join(', '), current: before });
        }
        const fields = changed.filter((field) => input[field] !== before[field]);
        if (fields.length === 0) return before;
        const columns = await resolve(
          ctx,
          Object.fromEntries(fields.map((field) => [field, input[field]])) as DealPatch,
        );
        const done = await refusingGoneDealership(
          queries.updateDeal(ctx.db, ctx, row, columns, fields, {
            action: 'deal.updated',
            entity: 'deal',
            before: Object.fromEntries(fields.map((field) => [field, before[field]])),
            after: Object.fromEntries(fields.map((field) => [field, input[field]])),
          }),
        );
        if (done) return present(ctx.viewer, await load(ctx, id));
      }
    },

    async remove(ctx: Context, id: string): Promise<undefined> {
      const row = await load(ctx, id);
      requireAbility(canDelete(ctx.viewer, row));
      const gone = await queries.updateDeal(ctx.db, ctx, row, { deleted_at: clock.now().toISOString() }, [], {
        action: 'deal.deleted',
        entity: 'deal',
        before: present(ctx.viewer, row),
      });
      if (!gone) throw new AppError('CONFLICT', { current: present(ctx.viewer, await load(ctx, id)) });
    },
  };
}

/** A dealership that was deleted while the row was written is told like one that never was. */
async function refusingGoneDealership<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== queries.DEALERSHIP_KEY) throw error;
    throw invalidField('dealershipId', 'Choose one of the dealerships');
  }
}

export type DealsService = ReturnType<typeof createDealsService>;
