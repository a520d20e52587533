import { kindsWith } from '@forecourt/contract/record-kinds';
import type { Belongings } from '@forecourt/contract/users';
import { audit } from '../../platform/audit.ts';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { transferOwnership, type Transfer } from '../../platform/sharing/transfer.ts';
import type { DealViewsService } from '../deal-views/deal-views.service.ts';
import type { DealsService } from '../deals/deals.service.ts';
import { countOwned } from './transfer.queries.ts';
import { lockUsers } from './users.queries.ts';
import type { UsersService } from './users.service.ts';

/** Transfers everything a leaving user owns (docs/product/people-and-permissions.md, Transfer what a person owns). */
export function createTransferService(
  users: UsersService,
  deals: Pick<DealsService, 'setOwner' | 'lockOpenRowsOf'>,
  views: Pick<DealViewsService, 'transfer'>,
) {
  return {
    async belongings(ctx: Context, id: string): Promise<Belongings> {
      await users.get(ctx, id);
      return countOwned(ctx.db, id);
    },

    /**
     * Transfers everything a user owns to another active user in one transaction, and returns the counts. Throws
     * LAST_ADMIN if `deactivate` would leave no active administrator.
     */
    transfer: (
      ctx: Context,
      id: string,
      { deactivate, ...transfer }: Transfer & { deactivate: boolean },
    ): Promise<Belongings> =>
      inTransaction(ctx, async (inner) => {
        // Locks all users at once, also for the deactivation, to prevent deadlocks.
        const locked = await lockUsers(inner.db, [id, transfer.targetUserId], { admins: deactivate });
        if (!locked.some((person) => person.id === id)) throw new AppError('NOT_FOUND');
        if (transfer.targetUserId === id) throw invalidField('targetUserId', 'Choose another person');
        if (deactivate) await users.update(inner, id, { isActive: false });

        const moved = {} as Belongings;
        for (const { kind, owned } of kindsWith('owned')) {
          moved[owned] = await transferOwnership(inner, kind, { ownedBy: id }, transfer);
        }
        // Rows of closed months stay: their commission was paid to this person.
        const open = await deals.lockOpenRowsOf(inner.db, id);
        moved.deals = await transferOwnership(inner, 'deal', open, transfer, deals.setOwner);
        moved.dealViews = await views.transfer(inner, id, transfer);
        await audit(inner, 'user.transferred', id, { after: { ...moved, ...transfer } });
        return moved;
      }),
  };
}

export type TransferService = ReturnType<typeof createTransferService>;
