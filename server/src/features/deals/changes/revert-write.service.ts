import type { DealItem } from '@forecourt/contract/deals';
import type { TxContext } from '../../../platform/http/context.ts';
import { AppError } from '../../../platform/http/errors.ts';
import type { GivenShare } from '../../../platform/sharing/access.ts';
import {
  columnsOf,
  pick,
  recorded,
  splitCustom,
  type DealColumns,
  type DealValues,
} from '../deals.fields.ts';
import { deleteRows, restoreRows } from '../merge/merged-rows.service.ts';
import { changeDeals, replaceItems, type Change } from '../write/change-deals.queries.ts';
import { refuseDeletedChoices, type DealChanges, type DealSharing } from '../write/change-deals.service.ts';
import type { RevertNames } from './revert-check.service.ts';
import type { RowPlan } from './revert-plan.ts';
import * as queries from './revert.queries.ts';

export type WriteParts = {
  changes: Pick<DealChanges, 'deletion'>;
  sharing: Pick<DealSharing, 'add' | 'transfer'>;
};
type Shares = GivenShare<'deal'>[];

/** Writes the plans of rows whose locks the transaction has. */
export async function writeRevert(
  ctx: TxContext,
  { changes, sharing }: WriteParts,
  { statusId }: Pick<RevertNames, 'statusId'>,
  plans: readonly RowPlan[],
): Promise<void> {
  const { db } = ctx;
  const restored = plans.filter(({ effect }) => effect === 'restored');
  await restoreRows(
    ctx,
    restored.map(({ row }) => row),
  );
  await writeSharing(ctx, sharing, plans);
  const written = plans
    .filter(({ changes: all }) => all.length > 0)
    .map((plan) => {
      const { owner: _owner, sharedWith: _sharedWith, ...target } = targetsOf(plan);
      return { ...plan, id: plan.row.id, target };
    });
  // Read again, because a transfer has stored the current rate of the owner and a new version.
  const stored = await queries.listPriced(
    db,
    written.map(({ id, row, target }) => ({
      id,
      saleAmount: amountOf(target.saleAmount, row.sale_amount),
      commissionRate: amountOf(target.commissionRate, row.commission_rate),
    })),
  );
  const updates = written.flatMap(({ id, row, now, target }) => {
    const { version, commission_rate, commission, next_commission } = stored.get(id)!;
    const commissionRate = amountOf(target.commissionRate, row.commission_rate);
    const after: Record<string, unknown> = {
      ...target,
      ...(commissionRate !== commission_rate && { commissionRate }),
      ...(next_commission !== commission && { commission: next_commission }),
    };
    const fields = Object.keys(after).toSorted();
    if (fields.length === 0) return [];
    const before = pick({ ...now, commissionRate: commission_rate, commission }, fields);
    return [{ row: { id, version }, columns: columnsFor(after, statusId), before, after, fields }];
  });
  for (const group of Map.groupBy(updates, ({ fields }) => fields.join()).values())
    await writeAll(ctx, group, group[0]!.fields);
  const withItems = written.flatMap(({ id, target: { items } }) =>
    items ? { id, items: items as DealItem[] } : [],
  );
  if (withItems.length > 0) await refuseDeletedChoices(replaceItems(db, withItems));
  const updated = new Set(updates.map(({ row }) => row.id));
  const deleted = plans.filter(({ effect }) => effect === 'deleted');
  await deleteRows(
    ctx,
    changes.deletion(ctx),
    deleted.map(({ row, changes: all, mergedInto }) => ({
      row: {
        id: row.id,
        version: (stored.get(row.id)?.version ?? row.version) + (updated.has(row.id) ? 1 : 0),
      },
      before: { ...recorded(row), ...targetsOf({ changes: all }) },
      ...(mergedInto !== null && { mergedInto }),
    })),
  );
}

/** Transfers and shares rows as before, by the rules and with the entries of every transfer and share. */
async function writeSharing(
  ctx: TxContext,
  sharing: WriteParts['sharing'],
  plans: readonly RowPlan[],
): Promise<void> {
  const all = plans.map((plan) => ({ id: plan.row.id, plan, target: targetsOf(plan) }));
  const transferred = all.filter(({ target }) => target.owner !== undefined);
  for (const [owner, group] of Map.groupBy(transferred, ({ target }) => String(target.owner))) {
    const transfer = { targetUserId: owner, keepSharing: false, reason: '' };
    await sharing.transfer(
      ctx,
      group.map(({ id }) => id),
      transfer,
    );
  }
  const shared = all.filter(({ target }) => target.sharedWith !== undefined);
  const forms = Map.groupBy(shared, ({ plan, target }) => {
    const sharedWith = target.sharedWith as Shares;
    const stays = new Set(sharedWith.map(({ userId }) => userId));
    const unshare = plan.row.shares.flatMap(({ userId }) => (stays.has(userId) ? [] : userId));
    return JSON.stringify({ sharedWith, unshare: unshare.toSorted() });
  });
  for (const [form, group] of forms) {
    const { sharedWith, unshare } = JSON.parse(form) as { sharedWith: Shares; unshare: string[] };
    await sharing.add(
      ctx,
      group.map(({ id }) => id),
      sharedWith,
      { unshare, isStep: true },
    );
  }
}

/** Returns the fields of the row that go back, with their values. */
const targetsOf = ({ changes }: Pick<RowPlan, 'changes'>): Record<string, unknown> =>
  Object.fromEntries(changes.map(({ field, target }) => [field, target]));

const amountOf = (target: unknown, now: number | null): number | null =>
  target === undefined ? now : (target as number | null);

/** Writes all changes of these fields, whose rows the transaction has locked. */
async function writeAll(
  ctx: TxContext,
  changes: readonly Change[],
  fields: readonly string[],
): Promise<void> {
  const written = await refuseDeletedChoices(changeDeals(ctx.db, ctx, 'deal.updated', changes, { fields }));
  if (written.length < changes.length) throw new AppError('CONFLICT');
}

function columnsFor(after: Record<string, unknown>, statusId: ReadonlyMap<string, string>): DealColumns {
  return {
    ...columnsOf(splitCustom(after) as DealValues),
    ...(after.status !== undefined && { status_id: statusId.get(after.status as string)! }),
  };
}
