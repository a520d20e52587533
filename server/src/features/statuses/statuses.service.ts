import { isDeepStrictEqual } from 'node:util';
import type { Status, StatusChanges, StatusInput } from '@forecourt/contract/statuses';
import { audit, auditMany } from '../../platform/audit.ts';
import { inTransaction, type Context, type Viewer, type TxContext } from '../../platform/http/context.ts';
import { AppError, invalidField, requireFound } from '../../platform/http/errors.ts';
import { requireAbility } from '../../platform/http/policy.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import { newId } from '../../platform/ids.ts';
import { lockOrder, reorder } from '../../platform/ordering.ts';
import { deleteRecord, insertRecord, updateRecord } from '../../platform/records.queries.ts';
import type { DealsService } from '../deals/deals.service.ts';
import type { PermissionsService } from '../permissions/permissions.service.ts';
import { abilities, canSee, forbiddenField } from './statuses.policy.ts';
import * as queries from './statuses.queries.ts';

const entity = 'status' as const;

type Parts = {
  deals: Pick<DealsService, 'countByStatus' | 'countWithStatus' | 'replaceStatus'>;
  permissions: Pick<PermissionsService, 'forgetStatus'>;
};

type CountedStatuses = { ids: string[]; versions?: Record<string, number> | undefined };

/** The statuses of deals (docs/product/items-and-statuses.md, Statuses). Rows reference them by id and show their names. */
export function createStatusesService({ deals, permissions }: Parts) {
  async function list(ctx: Context): Promise<{ items: Status[]; total: number }> {
    const usage = await deals.countByStatus(ctx);
    const rows = (await queries.listStatuses(ctx.db)).filter(({ id }) => canSee(ctx.viewer, id));
    return wholeList(rows.map((row) => present(ctx.viewer, row, usage)));
  }

  const load = async (ctx: Context, id: string): Promise<queries.StatusRow> =>
    requireFound(canSee(ctx.viewer, id) ? await queries.findStatus(ctx.db, id) : undefined);

  const get = async (ctx: Context, id: string): Promise<Status> =>
    present(ctx.viewer, await load(ctx, id), await deals.countByStatus(ctx));

  return {
    list,
    get,

    visibleIds: (viewer: Viewer, ids: string[]) => new Set(ids.filter((id) => canSee(viewer, id))),

    create: (ctx: Context, input: StatusInput): Promise<Status> =>
      inTransaction(ctx, async (inner) => {
        const id = newId();
        const last = (await lockOrder(inner.db, entity)).at(-1)?.position ?? 0;
        checkDefault(input);
        if (input.isDefault) await endDefault(inner);
        await insertRecord(inner.db, 'statuses', { id, ...columnsOf(input), position: last + 1 });
        const created = await get(inner, id);
        await audit(inner, 'status.created', id, { version: created.version, after: input });
        return created;
      }),

    /** Omitted fields stay unchanged. Throws CONFLICT with the current status if `version` is outdated. */
    update: (ctx: Context, id: string, { version, ...changes }: StatusChanges): Promise<Status> =>
      inTransaction(ctx, async (inner) => {
        await lockOrder(inner.db, entity);
        const row = await load(inner, id);
        requireAbility(abilities(ctx.viewer, id).edit);
        if (version !== undefined && version !== row.version) {
          throw new AppError('CONFLICT', { current: await get(inner, id) });
        }
        const before = fieldsOf(row);
        const after = {
          name: changes.name,
          color: changes.color,
          active: changes.active ?? before.active,
          isDefault: changes.isDefault ?? before.isDefault,
          isClosed: changes.isClosed ?? before.isClosed,
          countsForCommission: changes.countsForCommission ?? before.countsForCommission,
        };
        rejectForbidden(ctx.viewer, before, after);
        checkDefault(after, before);
        if (isDeepStrictEqual(before, after)) return get(inner, id);
        if (after.isDefault && !before.isDefault) await endDefault(inner);
        await updateRecord(inner.db, 'statuses', id, columnsOf(after));
        const updated = await get(inner, id);
        await audit(inner, 'status.updated', id, { version: updated.version, before, after });
        return updated;
      }),

    /**
     * Deletes a status. Its rows get the replacement, each by an audited change; restrictions and grants that reference
     * it are removed. Throws IN_USE with the number of rows without a replacement.
     */
    async remove(ctx: Context, id: string, replacementId: string | undefined): Promise<undefined> {
      await inTransaction(ctx, async (inner) => {
        await lockOrder(inner.db, entity);
        const row = await load(inner, id);
        if (row.is_default) {
          throw new AppError('IN_USE', {
            message: `${row.name} is the status of new deals and cannot be deleted. Make another status the default first.`,
          });
        }
        const replacement =
          replacementId === undefined ? undefined : await findReplacement(inner, replacementId);
        if (replacement?.id === id) throw invalidField('replacement', 'Choose another status');
        await queries.lockAgainstUse(inner.db, id);
        const uses = await deals.countWithStatus(inner, id);
        if (uses > 0) {
          if (!replacement) {
            throw new AppError('IN_USE', {
              message: `${uses} ${uses === 1 ? 'deal has' : 'deals have'} the status ${row.name}. Choose the status that they get instead.`,
            });
          }
          await deals.replaceStatus(inner, row, replacement);
        }
        await permissions.forgetStatus(inner, id);
        await deleteRecord(inner.db, 'statuses', id);
        await audit(inner, 'status.deleted', id, {
          before: fieldsOf(row),
          ...(replacement && { after: { replacement: replacement.id, deals: uses } }),
        });
      });
    },

    /** Throws a 400 unless `ids` has every status once. */
    reorder: (ctx: Context, ids: string[]) =>
      inTransaction(ctx, async (inner) => {
        await reorder(inner, entity, ids);
        return list(inner);
      }),

    /**
     * Sets which statuses count for commission. Throws CONFLICT with the current statuses if `versions` is outdated,
     * and a 400 for an unknown id.
     */
    countOnly: (ctx: Context, { ids, versions }: CountedStatuses) =>
      inTransaction(ctx, async (inner) => {
        await lockOrder(inner.db, entity);
        const currentVersions = new Map(
          (await queries.listStatuses(inner.db)).map(({ id, version }) => [id, version]),
        );
        if (versions && !isDeepStrictEqual(new Map(Object.entries(versions)), currentVersions)) {
          throw new AppError('CONFLICT', { current: await list(inner) });
        }
        if (!ids.every((id) => currentVersions.has(id)))
          throw invalidField('ids', 'Choose among the statuses');
        await auditMany(
          inner,
          'status.updated',
          (await queries.countOnly(inner.db, ids)).map(({ id, version, before, after }) => ({
            recordId: id,
            version,
            before: { countsForCommission: before },
            after: { countsForCommission: after },
          })),
        );
        return list(inner);
      }),
  };
}

export type StatusesService = ReturnType<typeof createStatusesService>;

/** Clears the current default, with an audit entry for that status. */
async function endDefault(ctx: TxContext): Promise<void> {
  const { id, version } = await queries.endDefault(ctx.db);
  await audit(ctx, 'status.updated', id, {
    version,
    before: { isDefault: true },
    after: { isDefault: false },
  });
}

async function findReplacement(ctx: TxContext, id: string): Promise<queries.StatusRow> {
  const row = await queries.findStatus(ctx.db, id);
  if (!row?.active) throw invalidField('replacement', 'Choose one of the active statuses');
  return row;
}

type Fields = Pick<Status, 'name' | 'color' | 'active' | 'isDefault' | 'isClosed' | 'countsForCommission'>;

/** Throws a 400 if no status is the default, or an inactive one is. */
function checkDefault(after: Fields, before?: Fields): void {
  if (before?.isDefault && !after.isDefault) {
    throw invalidField('isDefault', 'Make another status the default instead');
  }
  if (after.isDefault && !after.active) {
    throw invalidField('active', 'The default status must be active. Make another status the default first.');
  }
}

function rejectForbidden(viewer: Viewer, before: Fields, after: Fields): void {
  const field = forbiddenField(viewer, before, after);
  if (field === undefined) return;
  throw new AppError('INSUFFICIENT_PERMISSIONS', {
    details: 'NO_STATUS_RULES',
    errors: { [field]: 'Only administrators can change this' },
  });
}

const fieldsOf = (row: queries.StatusRow): Fields => ({
  name: row.name,
  color: row.color,
  active: row.active,
  isDefault: row.is_default,
  isClosed: row.is_closed,
  countsForCommission: row.counts_for_commission,
});

const columnsOf = ({ name, color, active, isDefault, isClosed, countsForCommission }: Fields) => ({
  name,
  color,
  active,
  is_default: isDefault,
  is_closed: isClosed,
  counts_for_commission: countsForCommission,
});

const present = (viewer: Viewer, row: queries.StatusRow, usage: Map<string, number>): Status => ({
  _id: row.id,
  ...fieldsOf(row),
  order: row.position,
  usage: usage.get(row.id) ?? 0,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  abilities: abilities(viewer, row.id),
});
