import type { Deal, DealItem, DealPatch } from '@forecourt/contract/deals';
import type { Clock } from '../../../platform/clock.ts';
import { inTransaction, type Context, type Viewer } from '../../../platform/http/context.ts';
import { AppError, invalidField } from '../../../platform/http/errors.ts';
import { keyValues, type Claim } from '../../../platform/http/idempotency.ts';
import { requireAbility } from '../../../platform/http/policy.ts';
import { isSameSharing, presentAccess } from '../../../platform/sharing/access.ts';
import { requireActive } from '../../../platform/sharing/active-people.ts';
import type { Records } from '../../../platform/sharing/records.ts';
import type { createSharing } from '../../../platform/sharing/sharing.ts';
import type { CustomFieldsService } from '../../custom-fields/custom-fields.service.ts';
import type { DealershipsService } from '../../dealerships/dealerships.service.ts';
import type { SettingsService } from '../../settings/settings.service.ts';
import { flat, isPlain, present, recorded, refuseHidden, type DealColumns } from '../deals.fields.ts';
import {
  canDelete,
  canEdit,
  canSee,
  conflictingFields,
  hasVersion,
  sharingAbilities,
} from '../deals.policy.ts';
import type { DealRow, InScope } from '../deals.queries.ts';
import {
  attemptUpdates,
  changeDeals,
  changersOf,
  replaceItems,
  type Update,
} from './change-deals.queries.ts';
import { simpleCustomValue } from './custom-values.service.ts';
import { CHOOSE, versionsOf, type createDealValues, type FieldsPatch } from './deal-values.service.ts';
import {
  createFastWriter,
  DEALERSHIP_KEY,
  ITEM_KEY,
  namedSetOf,
  STATUS_KEY,
} from './write-statements.queries.ts';

/** Maximum attempts to merge a change into the newest version before CONFLICT is thrown. */
const MERGE_ATTEMPTS = 5;

export type DealParts = {
  dealerships: DealershipsService;
  settings: SettingsService;
  customFields: Pick<CustomFieldsService, 'definitions' | 'definitionsInHistory' | 'checkedValue'>;
  clock: Clock;
};
type Parts = Pick<DealParts, 'customFields' | 'clock'> & {
  values: ReturnType<typeof createDealValues>;
  records: Records<DealRow, Deal>;
  inScope: (viewer: Viewer) => InScope;
  sharing: Pick<DealSharing, 'transfer'>;
};
export type DealSharing = ReturnType<typeof createSharing<'deal', DealRow, Deal>>;
type GivenShares = NonNullable<DealPatch['sharedWith']>;
type VersionedPatch = FieldsPatch & Pick<DealPatch, 'version'>;

/** Changes of one row (docs/product/data-entry.md, Fields and Two people change one row). */
export function createDealChanges(parts: Parts) {
  const { records, values: dealValues, customFields, clock, sharing, inScope } = parts;
  const { loadOne: load } = records;
  const { statusNamed, requireMonth, movesTo, mover } = dealValues;

  const deletion = ({ viewer }: Context): DealColumns => ({
    deleted_at: clock.now().toISOString(),
    deleted_by: viewer.userId,
  });

  /** Throws CONFLICT with the current row and the author of each change. */
  async function refuseConflicts(ctx: Context, row: DealRow, fields: readonly string[]): Promise<never> {
    throw new AppError('CONFLICT', {
      details: fields.join(', '),
      current: present(ctx.viewer, row),
      conflicts: await changersOf(ctx.db, row.id, versionsOf(row), fields),
    });
  }

  const writeFast = createFastWriter(attemptUpdates, ({ values, actor }: Update) => [
    Object.keys(flat(values)).toSorted(),
    namedSetOf(actor),
  ]);

  async function updateFields(
    ctx: Context,
    id: string,
    { version, ...input }: VersionedPatch,
  ): Promise<Deal> {
    const plan = dealValues.planner(ctx);
    for (let attempt = 1; ; attempt += 1) {
      const row = await load(ctx, id);
      requireAbility(canEdit(ctx.viewer, row));
      if (!hasVersion.matches({ seen: version }, row))
        throw invalidField('version', 'This version does not exist yet');
      const { conflicts, change } = await plan(row, input, version);
      if (conflicts) return refuseConflicts(ctx, row, conflicts);
      const seen = present(ctx.viewer, row);
      if (attempt > MERGE_ATTEMPTS) throw new AppError('CONFLICT', { current: seen });
      if (!change) return seen;
      const updated = await writeWithItems(ctx, id, change.items, async (inner) => {
        const form = { fields: change.fields, isWhole: true };
        return (await changeDeals(inner.db, ctx, 'deal.updated', [{ row, ...change }], form))[0];
      });
      if (updated) return present(ctx.viewer, updated);
    }
  }

  /** Changes the other fields first, because the previous owner may lose the right to change the row. */
  const transferTo = (ctx: Context, id: string, owner: string, patch: VersionedPatch): Promise<Deal> =>
    inTransaction(ctx, async (inner) => {
      refuseHidden(ctx.viewer, { owner });
      const row = (await records.locked(inner, [id]))[0]!;
      const deal = await updateFields(inner, id, patch);
      if (row.owner_id === owner) return deal;
      requireAbility(sharingAbilities(ctx.viewer, row).transfer);
      const conflicts = conflictingFields(['owner'], versionsOf(row), patch.version);
      if (conflicts.length > 0) await refuseConflicts(inner, row, conflicts);
      await requireActive(inner.db, { owner });
      await sharing.transfer(inner, [id], { targetUserId: owner, keepSharing: false, reason: '' });
      return present(ctx.viewer, await load(inner, id));
    });

  /** Throws a 400 unless `sharedWith` equals the shares in a response to the viewer. */
  async function refuseSharing(ctx: Context, id: string, sharedWith: GivenShares): Promise<void> {
    const seen = presentAccess(ctx.viewer, 'deal', await load(ctx, id)).sharedWith;
    if (!isSameSharing(seen, sharedWith))
      throw invalidField('sharedWith', 'Share the row to change who sees it');
  }

  return {
    statusNamed,
    requireMonth,
    movesTo,
    mover,
    deletion,

    /**
     * Writes the most common change in one statement with its key: plain fields, the status or one custom field, not
     * changed by others since. Returns undefined for other changes, or if a condition is not met.
     */
    attemptUpdate: async (
      ctx: Context,
      id: string,
      { version, custom: customInput, ...plain }: DealPatch,
      claim: Claim | null,
    ): Promise<Deal | undefined> => {
      const { viewer } = ctx;
      const isSimple = (field: string) => (isPlain(field) || field === 'status') && canSee(viewer, field);
      if (!Object.keys(plain).every(isSimple)) return undefined;
      const custom = customInput && (await simpleCustomValue(ctx, customFields, customInput));
      if (customInput && !custom) return undefined;
      const values = { ...plain, ...(custom && { custom }) };
      if (Object.keys(values).length === 0) return undefined;
      const row = await writeFast(ctx.db, inScope(viewer), {
        id,
        actor: ctx,
        userId: viewer.userId,
        role: viewer.role,
        seen: version,
        movesTo: await movesTo(ctx),
        values,
        claim: keyValues(viewer, claim),
      });
      return row && present(viewer, row);
    },

    /**
     * Changes fields and returns the row. Merges the change if nobody has changed these fields since `version`;
     * otherwise throws CONFLICT with the current row and the author of each change.
     */
    update: async (ctx: Context, id: string, { owner, sharedWith, ...patch }: DealPatch): Promise<Deal> => {
      if (sharedWith) await refuseSharing(ctx, id, sharedWith);
      return owner === undefined ? updateFields(ctx, id, patch) : transferTo(ctx, id, owner, patch);
    },

    remove: async (ctx: Context, id: string): Promise<undefined> => {
      const row = await load(ctx, id);
      requireAbility(canDelete(ctx.viewer, row));
      const removed = { row, columns: deletion(ctx), before: recorded(row), after: null };
      const gone = await changeDeals(ctx.db, ctx, 'deal.deleted', [removed]);
      if (gone.length === 0)
        throw new AppError('CONFLICT', { current: present(ctx.viewer, await load(ctx, id)) });
    },
  };
}

export type DealChanges = ReturnType<typeof createDealChanges>;

/** Writes a row, and items in the same transaction. Returns the row afterwards; undefined if `write` wrote nothing. */
async function writeWithItems(
  ctx: Context,
  id: string,
  items: DealItem[] | undefined,
  write: (ctx: Context) => Promise<DealRow | undefined>,
): Promise<DealRow | undefined> {
  if (!items) return refuseDeletedChoices(write(ctx));
  return refuseDeletedChoices(
    inTransaction(ctx, async (inner) => {
      const row = await write(inner);
      if (!row) return undefined;
      await replaceItems(inner.db, [{ id, items }]);
      return { ...row, items };
    }),
  );
}

/** Awaits a write. If a dealership, status or item was deleted in the meantime, throws the 400 for a missing one. */
export async function refuseDeletedChoices<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    const { constraint } = error as { constraint?: string };
    if (constraint === DEALERSHIP_KEY) throw invalidField('dealershipId', CHOOSE.dealershipId);
    if (constraint === STATUS_KEY) throw invalidField('status', CHOOSE.status);
    if (constraint === ITEM_KEY) throw invalidField('items', 'Choose among the items that there are');
    throw error;
  }
}
