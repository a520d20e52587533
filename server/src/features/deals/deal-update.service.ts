import type { Deal, DealItem, DealPatch } from '@forecourt/contract/deals';
import { inTransaction, type Context, type Viewer } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { requireAbility } from '../../platform/http/policy.ts';
import type { Records } from '../../platform/records.ts';
import { isSameSharing, presentHeld } from '../../platform/sharing/held.ts';
import { activePeople } from '../../platform/sharing/shares.queries.ts';
import type { Transfer } from '../../platform/sharing/transfer.ts';
import { attemptUpdates, isPlain, type Update } from './deal-attempt.queries.ts';
import { createAttempts } from './deal-attempt.service.ts';
import { differing, refusingWhatIsGone, type DealChanges } from './deal-change.service.ts';
import { changersOf } from './deal-history.queries.ts';
import { replaceSold } from './deal-items.queries.ts';
import { updateDeal } from './deal-write.queries.ts';
import { pick, recorded, refuseHidden } from './deals.fields.ts';
import { canEdit, canEditAll, canSee, conflictingFields, sharingAbilities } from './deals.policy.ts';
import type { DealRow, InScope } from './deals.queries.ts';

/** A change is tried again on the newest row this often before it is told as a conflict. */
const MERGE_ATTEMPTS = 5;

type Parts = {
  records: Records<DealRow, Deal>;
  changes: DealChanges;
  inScope: (viewer: Viewer) => InScope;
  sharing: { transfer: (ctx: Context, ids: string[], transfer: Transfer) => Promise<Deal[]> };
};
type Given = NonNullable<DealPatch['sharedWith']>;
type FieldsPatch = Omit<DealPatch, 'owner' | 'sharedWith'>;

/** Changes of one row (product.md section 4, Two editors). */
export function createDealUpdate({ records, changes, sharing, inScope }: Parts) {
  const { loadOne: load, present } = records;

  /** Throws CONFLICT where there are any: with the row as it is, and who changed which field. */
  async function refuseConflicts(ctx: Context, row: DealRow, fields: readonly string[]): Promise<void> {
    if (fields.length === 0) return;
    throw new AppError('CONFLICT', {
      details: fields.join(', '),
      current: present(ctx.viewer, row),
      conflicts: await changersOf(ctx.db, row.id, versionsOf(row), fields),
    });
  }

  const attempted = createAttempts(attemptUpdates, ({ values }: Update) => Object.keys(values).toSorted());

  /**
   * What most changes are: cells of their own, that nobody else has changed meanwhile. Undefined where it is anything
   * else, or may not be: going step by step finds out.
   */
  async function attempt(
    ctx: Context,
    id: string,
    { version, ...values }: FieldsPatch,
  ): Promise<Deal | undefined> {
    const { viewer } = ctx;
    const fields = Object.keys(values);
    if (fields.length === 0 || !fields.every((field) => isPlain(field) && canSee(viewer, field)))
      return undefined;
    const row = await attempted(ctx.db, inScope(viewer), {
      id,
      actor: ctx,
      seen: version,
      holderId: canEditAll(viewer) ? null : viewer.userId,
      fromMonth: await changes.movesTo(ctx),
      values,
    });
    return row && present(viewer, row);
  }

  async function updateFields(ctx: Context, id: string, patch: FieldsPatch): Promise<Deal> {
    const done = await attempt(ctx, id, patch);
    return done ?? stepByStep(ctx, id, patch);
  }

  async function stepByStep(ctx: Context, id: string, { version, ...input }: FieldsPatch): Promise<Deal> {
    for (let attempt = 1; ; attempt += 1) {
      const row = await load(ctx, id);
      requireAbility(canEdit(ctx.viewer, row));
      if (version > row.version) throw invalidField('version', 'This version does not exist yet');
      const now = recorded(row);
      const typed = differing(await changes.typed(ctx, input, row), now);
      const named = Object.keys(typed).filter((field) => field in input);
      await refuseConflicts(ctx, row, conflictingFields(named, versionsOf(row), version));
      const seen = present(ctx.viewer, row);
      if (attempt > MERGE_ATTEMPTS) throw new AppError('CONFLICT', { current: seen });
      if (Object.keys(typed).length === 0) return seen;
      const { values, columns } = await changes.completed(ctx, typed, row);
      const changed = differing(values, now);
      const entry = {
        action: 'deal.updated',
        entity: 'deal',
        before: pick(now, Object.keys(changed)),
        after: changed,
      } as const;
      const done = await writing(ctx, id, changed.items, (inner) =>
        updateDeal(inner.db, ctx, row, columns, Object.keys(changed), entry),
      );
      if (done) return present(ctx.viewer, done);
    }
  }

  /** Changes the other fields first: whoever has handed a row over may not change it afterwards. */
  const handOver = (ctx: Context, id: string, owner: string, patch: FieldsPatch): Promise<Deal> =>
    inTransaction(ctx, async (inner) => {
      refuseHidden(ctx.viewer, { owner });
      const row = (await records.locked(inner, [id]))[0]!;
      const deal = await updateFields(inner, id, patch);
      if (row.owner_id === owner) return deal;
      requireAbility(sharingAbilities(ctx.viewer, row).transfer);
      await refuseConflicts(inner, row, conflictingFields(['owner'], versionsOf(row), patch.version));
      if (!(await activePeople(inner.db, [owner])).has(owner))
        throw invalidField('owner', 'Choose an active person');
      await sharing.transfer(inner, [id], { targetUserId: owner, keepSharing: false, reason: '' });
      return present(ctx.viewer, await load(inner, id));
    });

  /** Throws a 400 unless this is what the viewer was answered about who shares the row. */
  async function refuseSharing(ctx: Context, id: string, sharedWith: Given): Promise<void> {
    const seen = presentHeld(ctx.viewer, 'deal', await load(ctx, id)).sharedWith;
    if (!isSameSharing(seen, sharedWith))
      throw invalidField('sharedWith', 'Share the row to change who sees it');
  }

  /**
   * Changes the named fields. Goes in, and merges, when nobody changed those fields since `version`; otherwise
   * CONFLICT with the row as it is now and who changed which of them.
   */
  return async (ctx: Context, id: string, { owner, sharedWith, ...patch }: DealPatch): Promise<Deal> => {
    if (sharedWith) await refuseSharing(ctx, id, sharedWith);
    return owner === undefined ? updateFields(ctx, id, patch) : handOver(ctx, id, owner, patch);
  };
}

/** By field the version that changed it last. */
const versionsOf = (row: DealRow) => row.field_versions as Record<string, number>;

/**
 * Writes a row, and what is sold in it where that is said: then both in one transaction. Answers the row as it is then;
 * undefined, as `write` says it, when nothing was written.
 */
export async function writing(
  ctx: Context,
  id: string,
  items: DealItem[] | undefined,
  write: (ctx: Context) => Promise<DealRow | undefined>,
): Promise<DealRow | undefined> {
  if (!items) return refusingWhatIsGone(write(ctx));
  return refusingWhatIsGone(
    inTransaction(ctx, async (inner) => {
      const row = await write(inner);
      if (!row) return undefined;
      await replaceSold(inner.db, id, items);
      return { ...row, items };
    }),
  );
}
