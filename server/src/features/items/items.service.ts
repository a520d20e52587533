import { isDeepStrictEqual } from 'node:util';
import type { Item, ItemChanges, ItemInput } from '@forecourt/contract/items';
import { audit } from '../../platform/audit.ts';
import type { Db } from '../../platform/db/database.ts';
import { inTransaction, type Context, type Viewer } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import { requireAbility } from '../../platform/http/policy.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import { newId } from '../../platform/ids.ts';
import type { HiddenChange } from '../../platform/live/event-filter.ts';
import { lockOrder, reorder } from '../../platform/ordering.ts';
import { deleteRecord, insertRecord, updateRecord } from '../../platform/records.queries.ts';
import { presentAccess, recordedAccess, hadAccess } from '../../platform/sharing/access.ts';
import { createRecords, pick } from '../../platform/sharing/records.ts';
import { visibleIds } from '../../platform/sharing/shares.queries.ts';
import { createSharing } from '../../platform/sharing/sharing.ts';
import { formatUsage } from '../../platform/usage.ts';
import type { DealsService } from '../deals/deals.service.ts';
import { abilities, canReorder, visibilityScopeOf } from './items.policy.ts';
import * as queries from './items.queries.ts';

const entity = 'item' as const;

export function createItemsService(deals: Pick<DealsService, 'countByItem' | 'offersItems'>) {
  const find = async (ctx: Context, ids: string[]) =>
    withUsage(ctx, await queries.findItems(ctx.db, visibilityScopeOf(ctx.viewer), ids));
  const records = createRecords({ entity, find, present });
  const sharing = createSharing(entity, records, abilities);

  async function withUsage(ctx: Context, rows: queries.ItemRow[]): Promise<ItemWithUsage[]> {
    if (rows.length === 0) return [];
    const counts = await deals.countByItem(ctx);
    return rows.map((row) => ({ ...row, usage: counts.get(row.id) ?? 0 }));
  }

  async function list(ctx: Context): Promise<{ items: Item[]; total: number }> {
    const rows = await withUsage(ctx, await queries.listItems(ctx.db, visibilityScopeOf(ctx.viewer)));
    return wholeList(rows.map((row) => present(ctx.viewer, row)));
  }

  return {
    sharing,
    list,

    /** Returns which items the viewer may see, or choose for a row, for live events. */
    visibleIds(db: Db, viewer: Viewer, ids: string[]): Promise<Set<string>> {
      const scope = visibilityScopeOf(viewer);
      return visibleIds(db, 'item', { ...scope, all: scope.all || deals.offersItems(viewer) }, ids);
    },

    /** Whether a viewer who cannot see an item now had access before a change. */
    wasVisible: (viewer: Viewer, { past }: HiddenChange) => hadAccess(viewer, past.before),

    get: async (ctx: Context, id: string): Promise<Item> =>
      present(ctx.viewer, await records.loadOne(ctx, id)),

    create: (ctx: Context, { sharedWith, ...input }: ItemInput): Promise<Item> =>
      inTransaction(ctx, async (inner) => {
        const id = newId();
        const last = (await lockOrder(inner.db, entity)).at(-1)?.position ?? 0;
        const row = { id, ...fieldsOf(input), owner_id: ctx.viewer.userId, position: last + 1 };
        await insertRecord(inner.db, 'items', row);
        return present(ctx.viewer, await sharing.created(inner, id, { sharedWith }, fieldsOf(input)));
      }),

    /** Name and price in existing deals stay unchanged. Throws CONFLICT if `version` is outdated. */
    update: (ctx: Context, id: string, input: ItemChanges): Promise<Item> =>
      records.change(
        ctx,
        id,
        { action: 'updated', allowed: (row) => abilities(ctx.viewer, row).edit, version: input.version },
        async (inner, row) => {
          const [before, after] = [fieldsOf(row), fieldsOf(input)];
          const shared = await sharing.applyInput(inner, row, input);
          if (isDeepStrictEqual(before, after) && !shared) return undefined;
          await updateRecord(inner.db, 'items', id, after);
          return { before: { ...before, ...shared?.before }, after: { ...after, ...shared?.after } };
        },
      ),

    /** Throws IN_USE if deals contain the item. Only administrators get the number of deals. */
    async remove(ctx: Context, id: string): Promise<undefined> {
      await inTransaction(ctx, async (inner) => {
        const row = (await records.locked(inner, [id]))[0]!;
        requireAbility(abilities(ctx.viewer, row).delete);
        const uses = await queries.countUses(inner.db, id);
        if (uses > 0) {
          throw new AppError('IN_USE', {
            message: `${row.name} is in ${formatUsage(ctx.viewer, uses, 'deal')} and cannot be deleted. Deactivate it instead.`,
          });
        }
        await deleteRecord(inner.db, 'items', id);
        await audit(inner, 'item.deleted', id, {
          before: { ...fieldsOf(row), ...recordedAccess(entity, row) },
        });
      });
    },

    /** Throws a 400 unless `ids` has every item once. */
    reorder: (ctx: Context, ids: string[]) =>
      inTransaction(ctx, async (inner) => {
        requireAbility(canReorder(ctx.viewer));
        await reorder(inner, entity, ids);
        return list(inner);
      }),
  };
}

export type ItemsService = ReturnType<typeof createItemsService>;

type ItemWithUsage = queries.ItemRow & { usage: number };

const fieldsOf = (item: Pick<Item, 'name' | 'category' | 'price' | 'cost' | 'active'>) =>
  pick(item, ['name', 'category', 'price', 'cost', 'active']);

const present = (viewer: Viewer, row: ItemWithUsage): Item => ({
  _id: row.id,
  ...fieldsOf(row),
  order: row.position,
  usage: row.usage,
  ...presentAccess(viewer, entity, row),
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  abilities: abilities(viewer, row),
});
