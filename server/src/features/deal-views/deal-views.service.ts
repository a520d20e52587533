import { isDeepStrictEqual } from 'node:util';
import type { CustomKey } from '@forecourt/contract/custom-field-types';
import { identityColumns, type ViewColumnName } from '@forecourt/contract/deal-fields';
import type { Arrangement, SavedView, SavedViewInput } from '@forecourt/contract/deal-views';
import { audit } from '../../platform/audit.ts';
import { lockName, type Db } from '../../platform/db/database.ts';
import { inTransaction, type Context, type Viewer, type TxContext } from '../../platform/http/context.ts';
import { AppError, invalidField, requireFound } from '../../platform/http/errors.ts';
import { requireAbility } from '../../platform/http/policy.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import { newId } from '../../platform/ids.ts';
import type { HiddenChange } from '../../platform/live/event-filter.ts';
import { deleteRecord, insertRecord, updateRecord } from '../../platform/records.queries.ts';
import type { DealsService } from '../deals/deals.service.ts';
import {
  abilities,
  withoutHidden,
  canOpen,
  freeName,
  mergeArrangement,
  findUnknownField,
  type VisibleOptions,
} from './deal-views.policy.ts';
import * as queries from './deal-views.queries.ts';

/** Maximum views of one user; more indicate a faulty script. */
const MAX_VIEWS = 200;

/** Saved views of Data Entry (docs/product/data-entry.md, Columns and saved views). */
export function createDealViewsService(deals: Pick<DealsService, 'options'>) {
  /** Returns the options that the viewer may see. Views may reference only these. */
  async function loadVisibleOptions(ctx: Context): Promise<VisibleOptions> {
    const { columns, customFields, statuses, dealerships, owners } = await deals.options(ctx);
    const ids = (records: readonly { _id: string }[]) => new Set(records.map(({ _id }) => _id));
    return {
      columns: new Set<ViewColumnName | CustomKey>([
        ...columns,
        ...identityColumns,
        ...customFields.map(({ key }) => key),
      ]),
      statuses: ids(statuses),
      dealerships: ids(dealerships),
      owners: ids(owners),
      customFields,
    };
  }

  const load = async (ctx: Context, id: string): Promise<queries.ViewRow> =>
    requireFound(await queries.findView(ctx.db, ctx.viewer.userId, id));

  /** Throws a 400 for references that the viewer may not see. */
  function check(visible: VisibleOptions, input: Arrangement): void {
    const field = findUnknownField(visible, input);
    if (field !== undefined) throw invalidField(field, 'This names something that does not exist');
  }

  return {
    async list(ctx: Context): Promise<{ items: SavedView[]; total: number }> {
      const [rows, visible] = [
        await queries.listViews(ctx.db, ctx.viewer.userId),
        await loadVisibleOptions(ctx),
      ];
      return wholeList(rows.map((row) => present(ctx.viewer, visible, row)));
    },

    get: async (ctx: Context, id: string): Promise<SavedView> =>
      present(ctx.viewer, await loadVisibleOptions(ctx), await load(ctx, id)),

    /** Returns which views the viewer may see, for live events: none without the Data Entry page. */
    visibleIds: async (db: Db, viewer: Viewer, ids: string[]): Promise<Set<string>> =>
      canOpen(viewer) ? queries.visibleIds(db, viewer.userId, ids) : new Set(),

    /** Whether a viewer who cannot see a view now could see it before a change. */
    wasVisible: (viewer: Viewer, { past: { before } }: HiddenChange): boolean =>
      canOpen(viewer) && (before.shared === true || before.owner === viewer.userId),

    create: (
      ctx: Context,
      { name, shared, filter, sort, group, columns }: SavedViewInput,
    ): Promise<SavedView> =>
      inTransaction(ctx, async (inner) => {
        const visible = await loadVisibleOptions(inner);
        const fields = { name, shared, filter, sort, group, columns };
        check(visible, fields);
        await lockName(inner.db, `deal-views:${ctx.viewer.userId}`);
        if ((await queries.countOwn(inner.db, ctx.viewer.userId)) >= MAX_VIEWS) {
          throw invalidField('name', `You have ${MAX_VIEWS} views already. Delete one first.`);
        }
        const id = newId();
        await insertRecord(inner.db, 'deal_views', { id, owner_id: ctx.viewer.userId, ...columnsOf(fields) });
        const row = await load(inner, id);
        await audit(inner, 'deal-view.created', id, { version: row.version, after: fields });
        return present(ctx.viewer, visible, row);
      }),

    /** Preserves the parts hidden from the viewer. Throws CONFLICT with the current view if `version` is outdated. */
    update: (
      ctx: Context,
      id: string,
      { name, shared, version, ...arrangement }: SavedViewInput,
    ): Promise<SavedView> =>
      inTransaction(ctx, async (inner) => {
        await queries.lockView(inner.db, id);
        const [row, visible] = [await load(inner, id), await loadVisibleOptions(inner)];
        requireAbility(abilities(ctx.viewer, row).edit);
        const seen = present(ctx.viewer, visible, row);
        if (version !== undefined && version !== row.version) {
          throw new AppError('CONFLICT', { current: seen });
        }
        check(visible, arrangement);
        const before = fieldsOf(row);
        const after = { name, shared, ...mergeArrangement(visible, row.arrangement, arrangement) };
        if (isDeepStrictEqual(before, after)) return seen;
        await updateRecord(inner.db, 'deal_views', id, columnsOf(after));
        await audit(inner, 'deal-view.updated', id, {
          version: row.version + 1,
          before: { owner: row.owner_id, ...before },
          after,
        });
        // Reads the row as its owner: an administrator who ends its sharing cannot see another user's view any more.
        const changed = await queries.findView(inner.db, row.owner_id, id);
        return present(ctx.viewer, visible, changed!);
      }),

    async remove(ctx: Context, id: string): Promise<undefined> {
      await inTransaction(ctx, async (inner) => {
        await queries.lockView(inner.db, id);
        const row = await load(inner, id);
        requireAbility(abilities(ctx.viewer, row).delete);
        await deleteRecord(inner.db, 'deal_views', id);
        await audit(inner, 'deal-view.deleted', id, { before: { owner: row.owner_id, ...fieldsOf(row) } });
      });
    },

    /**
     * Transfers a user's shared views to another user, renamed where necessary; private views are not transferred.
     * Returns their number. The caller checks permissions and the target.
     */
    async transfer(
      ctx: TxContext,
      from: string,
      to: { targetUserId: string; reason: string },
    ): Promise<number> {
      const views = await queries.lockShared(ctx.db, from);
      const taken = await queries.namesOf(ctx.db, to.targetUserId);
      for (const { id, name, version } of views) {
        const newName = freeName(name, taken);
        taken.push(newName);
        await updateRecord(ctx.db, 'deal_views', id, { owner_id: to.targetUserId, name: newName });
        await audit(ctx, 'deal-view.transferred', id, {
          version: version + 1,
          before: { owner: from, name },
          after: { owner: to.targetUserId, name: newName, reason: to.reason },
        });
      }
      return views.length;
    },
  };
}

export type DealViewsService = ReturnType<typeof createDealViewsService>;

type Fields = Pick<SavedView, 'name' | 'shared' | keyof Arrangement>;

const fieldsOf = (row: queries.ViewRow): Fields => ({
  name: row.name,
  shared: row.is_shared,
  ...row.arrangement,
});

const columnsOf = ({ name, shared, filter, sort, group, columns }: Fields) => ({
  name,
  is_shared: shared,
  arrangement: JSON.stringify({ filter, sort, group, columns } satisfies Arrangement),
});

const present = (viewer: Viewer, visible: VisibleOptions, row: queries.ViewRow): SavedView => ({
  _id: row.id,
  name: row.name,
  shared: row.is_shared,
  owner: row.owner_id,
  ownerName: row.owner_name,
  ...withoutHidden(visible, row.arrangement),
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  abilities: abilities(viewer, row),
});
