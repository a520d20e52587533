import { isDeepStrictEqual } from 'node:util';
import type { Item, ItemChanges, ItemInput } from '@forecourt/contract/items';
import { audit } from '../../platform/audit.ts';
import type { Db } from '../../platform/db/database.ts';
import { inTransaction, type Context, type Viewer } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { requireAbility } from '../../platform/http/policy.ts';
import { newId } from '../../platform/ids.ts';
import { usesInWords } from '../../platform/in-use.ts';
import type { UnseenChange } from '../../platform/live/events.ts';
import { lockOrder, reorder } from '../../platform/ordering.ts';
import { createRecords } from '../../platform/records.ts';
import { presentHeld, recordedHeld, wasHeld } from '../../platform/sharing/held.ts';
import { createSharing } from '../../platform/sharing/sharing.ts';
import type { DealsService } from '../deals/deals.service.ts';
import { abilities, canReorder, sightOf } from './items.policy.ts';
import * as queries from './items.queries.ts';

const entity = 'item' as const;

/** Items, which are what is sold (product.md section 5). */
export function createItemsService(deals: Pick<DealsService, 'countByItem' | 'offersItems'>) {
  const find = async (ctx: Context, ids: string[]) =>
    withUsage(ctx, await queries.findItems(ctx.db, sightOf(ctx.viewer), ids));
  const records = createRecords({ entity, find, present });
  const sharing = createSharing(entity, records, abilities);

  async function withUsage(ctx: Context, rows: queries.ItemRow[]): Promise<ItemWithUsage[]> {
    const counts = await deals.countByItem(
      ctx,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => ({ ...row, usage: counts.get(row.id) ?? 0 }));
  }

  async function list(ctx: Context): Promise<{ items: Item[]; total: number }> {
    const rows = await withUsage(ctx, await queries.listItems(ctx.db, sightOf(ctx.viewer)));
    return { items: rows.map((row) => present(ctx.viewer, row)), total: rows.length };
  }

  return {
    sharing,
    list,

    /** Of these items, those that the viewer sees, or may choose for a row: for live events. */
    visibleIds(db: Db, viewer: Viewer, ids: string[]): Promise<Set<string>> {
      const sight = sightOf(viewer);
      return queries.visibleIds(db, { ...sight, all: sight.all || deals.offersItems(viewer) }, ids);
    },

    /** Whether a viewer who does not see an item now saw it as theirs until a change, judged by what it was. */
    wasVisible: (viewer: Viewer, { past }: UnseenChange) => wasHeld(viewer, past.before),

    get: async (ctx: Context, id: string): Promise<Item> =>
      present(ctx.viewer, await records.loadOne(ctx, id)),

    /** A new item is the last one. */
    create: (ctx: Context, { sharedWith, ...input }: ItemInput): Promise<Item> =>
      inTransaction(ctx, async (inner) => {
        const id = newId();
        const last = (await lockOrder(inner.db, entity)).at(-1)?.position ?? 0;
        const row = { id, ...fieldsOf(input), owner_id: ctx.viewer.userId, position: last + 1 };
        await refusingTakenName(queries.insertItem(inner.db, row));
        const shared = await sharing.said(inner, await records.loadOne(inner, id), { sharedWith });
        const created = present(ctx.viewer, await records.loadOne(inner, id));
        await audit(inner.db, ctx, {
          action: 'item.created',
          entity,
          recordId: id,
          version: created.version,
          after: { ...fieldsOf(input), ...shared?.after },
        });
        return created;
      }),

    /** Deals keep the name and price they were written with. Throws CONFLICT when `version` is an older one. */
    update: (ctx: Context, id: string, input: ItemChanges): Promise<Item> =>
      records.change(
        ctx,
        id,
        { action: 'updated', allowed: (row) => abilities(ctx.viewer, row).edit, version: input.version },
        async (inner, row) => {
          const [before, after] = [fieldsOf(row), fieldsOf(input)];
          const shared = await sharing.said(inner, row, input);
          if (isDeepStrictEqual(before, after) && !shared) return undefined;
          await refusingTakenName(queries.updateItem(inner.db, id, after));
          return { before: { ...before, ...shared?.before }, after: { ...after, ...shared?.after } };
        },
      ),

    /** Throws IN_USE with how many deals have it, where the caller sees all of them. */
    async remove(ctx: Context, id: string): Promise<undefined> {
      await inTransaction(ctx, async (inner) => {
        const row = (await records.locked(inner, [id]))[0]!;
        requireAbility(abilities(ctx.viewer, row).delete);
        const uses = await queries.countUses(inner.db, id);
        if (uses > 0) {
          throw new AppError('IN_USE', {
            message: `${row.name} is in ${usesInWords(ctx.viewer, uses, 'deal')} and cannot be deleted. Deactivate it instead.`,
          });
        }
        await queries.deleteItem(inner.db, id);
        await audit(inner.db, ctx, {
          action: 'item.deleted',
          entity,
          recordId: id,
          before: { ...fieldsOf(row), ...recordedHeld(entity, row) },
        });
      });
    },

    /** Throws a 400 unless every item is named once. */
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

/** The unique index decides, so that two people cannot take one name at once. */
async function refusingTakenName(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'items_name') throw error;
    throw invalidField('name', 'There is already an item with this name');
  }
}

/** What a person writes of an item; who shares it is written in its own way. */
const fieldsOf = ({
  name,
  category,
  price,
  cost,
  active,
}: Pick<Item, 'name' | 'category' | 'price' | 'cost' | 'active'>) => ({
  name,
  category,
  price,
  cost,
  active,
});

const present = (viewer: Viewer, row: ItemWithUsage): Item => ({
  _id: row.id,
  ...fieldsOf(row),
  order: row.position,
  usage: row.usage,
  ...presentHeld(viewer, entity, row),
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  abilities: abilities(viewer, row),
});
