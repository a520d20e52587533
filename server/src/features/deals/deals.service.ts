import type { Deal, DealStatus } from '@forecourt/contract/deals';
import type { Figures } from '@forecourt/contract/figures';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Context, Viewer, TxContext } from '../../platform/http/context.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import type { EventBus } from '../../platform/live/event-bus.ts';
import type { HiddenChange } from '../../platform/live/event-filter.ts';
import { levelFor } from '../../platform/sharing/levels.ts';
import { createRecords, pick } from '../../platform/sharing/records.ts';
import { createSharing } from '../../platform/sharing/sharing.ts';
import type { VisibleFields } from '../custom-fields/custom-fields.service.ts';
import { countFiles } from './attachments/deal-attachments.queries.ts';
import { createDealAttachments, type FileLimits } from './attachments/deal-attachments.service.ts';
import { createChangeSets } from './changes/change-sets.service.ts';
import { countComments } from './comments/deal-comments.queries.ts';
import { createDealComments } from './comments/deal-comments.service.ts';
import type { MentionMail } from './comments/mention-mail.ts';
import { present } from './deals.fields.ts';
import {
  canAddVisibleRow,
  canEditCustom,
  canOpen,
  canSee,
  visibleColumnsOf,
  visibleCustomFields,
  dealershipVisible,
  monthVisible,
  offersItems,
  scopeOf,
  sharingAbilities,
  statusVisible,
  visible,
  type ScopedDeal,
} from './deals.policy.ts';
import * as queries from './deals.queries.ts';
import { createFollowUps } from './follow-ups/follow-ups.service.ts';
import { createDealHistory } from './history/deal-history.service.ts';
import { createDealImport } from './import/deal-import.service.ts';
import { countByStatus } from './list/deal-figures.queries.ts';
import { createDealFigures } from './list/deal-figures.service.ts';
import { createFilterFor, createReadPermit } from './list/deal-filter.service.ts';
import { createDealExport, createDealList } from './list/deal-list.service.ts';
import { replaceStatus } from './write/change-deals.queries.ts';
import { createDealChanges, type DealParts } from './write/change-deals.service.ts';
import { createDealCreation } from './write/create-deals.service.ts';
import { createDealBulk } from './write/deal-bulk.service.ts';
import { createDealRates, createOwnerSetter } from './write/deal-rates.service.ts';

/** Rows per statement that replaces a status: low enough to finish well before the statement timeout. */
const REPLACED_AT_ONCE = 10_000;

type FindVisible = (viewer: Viewer) => Promise<Set<string>>;

type NamedStatus = { id: string; name: string };

export type NamedDeal = { month: string; customerName?: string };

const counts = (rows: { id: string; count: number }[]): Map<string, number> =>
  new Map(rows.map(({ id, count }) => [id, count]));

/** Returns the sums of figures, without those hidden from the viewer. */
const sumsOf = ({ saleAmount, grossProfit, commission, withoutRate }: Figures) => ({
  ...(saleAmount !== undefined && { saleAmount }),
  ...(grossProfit !== undefined && { grossProfit }),
  ...(commission !== undefined && { commission, withoutRate }),
});

/** Deal rows (docs/product/data-entry.md). */
export function createDealsService(
  parts: DealParts & {
    eventBus: Pick<EventBus, 'on' | 'isListening'>;
    mentionMail: Pick<MentionMail, 'enqueue'>;
    config: FileLimits;
  },
) {
  const { dealerships, clock } = parts;
  const inScope = (viewer: Viewer): queries.InScope => ({
    ...scopeOf(viewer, clock.businessMonth()),
    timeZone: clock.timeZone,
  });

  const setOwner = createOwnerSetter(parts.settings);
  const records = createRecords({
    entity: 'deal',
    find: (ctx, ids) => queries.findDeals(ctx.db, inScope(ctx.viewer), ids),
    present,
    setOwner,
  });
  const load = records.loadOne;
  const sharing = createSharing('deal', records, sharingAbilities);
  const changes = createDealChanges({ ...parts, records, sharing, inScope });

  /**
   * Returns a function that returns the ids of these rows that are visible to a viewer, for live events.
   * Deleted rows are left out; a viewer without Data Entry gets none. All viewers share one query.
   */
  function findVisible(db: Db | Tx, ids: string[]): FindVisible {
    let reading: Promise<ScopedDeal[]> | undefined;
    return async (viewer) => {
      if (!canOpen(viewer)) return new Set();
      reading ??= queries.findScopedUndeleted(db, ids, clock.timeZone).catch((error: unknown) => {
        reading = undefined;
        throw error;
      });
      const scope = inScope(viewer);
      return new Set((await reading).filter((row) => visible.matches(scope, row)).map(({ id }) => id));
    };
  }

  const creation = createDealCreation({ ...parts, records, inScope });
  const withPermit = createReadPermit();
  const filterFor = createFilterFor(clock);
  const figures = createDealFigures({ withPermit, inScope, filterFor });

  return {
    figures,
    followUps: createFollowUps({ customFields: parts.customFields, inScope }),
    canOpenMonth: (viewer: Viewer, month: string): boolean =>
      monthVisible.matches(inScope(viewer), { month }),
    sharing,
    attachments: createDealAttachments(records, parts.config),
    comments: createDealComments({ records, findVisible, mentionMail: parts.mentionMail }),
    bulk: createDealBulk({ records, changes, sharing, inScope }),
    changeSets: createChangeSets({ customFields: parts.customFields, inScope }),
    history: createDealHistory({ load, customFields: parts.customFields, inScope }),
    list: createDealList({ eventBus: parts.eventBus, withPermit, inScope, filterFor }),
    imports: createDealImport({ creation, load, inScope }),
    creation,
    changes,
    exports: createDealExport({ inScope, filterFor }),
    rates: createDealRates(parts.settings),
    setOwner,

    async summary(ctx: Context, filter: queries.RequestedFilter) {
      const { rows, total } = await figures.byStatus(ctx, filter);
      const { onlyMonth } = inScope(ctx.viewer);
      return {
        ...(onlyMonth !== null && { onlyMonth }),
        total: total.deals,
        byStatus: rows,
        ...sumsOf(total),
      };
    },

    async marks({ db, viewer }: Context, month: string | undefined) {
      const scope = inScope(viewer);
      const none = { comments: 0, unread: 0, files: 0 };
      const marks = new Map<string, typeof none>();
      for (const { dealId, ...counted } of [
        ...(await countComments(db, scope, viewer.userId, month)),
        ...(await countFiles(db, scope, month)),
      ])
        marks.set(dealId, { ...none, ...marks.get(dealId), ...counted });
      return wholeList(Array.from(marks, ([dealId, counted]) => ({ dealId, ...counted })));
    },

    async options(ctx: Context) {
      const scope = inScope(ctx.viewer);
      const offeredStatuses = (await queries.listStatuses(ctx.db)).filter(({ id }) =>
        statusVisible.matches(scope, { statusId: id }),
      );
      const offered = await dealerships.options(ctx);
      const custom = visibleCustomFields(ctx.viewer, await parts.customFields.definitions(ctx.db));
      return {
        statuses: offeredStatuses.map((status): DealStatus => ({
          _id: status.id,
          name: status.name,
          color: status.color,
          order: status.position,
          active: status.active,
          isDefault: status.is_default,
          isClosed: status.is_closed,
          countsForCommission: status.counts_for_commission,
        })),
        dealerships: offered.filter(({ _id }) => dealershipVisible.matches(scope, { dealershipId: _id })),
        items: offersItems(ctx.viewer)
          ? (await queries.listOffered(ctx.db)).map(({ id, name, price }) => ({ _id: id, name, price }))
          : [],
        owners: canSee(ctx.viewer, 'owner')
          ? (await queries.listOwners(ctx.db)).map(({ id, name }) => ({ _id: id, name }))
          : [],
        columns: visibleColumnsOf(ctx.viewer),
        customFields: custom.map((field) => ({
          ...pick(field, ['key', 'name', 'type', 'help', 'options', 'isRequired', 'defaultValue']),
          editable: canEditCustom(ctx.viewer, field),
        })),
        people: custom.some(({ type }) => type === 'person')
          ? (await queries.listActiveUsers(ctx.db)).map(({ id, name }) => ({ _id: id, name }))
          : [],
        add: canAddVisibleRow(ctx.viewer, scope, {
          day: clock.businessDate(),
          seesDefaultStatus: offeredStatuses.some((status) => status.is_default),
        }),
        currentMonth: clock.businessMonth(),
        timeZone: clock.timeZone,
      };
    },

    offersItems,

    /**
     * Returns the number of rows visible to the viewer, by status id; empty if the status column is hidden.
     */
    async countByStatus({ db, viewer }: Context): Promise<Map<string, number>> {
      if (!canOpen(viewer) || !canSee(viewer, 'status')) return new Map();
      return counts(await countByStatus(db, inScope(viewer)));
    },

    countByItem: async ({ db, viewer }: Context, itemIds: string[]): Promise<Map<string, number>> =>
      canOpen(viewer) ? counts(await queries.countByItem(db, inScope(viewer), itemIds)) : new Map(),

    /** Returns the number of rows with a status, including deleted rows and rows hidden from the viewer. */
    countWithStatus: ({ db }: TxContext, statusId: string): Promise<number> =>
      queries.countWithStatus(db, statusId),

    /** Replaces a status in all rows, including deleted ones. Does not check permissions. */
    async replaceStatus(ctx: TxContext, from: NamedStatus, to: NamedStatus): Promise<void> {
      while ((await replaceStatus(ctx.db, ctx, from, to, REPLACED_AT_ONCE)) === REPLACED_AT_ONCE);
    },

    get: async (ctx: Context, id: string): Promise<Deal> => present(ctx.viewer, await load(ctx, id)),

    /** Returns the custom fields that a viewer may see, and the people that their values name. */
    async customFields(db: Db | Tx, viewer: Viewer): Promise<VisibleFields> {
      const fields = visibleCustomFields(viewer, await parts.customFields.definitions(db));
      const people = fields.some(({ type }) => type === 'person') ? await queries.listOwners(db) : [];
      return { fields, people: new Map(people.map(({ id, name }) => [id, name])) };
    },

    /**
     * Returns these rows in this order, with the columns visible to the sender. Throws NOT_FOUND (404) unless
     * the sender sees all of them.
     */
    async forMail(ctx: Context, ids: string[]): Promise<Deal[]> {
      const rows = new Map((await records.load(ctx, ids)).map((row) => [row.id, row]));
      return ids.map((id) => present(ctx.viewer, rows.get(id)!));
    },

    /** Returns by id the rows visible to the viewer, with the customer name if that column is visible to them. */
    namesOf: async (
      { db, viewer }: Pick<Context, 'db' | 'viewer'>,
      ids: string[],
    ): Promise<Map<string, NamedDeal>> => {
      if (!canOpen(viewer) || ids.length === 0) return new Map();
      const rows = await queries.findNames(db, inScope(viewer), ids);
      const isNamed = canSee(viewer, 'customerName');
      return new Map(
        rows.map(({ id, month, customer_name: customerName }) => [
          id,
          { month, ...(isNamed && { customerName }) },
        ]),
      );
    },

    findVisible,

    /**
     * Returns a function that returns the ids of these rows whose mail state is visible to a viewer, for live
     * events.
     */
    findVisibleMail(db: Db, ids: string[]): FindVisible {
      const seen = findVisible(db, ids);
      return async (viewer) => (canSee(viewer, 'lastEmailedAt') ? seen(viewer) : new Set());
    },

    /**
     * Returns the changes by which rows stopped being visible to the viewer. None of the rows is visible now.
     */
    async findLostVisibility(db: Db, viewer: Viewer, changes: HiddenChange[]): Promise<HiddenChange[]> {
      if (!canOpen(viewer)) return [];
      const ids = [...new Set(changes.map(({ recordId }) => recordId))];
      const rows = new Map((await queries.findScoped(db, ids, clock.timeZone)).map((row) => [row.id, row]));
      const statusIds = new Map((await queries.listStatuses(db)).map(({ id, name }) => [name, id]));
      const scope = inScope(viewer);
      // Undoes the changes from the newest to the oldest: `before` has the previous values of the changed
      // fields only.
      return changes.toReversed().filter(({ recordId, past: { before } }) => {
        const after = rows.get(recordId);
        if (!after) return false;
        const was = before as Partial<Deal> & { statusId?: string };
        const row = {
          ...after,
          month: was.month ?? after.month,
          dealershipId: was.dealershipId ?? after.dealershipId,
          statusId: was.statusId ?? statusIds.get(was.status ?? '') ?? after.statusId,
          owner_id: was.owner ?? after.owner_id,
          shares:
            was.sharedWith?.map((share) => ({ ...share, level: levelFor('deal', share.permissions) })) ??
            after.shares,
        };
        rows.set(recordId, row);
        return visible.matches(scope, row);
      });
    },
  };
}

export type DealsService = ReturnType<typeof createDealsService>;
