import type { Viewer } from '../../../platform/http/context.ts';
import type { Place } from '../../../platform/live/presence.ts';
import { canOpen, canOpenMonth, canSee, scopeOf, visible, type ScopedDeal } from '../deals.policy.ts';

/**
 * Returns the part of another user's place that a viewer may see: nothing (null), only the month, or also the
 * cell.
 * @param deal the row of the cell; undefined if there is none or it was deleted
 */
export function presenceSeenBy(
  viewer: Viewer,
  { month, cell }: Place,
  deal: ScopedDeal | undefined,
  currentMonth: string,
): Place | null {
  if (!canOpen(viewer) || canOpenMonth(viewer, month, currentMonth) !== true) return null;
  const isSeen =
    cell && deal && canSee(viewer, cell.column) && visible.holds(scopeOf(viewer, currentMonth), deal);
  return { month, cell: isSeen ? cell : null };
}
