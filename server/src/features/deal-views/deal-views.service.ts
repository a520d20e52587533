import { isDeepStrictEqual } from 'node:util';
import type { Arrangement, SavedView, SavedViewInput } from '@forecourt/contract/deal-views';
import { identityColumns, type ViewColumnName } from '@forecourt/contract/permission-defaults';
import { audit } from '../../platform/audit.ts';
import type { Db } from '../../platform/db/database.ts';
import { inTransaction, type Context, type Viewer } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { requireAbility } from '../../platform/http/policy.ts';
import { newId } from '../../platform/ids.ts';
import type { UnseenChange } from '../../platform/live/events.ts';
import type { Writing } from '../../platform/records.ts';
import type { DealsService } from '../deals/deals.service.ts';
import {
  abilities,
  asSeenBy,
  canOpen,
  freeName,
  merged,
  unknownIn,
  type Known,
} from './deal-views.policy.ts';
import * as queries from './deal-views.queries.ts';

const entity = 'deal-view' as const;

/** Views that one person may have: more is a mistake of a script. */
const MOST = 200;

/** Saved views of Data Entry (product.md section 4). */
export function createDealViewsService(deals: Pick<DealsService, 'options'>) {
  /** What the viewer is offered on the screen: whatever else a view names does not exist for them. */
  async function knownTo(ctx: Context): Promise<Known> {
    const { columns, statuses, dealerships, owners } = await deals.options(ctx);
    const ids = (records: readonly { _id: string }[]) => new Set(records.map(({ _id }) => _id));
    return {
      columns: new Set<ViewColumnName>([...columns, ...identityColumns]),
      statuses: ids(statuses),
      dealerships: ids(dealerships),
      owners: ids(owners),
    };
  }

  async function load(ctx: Context, id: string): Promise<queries.ViewRow> {
    const row = await queries.findView(ctx.db, ctx.viewer.userId, id);
    if (!row) throw new AppError('NOT_FOUND');
    return row;
  }

  /** Throws a 400 about what does not exist for the writer. */
  function check(known: Known, input: Arrangement): void {
    const field = unknownIn(known, input);
    if (field !== undefined) throw invalidField(field, 'This names something that does not exist');
  }

  return {
    async list(ctx: Context): Promise<{ items: SavedView[]; total: number }> {
      const [rows, known] = [await queries.listViews(ctx.db, ctx.viewer.userId), await knownTo(ctx)];
      return { items: rows.map((row) => present(ctx.viewer, known, row)), total: rows.length };
    },

    get: async (ctx: Context, id: string): Promise<SavedView> =>
      present(ctx.viewer, await knownTo(ctx), await load(ctx, id)),

    /** Of these views those that a viewer sees, for live events: none without the page. */
    visibleIds: async (db: Db, viewer: Viewer, ids: string[]): Promise<Set<string>> =>
      canOpen(viewer) ? queries.visibleIds(db, viewer.userId, ids) : new Set(),

    /** Whether a viewer who does not see a view now saw it until a change, judged by what it was. */
    wasVisible: (viewer: Viewer, { past: { before } }: UnseenChange): boolean =>
      canOpen(viewer) && (before.shared === true || before.owner === viewer.userId),

    create: (ctx: Context, { name, shared, filters, sort, columns }: SavedViewInput): Promise<SavedView> =>
      inTransaction(ctx, async (inner) => {
        const known = await knownTo(inner);
        const fields = { name, shared, filters, sort, columns };
        check(known, fields);
        if ((await queries.countOwn(inner.db, ctx.viewer.userId)) >= MOST) {
          throw invalidField('name', `You have ${MOST} views already. Delete one first.`);
        }
        const id = newId();
        await refusingTakenName(
          queries.insertView(inner.db, { id, owner_id: ctx.viewer.userId, ...columnsOf(fields) }),
        );
        const row = await load(inner, id);
        const entry = { entity, recordId: id, version: row.version } as const;
        await audit(inner.db, ctx, { action: 'deal-view.created', ...entry, after: fields });
        return present(ctx.viewer, known, row);
      }),

    /** What its writer does not see of it stays. Throws CONFLICT with the view as it is when `version` is an older one. */
    update: (
      ctx: Context,
      id: string,
      { name, shared, version, ...arrangement }: SavedViewInput,
    ): Promise<SavedView> =>
      inTransaction(ctx, async (inner) => {
        await queries.lockView(inner.db, id);
        const [row, known] = [await load(inner, id), await knownTo(inner)];
        requireAbility(abilities(ctx.viewer, row).edit);
        const seen = present(ctx.viewer, known, row);
        if (version !== undefined && version !== row.version) {
          throw new AppError('CONFLICT', { current: seen });
        }
        check(known, arrangement);
        const before = fieldsOf(row);
        const after = { name, shared, ...merged(known, storedIn(row), arrangement) };
        if (isDeepStrictEqual(before, after)) return seen;
        await refusingTakenName(queries.updateView(inner.db, id, columnsOf(after)));
        const entry = { entity, recordId: id, version: row.version + 1 } as const;
        await audit(inner.db, ctx, {
          action: 'deal-view.updated',
          ...entry,
          before: { owner: row.owner_id, ...before },
          after,
        });
        // An administrator who ends the sharing of somebody else's view does not see it any more.
        const changed = await queries.findView(inner.db, row.owner_id, id);
        return present(ctx.viewer, known, changed!);
      }),

    async remove(ctx: Context, id: string): Promise<undefined> {
      await inTransaction(ctx, async (inner) => {
        await queries.lockView(inner.db, id);
        const row = await load(inner, id);
        requireAbility(abilities(ctx.viewer, row).delete);
        await queries.deleteView(inner.db, id);
        await audit(inner.db, ctx, {
          action: 'deal-view.deleted',
          entity,
          recordId: id,
          before: { owner: row.owner_id, ...fieldsOf(row) },
        });
      });
    },

    /**
     * Gives the shared views of a person to another one, under names that are free there; private ones stay with
     * whom they are for. Answers how many it were. Judges nobody's rights, nor whether the target is active.
     */
    async transfer(
      ctx: Writing,
      from: string,
      to: { targetUserId: string; reason: string },
    ): Promise<number> {
      const views = await queries.lockShared(ctx.db, from);
      const taken = await queries.namesOf(ctx.db, to.targetUserId);
      for (const { id, name, version } of views) {
        const given = freeName(name, taken);
        taken.push(given);
        await queries.updateView(ctx.db, id, { owner_id: to.targetUserId, name: given });
        await audit(ctx.db, ctx, {
          action: 'deal-view.transferred',
          entity,
          recordId: id,
          version: version + 1,
          before: { owner: from, name },
          after: { owner: to.targetUserId, name: given, reason: to.reason },
        });
      }
      return views.length;
    },
  };
}

export type DealViewsService = ReturnType<typeof createDealViewsService>;

/** The unique index decides, so that two tabs cannot take one name at once. */
async function refusingTakenName(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'deal_views_name') throw error;
    throw invalidField('name', 'There is already a view with this name');
  }
}

type Fields = Pick<SavedView, 'name' | 'shared' | keyof Arrangement>;

/** A view that was saved before rows were filtered by owner says nothing about it. */
const storedIn = ({ arrangement: { filters, sort, columns } }: queries.ViewRow): Arrangement => ({
  filters: { ...filters, ownerId: filters.ownerId ?? null },
  sort,
  columns,
});

const fieldsOf = (row: queries.ViewRow): Fields => ({
  name: row.name,
  shared: row.is_shared,
  ...storedIn(row),
});

const columnsOf = ({ name, shared, filters, sort, columns }: Fields) => ({
  name,
  is_shared: shared,
  arrangement: JSON.stringify({ filters, sort, columns } satisfies Arrangement),
});

const present = (viewer: Viewer, known: Known, row: queries.ViewRow): SavedView => ({
  _id: row.id,
  name: row.name,
  shared: row.is_shared,
  owner: row.owner_id,
  ownerName: row.owner_name,
  ...asSeenBy(known, storedIn(row)),
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  abilities: abilities(viewer, row),
});
