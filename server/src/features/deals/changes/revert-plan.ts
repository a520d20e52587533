import { isDeepStrictEqual } from 'node:util';
import { isCustomKey } from '@forecourt/contract/custom-field-types';
import type { RevertBody, RevertField, RevertRow } from '@forecourt/contract/deal-changes';
import type { DealItem } from '@forecourt/contract/deals';
import { recordedShares } from '../../../platform/sharing/access.ts';
import { itemsSum, recorded, storedFields } from '../deals.fields.ts';
import type { DealRow } from '../deals.queries.ts';
import { combined } from './change-sets.service.ts';
import type { EntrySince } from './revert.queries.ts';

export type Values = Readonly<Record<string, unknown>>;
type FieldChange = { field: RevertField; now: unknown; target: unknown };
type LeftField = FieldChange & { by: string | null; at: string | null };

/** What a revert does to one row. */
export type RowPlan = {
  row: DealRow;
  /** The fields of the row for the audit log. */
  now: Values;
  effect: RevertRow['effect'];
  fullEffect: RevertRow['fullEffect'];
  changes: FieldChange[];
  /** Fields that were changed since the set, which stay. */
  left: LeftField[];
  /** The row into which the row is merged again, if a merge was taken back; null if it is only deleted. */
  mergedInto: string | null;
  /** The rows that the set merged into this one. */
  mergedRows: readonly string[];
  /** Why the row cannot be taken back by anyone. */
  reason: string | null;
};

export type PlanInput = {
  row: DealRow;
  /** The entries of the row since the first one of the set, oldest first. */
  entries: readonly EntrySince[];
  overwrite: NonNullable<RevertBody['overwrite']>[number] | undefined;
  canSee: (field: string) => boolean;
  /** Returns the current names of the statuses that have or had this name. */
  statusesNamed: (name: string) => readonly string[];
};

const fields = new Set<string>([...storedFields, 'status', 'items', 'owner', 'sharedWith']);
fields.delete('custom');
/** Commission and gross profit are computed from other fields, and a reason is no field. */
export const isField = (name: string): name is RevertField => fields.has(name) || isCustomKey(name);

/** The rate is stored with these fields and goes back only with them. */
const PRICED_BY = ['dealershipId', 'saleAmount', 'owner'] as const;
/** Fields that depend on others are decided after them. */
const LAST: readonly string[] = ['saleAmount', 'owner', 'commissionRate', 'sharedWith'];

const REDACTED = 'The values of this change were removed from the audit log.';
const HIDDEN_CHANGE = 'The row was changed since in a column that you do not see.';
// Without the name, because the status may be hidden from the person.
const AMBIGUOUS_STATUS =
  'The name of its status before or after this change was used by more than one status.';
const deletedSince = (by: string) => `${by} has since deleted this row.`;
const mergedSince = (by: string) => `${by} has since merged this row again.`;

const isWhole = ({ action }: EntrySince): boolean =>
  ['deal.created', 'deal.deleted', 'deal.restored'].includes(action);

/** Returns what a revert does to a row; undefined if the row is as before the set. */
export function planRow({ row, entries, overwrite, canSee, statusesNamed }: PlanInput): RowPlan | undefined {
  const ofSet = entries.filter((entry) => entry.is_of_set);
  const others = entries.filter((entry) => !entry.is_of_set);
  const now: Values = { ...recorded(row), sharedWith: recordedShares('deal', row.shares) };
  const plan: RowPlan = {
    row,
    now,
    effect: null,
    fullEffect: null,
    changes: [],
    left: [],
    mergedInto: null,
    mergedRows: [],
    reason: null,
  };
  if (ofSet.some(({ before, after }) => before === null && after === null)) return refused(plan, REDACTED);

  const first = ofSet.find(isWhole);
  const isToDelete = first?.action === 'deal.created' || first?.action === 'deal.restored';
  plan.mergedRows = ofSet.flatMap(
    ({ after }) => (after as { mergedRows?: string[] } | null)?.mergedRows ?? [],
  );
  if (first?.action === 'deal.restored') plan.mergedInto = mergedIntoOf(first);
  const isDeleted = row.deleted_at !== null;
  if (isToDelete && isDeleted) return undefined;
  const named = (field: string, value: unknown): unknown => {
    if (field !== 'status' || typeof value !== 'string') return value ?? null;
    const names = statusesNamed(value);
    return names.length === 1 ? names[0] : value;
  };
  const isSame = (field: string, one: unknown, other: unknown): boolean =>
    isDeepStrictEqual(named(field, one), named(field, other));
  const lastChange = (field: string) =>
    others.findLast(({ after }) => after !== null && Object.hasOwn(after as object, field));
  const changer = (field: string) => {
    const entry = lastChange(field);
    return { by: entry?.actor_name ?? null, at: entry?.created_at ?? null };
  };
  // Whoever chose to overwrite a value has not seen a later one.
  const isOverwritten = (field: RevertField): boolean =>
    overwrite !== undefined &&
    overwrite.fields.includes(field) &&
    (lastChange(field)?.version ?? 0) <= (overwrite.version ?? Infinity);

  const added = first?.action === 'deal.created';
  const set = combined(ofSet);
  const before = set.before as Values;
  const after = set.after as Values;
  const deletion = entries.findLast(({ action }) => action === 'deal.deleted');
  if (isDeleted && !deletion?.is_of_set) {
    const by = deletion?.actor_name ?? 'Somebody';
    const survivor = deletion ? mergedIntoOf(deletion) : null;
    // Otherwise the survivor would go back without it.
    if (survivor !== null && ofSet.some((entry) => mergedIntoOf(entry) === survivor))
      return refused(plan, mergedSince(by));
    const isChanged = Object.keys(after).some(isField);
    return isChanged ? refused(plan, deletedSince(by)) : undefined;
  }
  const rank = (field: string) => LAST.indexOf(field);
  const ofFields = added
    ? []
    : Object.keys(after)
        .filter(isField)
        .toSorted((one, other) => rank(one) - rank(other));
  const isBack = (field: string): boolean =>
    isSame(field, now[field], before[field]) || plan.changes.some((change) => change.field === field);
  if (ofFields.includes('status') && canSee('status')) {
    // An entry has the name of a status, not its id.
    const names = [before.status, after.status].map(String);
    if (names.some((name) => statusesNamed(name).length > 1)) return refused(plan, AMBIGUOUS_STATUS);
  }
  for (const field of ofFields) {
    const target = named(field, before[field]);
    if (isSame(field, now[field], target)) continue;
    const isUnchanged = isSame(field, now[field], after[field]);
    const priced = field === 'commissionRate' ? PRICED_BY.filter((one) => Object.hasOwn(after, one)) : [];
    if (!priced.every(isBack)) continue;
    if (field === 'sharedWith' && Object.hasOwn(after, 'owner') && !isBack('owner')) continue;
    const follows = priced.length > 0 || (field === 'saleAmount' && followedItems(after) && isBack('items'));
    if (!canSee(field) && !(follows && isUnchanged)) continue;
    if (isUnchanged || isOverwritten(field)) plan.changes.push({ field, now: now[field] ?? null, target });
    else plan.left.push({ field, now: now[field] ?? null, target, ...changer(field) });
  }

  if (isToDelete) {
    const since = combined(others).after as Values;
    const wasBefore = combined(others).before as Values;
    const changed = Object.keys(since).filter(
      (field): field is RevertField =>
        isField(field) &&
        !ofFields.includes(field) &&
        !isSame(field, now[field], Object.hasOwn(after, field) ? after[field] : wasBefore[field]),
    );
    if (changed.some((field) => !canSee(field))) return refused(plan, HIDDEN_CHANGE);
    for (const field of changed)
      if (!isOverwritten(field))
        plan.left.push({ field, now: now[field] ?? null, target: null, ...changer(field) });
    plan.fullEffect = 'deleted';
    // The row stays as it is, unless all of its later changes may go with it.
    if (plan.left.length > 0) plan.changes = [];
    else plan.effect = 'deleted';
  } else {
    plan.fullEffect = isDeleted ? 'restored' : 'changed';
    if (isDeleted || plan.changes.length > 0) plan.effect = plan.fullEffect;
  }
  return plan.effect === null && plan.left.length === 0 ? undefined : plan;
}

export const refused = (plan: RowPlan, reason: string): RowPlan => ({
  ...plan,
  effect: null,
  fullEffect: null,
  changes: [],
  left: [],
  reason,
});

/** Returns the row into which the entry merged the row, or from which it separated the row. */
const mergedIntoOf = ({ before, after }: EntrySince): string | null =>
  [before, after].flatMap((side) => (side as { mergedInto?: string } | null)?.mergedInto ?? [])[0] ?? null;

/** Whether the sale amount was the sum of the items. */
const followedItems = ({ items, saleAmount }: Values): boolean =>
  Array.isArray(items) && saleAmount === itemsSum(items as DealItem[]);
