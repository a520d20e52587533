import type { Viewer } from '../../platform/http/context.ts';
import type { Place } from '../../platform/live/presence.ts';
import { canOpen, canOpenMonth, canSee, isWithin, scopeOf, type ScopedDeal } from './deals.policy.ts';

/**
 * What a viewer is told of where somebody else is: nothing (null), the month alone, or the cell too.
 * @param deal the row that they are in; undefined where there is none, or none any more
 */
export function presenceSeenBy(
  viewer: Viewer,
  { month, cell }: Place,
  deal: ScopedDeal | undefined,
  currentMonth: string,
): Place | null {
  if (!canOpen(viewer) || canOpenMonth(viewer, month, currentMonth) !== true) return null;
  const isSeen = cell && deal && canSee(viewer, cell.column) && isWithin(scopeOf(viewer, currentMonth), deal);
  return { month, cell: isSeen ? cell : null };
}
