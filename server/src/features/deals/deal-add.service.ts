import type { Deal, NewDeal } from '@forecourt/contract/deals';
import type { Clock } from '../../platform/clock.ts';
import type { Context, Viewer } from '../../platform/http/context.ts';
import { requireAbility } from '../../platform/http/policy.ts';
import { newId } from '../../platform/ids.ts';
import { attemptInserts } from './deal-attempt.queries.ts';
import { createAttempts } from './deal-attempt.service.ts';
import { refusingWhatIsGone, type DealChanges } from './deal-change.service.ts';
import { findStatus } from './deal-statuses.queries.ts';
import { writing } from './deal-update.service.ts';
import { insertDeal } from './deal-write.queries.ts';
import { present, refuseHidden } from './deals.fields.ts';
import { canAdd, isWithin, type ScopedDeal } from './deals.policy.ts';
import type { InScope } from './deals.queries.ts';
import { outOfSight } from './out-of-sight.ts';

type Parts = { changes: DealChanges; clock: Clock; inScope: (viewer: Viewer) => InScope };

/** One new row (product.md section 4). */
export function createDealAddition({ changes, clock, inScope }: Parts) {
  const attempted = createAttempts(attemptInserts);

  /**
   * What most new rows are: values and a dealership. Undefined where it is more, or may not be: going step by step finds
   * out.
   */
  async function attempt(ctx: Context, input: NewDeal): Promise<Deal | undefined> {
    const { viewer } = ctx;
    refuseHidden(viewer, input);
    const { dealershipId, status, items, month = clock.businessMonth(), ...values } = input;
    if (items) return undefined;
    const scope = inScope(viewer);
    const row = { id: '', statusId: '', dealershipId, month, createdOn: clock.businessDate() };
    if (!changes.mayUseMonth(viewer, month) || !isWithin(scope, row)) return undefined;
    const added = await attempted(ctx.db, scope, {
      id: newId(),
      actor: ctx,
      ownerId: viewer.userId,
      dealershipId,
      status,
      rates: await changes.ratesOf(ctx, viewer.userId),
      values: { ...values, month },
      after: input,
    });
    return added && present(viewer, added);
  }

  async function stepByStep(ctx: Context, input: NewDeal): Promise<Deal> {
    const typed = await changes.typed(ctx, input, null);
    const { values, columns } = await changes.completed(ctx, typed, null);
    columns.status_id ??= (await findStatus(ctx.db, undefined))!.id;
    columns.month ??= clock.businessMonth();
    const row: ScopedDeal = {
      id: '',
      month: String(columns.month),
      dealershipId: input.dealershipId,
      statusId: String(columns.status_id),
      createdOn: clock.businessDate(),
    };
    if (!isWithin(inScope(ctx.viewer), row)) throw outOfSight();
    columns.owner_id = ctx.viewer.userId;
    columns.created_by = ctx.viewer.userId;
    columns.updated_by = ctx.viewer.userId;
    const id = newId();
    const entry = { action: 'deal.created', entity: 'deal', after: values } as const;
    const added = await writing(ctx, id, values.items, (inner) =>
      insertDeal(inner.db, ctx, id, columns, entry),
    );
    return present(ctx.viewer, added!);
  }

  /** Adds a row of the viewer's. Throws a 400 that names the field, and what says why they may not. */
  return async (ctx: Context, input: NewDeal): Promise<Deal> => {
    requireAbility(canAdd(ctx.viewer));
    return (await refusingWhatIsGone(attempt(ctx, input))) ?? stepByStep(ctx, input);
  };
}
