import type { Merge } from '../merge/deal-merge.queries.ts';
import { refused, type RowPlan } from './revert-plan.ts';

/** Number of rows that are read and written together, so that memory does not grow with the set. */
const PART = 1000;

const together = (reason: string) => `A row with which it was merged cannot go back: ${reason}`;

/**
 * Returns the rows in their order, in parts of at most 1,000 rows, each with its groups. The rows of a merge are one
 * group, also those that are not among `ids`; a larger group is a part of its own.
 */
export function groupRows(ids: readonly string[], merges: readonly Merge[]): string[][][] {
  const groups = new Map<string, string[]>();
  for (const { rowId, survivorId } of merges) {
    const pair = [groups.get(rowId) ?? [rowId], groups.get(survivorId) ?? [survivorId]];
    const [small, large] = pair.toSorted((one, other) => one.length - other.length) as [string[], string[]];
    if (small !== large) large.push(...small);
    for (const id of [...small, rowId, survivorId]) groups.set(id, large);
  }
  const parts: string[][][] = [];
  let free = 0;
  for (const group of new Set(ids.map((id) => groups.get(id) ?? [id]))) {
    if (group.length > free) {
      parts.push([]);
      free = PART;
    }
    parts.at(-1)!.push(group);
    free -= group.length;
  }
  return parts;
}

/** Refuses all plans of a group if one of them is refused: otherwise the values of a merged row would exist twice, or not at all. */
export function refuseTogether(plans: readonly RowPlan[]): readonly RowPlan[] {
  const reason = plans.find((plan) => plan.reason !== null)?.reason ?? null;
  if (reason === null) return plans;
  return plans.map((plan) => (plan.reason === null ? refused(plan, together(reason)) : plan));
}
