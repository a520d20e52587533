import type { Deal, DealStatus } from '@forecourt/contract/deals';
import type { Db } from '../../platform/db/database.ts';
import type { Context, Viewer } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import { requireAbility } from '../../platform/http/policy.ts';
import type { UnseenChange } from '../../platform/live/events.ts';
import { createRecords, type Writing } from '../../platform/records.ts';
import { createSharing } from '../../platform/sharing/sharing.ts';
import { createDealAddition } from './deal-add.service.ts';
import { createDealBulk } from './deal-bulk.service.ts';
import { createDealChanges, type DealParts } from './deal-change.service.ts';
import { createDealCreation } from './deal-create.service.ts';
import { createDealDesk } from './deal-desk.service.ts';
import { createDealExport } from './deal-export.service.ts';
import { createDealFigures } from './deal-figures.service.ts';
import { createDealHistory } from './deal-history.service.ts';
import { createDealImport } from './deal-import.service.ts';
import { listOffered } from './deal-items.queries.ts';
import { createDealList } from './deal-list.service.ts';
import * as statuses from './deal-statuses.queries.ts';
import { createDealUpdate } from './deal-update.service.ts';
import { updateDeal } from './deal-write.queries.ts';
import { present, recorded, refuseHidden } from './deals.fields.ts';
import {
  canAddInSight,
  canDelete,
  canOpen,
  canSee,
  columnsSeenBy,
  isWithin,
  offersItems,
  scopeOf,
  searchesAllMonths,
  seesAllMonths,
  sharingAbilities,
  type ScopedDeal,
} from './deals.policy.ts';
import * as queries from './deals.queries.ts';

/** Rows that one statement gives another status: far from the time after which the database ends it. */
const REPLACED_AT_ONCE = 10_000;

type NamedStatus = { id: string; name: string };

const counts = (rows: { id: string; count: number }[]): Map<string, number> =>
  new Map(rows.map(({ id, count }) => [id, count]));

/** Deal rows (product.md section 4; spec.md sections 3, 4 and 6). */
export function createDealsService(parts: DealParts) {
  const { dealerships, clock } = parts;
  const inScope = (viewer: Viewer): queries.InScope => ({
    ...scopeOf(viewer, clock.businessMonth()),
    timeZone: clock.timeZone,
  });

  const changes = createDealChanges(parts, inScope);
  const records = createRecords({
    entity: 'deal',
    find: (ctx, ids) => queries.findDeals(ctx.db, inScope(ctx.viewer), ids),
    present,
    ownerSet: changes.ownerSet,
  });
  const load = records.loadOne;
  const sharing = createSharing('deal', records, sharingAbilities);

  /**
   * Filters as this viewer may use them: a search without a month stays in the current one for some, and goes
   * over the columns that exist for them. Throws a 400 about a filter by another column.
   */
  function filterFor(viewer: Viewer, filter: queries.DealFilter): queries.DealFilter {
    refuseHidden(viewer, filter);
    const staysInMonth = filter.search && !filter.month && !searchesAllMonths(viewer);
    return {
      ...filter,
      ...(staysInMonth && { month: clock.businessMonth() }),
      searchIn: queries.searchColumns.filter((column) => canSee(viewer, column)),
    };
  }

  const imports = createDealImport(parts, inScope);
  const figures = createDealFigures({ inScope, filterFor });

  return {
    figures,
    desk: createDealDesk({ inScope }),
    mayOpenMonth: (viewer: Viewer, month: string): boolean =>
      seesAllMonths(viewer) || month === clock.businessMonth(),
    sharing,
    bulk: createDealBulk({ records, changes, sharing, inScope }),
    history: createDealHistory({ load, inScope }),
    list: createDealList({ inScope, filterFor }),
    imports,
    createEach: createDealCreation({ records, imports, clock, inScope }),
    exports: createDealExport({ inScope, filterFor }),
    ownerSet: changes.ownerSet,

    /** What the grid's totals say, and how many rows have each status. */
    async summary(ctx: Context, filter: queries.DealFilter) {
      const { rows, total } = await figures.byStatus(ctx, filter);
      const { deals, saleAmount, grossProfit, commission } = total;
      const { onlyMonth } = inScope(ctx.viewer);
      return {
        ...(onlyMonth !== null && { onlyMonth }),
        total: deals,
        byStatus: rows,
        ...(saleAmount !== undefined && { saleAmount }),
        ...(grossProfit !== undefined && { grossProfit }),
        ...(commission !== undefined && { commission }),
      };
    },

    async options(ctx: Context) {
      const scope = inScope(ctx.viewer);
      const offeredStatuses = await statuses.listStatuses(ctx.db, scope.exceptStatuses);
      const offered = await dealerships.options(ctx);
      return {
        statuses: offeredStatuses.map((status): DealStatus => ({
          _id: status.id,
          name: status.name,
          color: status.color,
          order: status.position,
          active: status.active,
          isDefault: status.is_default,
        })),
        dealerships: offered.filter(({ _id }) => !scope.exceptDealerships.includes(_id)),
        items: offersItems(ctx.viewer)
          ? (await listOffered(ctx.db)).map(({ id, name, price }) => ({ _id: id, name, price }))
          : [],
        owners: canSee(ctx.viewer, 'owner')
          ? (await queries.listOwners(ctx.db)).map(({ id, name }) => ({ _id: id, name }))
          : [],
        columns: columnsSeenBy(ctx.viewer),
        add: canAddInSight(ctx.viewer, scope, {
          day: clock.businessDate(),
          seesDefaultStatus: offeredStatuses.some((status) => status.is_default),
        }),
        currentMonth: clock.businessMonth(),
        timeZone: clock.timeZone,
      };
    },

    offersItems,

    /** How many rows have each status, of those that the viewer may see. */
    async countByStatus({ db, viewer }: Context): Promise<Map<string, number>> {
      if (!canOpen(viewer) || !canSee(viewer, 'status')) return new Map();
      return counts(await queries.countByStatus(db, inScope(viewer)));
    },

    /** How many rows have each of these items, of those that the viewer may see. */
    countByItem: async ({ db, viewer }: Context, itemIds: string[]): Promise<Map<string, number>> =>
      canOpen(viewer) ? counts(await queries.countByItem(db, inScope(viewer), itemIds)) : new Map(),

    /** How many rows have a status, whoever may see them and also where they are deleted. */
    countWithStatus: ({ db }: Writing, statusId: string): Promise<number> =>
      statuses.countWithStatus(db, statusId),

    /** Gives all rows that have a status another one, deleted rows too. Judges nobody's rights. */
    async replaceStatus(ctx: Writing, from: NamedStatus, to: NamedStatus): Promise<void> {
      const entry = {
        action: 'deal.updated',
        entity: 'deal',
        // Afterwards nobody could tell by its name which status it was.
        before: { status: from.name, statusId: from.id },
        after: { status: to.name },
      } as const;
      while (
        (await statuses.replaceStatus(ctx.db, ctx, from.id, to.id, entry, REPLACED_AT_ONCE)) ===
        REPLACED_AT_ONCE
      );
    },

    get: async (ctx: Context, id: string): Promise<Deal> => present(ctx.viewer, await load(ctx, id)),

    /** These rows in this order, as mail may tell of them: with the sender's own eyes. Throws NOT_FOUND without all. */
    async forMail(ctx: Context, ids: string[]): Promise<Deal[]> {
      const rows = new Map((await records.load(ctx, ids)).map((row) => [row.id, row]));
      return ids.map((id) => present(ctx.viewer, rows.get(id)!));
    },

    /** Of these rows those that the viewer sees, each with its customer where that exists for them. */
    async namesOf({ db, viewer }: Context, ids: string[]): Promise<Map<string, { customerName?: string }>> {
      if (!canOpen(viewer) || ids.length === 0) return new Map();
      const rows = await queries.findNames(db, inScope(viewer), ids);
      return new Map(
        rows.map((row) => [
          row.id,
          canSee(viewer, 'customerName') ? { customerName: row.customer_name } : {},
        ]),
      );
    },

    /** Of these rows those that a viewer sees, for live events: none without the page. Reads them once for all who ask. */
    seenBy(db: Db, ids: string[]): (viewer: Viewer) => Promise<Set<string>> {
      let reading: Promise<ScopedDeal[]> | undefined;
      return async (viewer) => {
        if (!canOpen(viewer)) return new Set();
        reading ??= queries.findScopedKept(db, ids, clock.timeZone).catch((error: unknown) => {
          reading = undefined;
          throw error;
        });
        const scope = inScope(viewer);
        return new Set((await reading).filter((row) => isWithin(scope, row)).map(({ id }) => id));
      };
    },

    /** Of changes of rows that a viewer does not see now, those until which they saw them. */
    async departed(db: Db, viewer: Viewer, changes: UnseenChange[]): Promise<UnseenChange[]> {
      if (!canOpen(viewer)) return [];
      const ids = [...new Set(changes.map(({ recordId }) => recordId))];
      const rows = new Map((await queries.findScoped(db, ids, clock.timeZone)).map((row) => [row.id, row]));
      const statusIds = new Map((await statuses.listStatuses(db, [])).map(({ id, name }) => [name, id]));
      const scope = inScope(viewer);
      // From the newest change back: what a row was before it is what it was after it, but for what it changed.
      return changes.toReversed().filter(({ recordId, past: { before } }) => {
        const after = rows.get(recordId);
        if (!after) return false;
        const was = before as Partial<Deal> & { statusId?: string };
        const row = {
          ...after,
          month: was.month ?? after.month,
          dealershipId: was.dealershipId ?? after.dealershipId,
          statusId: was.statusId ?? statusIds.get(was.status ?? '') ?? after.statusId,
        };
        rows.set(recordId, row);
        return isWithin(scope, row);
      });
    },

    create: createDealAddition({ changes, clock, inScope }),
    update: createDealUpdate({ records, changes, sharing, inScope }),

    async remove(ctx: Context, id: string): Promise<undefined> {
      const row = await load(ctx, id);
      requireAbility(canDelete(ctx.viewer, row));
      const gone = await updateDeal(ctx.db, ctx, row, changes.deletion(ctx), [], {
        action: 'deal.deleted',
        entity: 'deal',
        before: recorded(row),
      });
      if (!gone) throw new AppError('CONFLICT', { current: present(ctx.viewer, await load(ctx, id)) });
    },
  };
}

export type DealsService = ReturnType<typeof createDealsService>;
