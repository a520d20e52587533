import type { Deal } from '@forecourt/contract/deals';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Viewer } from '../../platform/http/context.ts';
import type { HiddenChange } from '../../platform/live/event-filter.ts';
import { levelFor } from '../../platform/sharing/levels.ts';
import { canOpen, canSee, visible, type ScopedDeal } from './deals.policy.ts';
import * as queries from './deals.queries.ts';
import type { DealParts } from './write/change-deals.service.ts';

type FindVisible = (viewer: Viewer) => Promise<Set<string>>;

/** Decides which rows a viewer sees, or no longer sees, for live events. */
export function createDealVisibility(
  clock: DealParts['clock'],
  inScope: (viewer: Viewer) => queries.InScope,
) {
  /**
   * Returns a function that returns the visible ids of these rows for a viewer; none without Data Entry, and no deleted
   * rows. All viewers share one query.
   */
  function findVisible(db: Db | Tx, ids: string[]): FindVisible {
    let reading: Promise<ScopedDeal[]> | undefined;
    return async (viewer) => {
      if (!canOpen(viewer)) return new Set();
      reading ??= queries.findScopedUndeleted(db, ids, clock.timeZone).catch((error: unknown) => {
        reading = undefined;
        throw error;
      });
      const scope = inScope(viewer);
      return new Set((await reading).filter((row) => visible.matches(scope, row)).map(({ id }) => id));
    };
  }

  return {
    findVisible,

    /** Returns a function that returns the rows whose mail state a viewer may see. */
    findVisibleMail(db: Db, ids: string[]): FindVisible {
      const seen = findVisible(db, ids);
      return async (viewer) => (canSee(viewer, 'lastEmailedAt') ? seen(viewer) : new Set());
    },

    /** Returns the changes by which rows became invisible to the viewer. The rows are invisible now. */
    async findLostVisibility(db: Db, viewer: Viewer, changes: HiddenChange[]): Promise<HiddenChange[]> {
      if (!canOpen(viewer)) return [];
      const ids = [...new Set(changes.map(({ recordId }) => recordId))];
      const rows = new Map((await queries.findScoped(db, ids, clock.timeZone)).map((row) => [row.id, row]));
      const statusIds = new Map((await queries.listStatuses(db)).map(({ id, name }) => [name, id]));
      const scope = inScope(viewer);
      // Undoes the changes from the newest to the oldest: `before` contains only changed fields.
      return changes.toReversed().filter(({ recordId, past: { before } }) => {
        const after = rows.get(recordId);
        if (!after) return false;
        const was = before as Partial<Deal> & { statusId?: string };
        const row = {
          ...after,
          month: was.month ?? after.month,
          dealershipId: was.dealershipId ?? after.dealershipId,
          statusId: was.statusId ?? statusIds.get(was.status ?? '') ?? after.statusId,
          owner_id: was.owner ?? after.owner_id,
          shares:
            was.sharedWith?.map((share) => ({ ...share, level: levelFor('deal', share.permissions) })) ??
            after.shares,
        };
        rows.set(recordId, row);
        return visible.matches(scope, row);
      });
    },
  };
}
