import { isCustomKey, type CustomKey, type CustomValue } from '@forecourt/contract/custom-field-types';
import type { RevertField } from '@forecourt/contract/deal-changes';
import type { DealItem } from '@forecourt/contract/deals';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { Context, Viewer } from '../../../platform/http/context.ts';
import { isAdmin } from '../../../platform/http/policy.ts';
import type { GivenShare } from '../../../platform/sharing/access.ts';
import type {
  CustomFieldDefinition,
  CustomFieldsService,
} from '../../custom-fields/custom-fields.service.ts';
import {
  canDelete,
  canEdit,
  canEditCustom,
  dealershipVisible,
  monthVisible,
  sharingAbilities,
  statusVisible,
} from '../deals.policy.ts';
import { findDeals, findItems, type InScope } from '../deals.queries.ts';
import type { RowPlan } from './revert-plan.ts';
import * as queries from './revert.queries.ts';

type CheckParts = {
  customFields: Pick<CustomFieldsService, 'checkedValue'>;
  inScope: (viewer: Viewer) => InScope;
};
/** The custom fields that the viewer may see, also retired ones, and the statuses by name. */
export type RevertNames = {
  custom: readonly CustomFieldDefinition[];
  statusId: ReadonlyMap<string, string>;
};
type Shares = GivenShare<'deal'>[];

const MAY_NOT = {
  edit: 'Only its owner, its creator, an administrator or a person with an edit share may change this row.',
  delete: 'You may not delete this row.',
  share: 'Only its owner or an administrator may change who sees this row.',
  transfer: 'Only its owner with the right to change owners, or an administrator, may transfer this row.',
};
const PURGED = 'A row that was merged into it was removed for good.';
const NO_SURVIVOR = 'The row with which it was merged was deleted since.';
const HIDDEN_BEFORE = 'It would go back to a month, dealership or status that you do not see.';

/** Returns a function that returns why the viewer may not, or nobody can, take back a row. */
export async function createRevertCheck(
  ctx: Context,
  { customFields, inScope }: CheckParts,
  { custom, statusId }: RevertNames,
  plans: readonly RowPlan[],
): Promise<(plan: RowPlan) => string | null> {
  const { db, viewer } = ctx;
  const scope = inScope(viewer);
  const targets = (field: RevertField) =>
    plans.flatMap(({ changes: all }) => all.filter((one) => one.field === field).map(({ target }) => target));
  const isPerson = new Set<string>(custom.flatMap(({ key, type }) => (type === 'person' ? key : [])));
  const people = await peopleOf(
    db,
    plans.flatMap(({ changes: all }) =>
      all.flatMap(({ field, now, target }) => {
        if (field === 'sharedWith') return newShares(now as Shares, target as Shares);
        return (field === 'owner' || isPerson.has(field)) && typeof target === 'string' ? target : [];
      }),
    ),
  );
  const merges = plans.flatMap(({ mergedInto }) => mergedInto ?? []);
  const survivors = new Map((await findDeals(db, scope, merges)).map((row) => [row.id, row]));
  const mergedIds = plans.flatMap(({ mergedRows }) => mergedRows);
  const merged = await queries.findExisting(db, 'deals', mergedIds);
  const dealerships = await queries.findExisting(db, 'dealerships', targets('dealershipId') as string[]);
  const lines = (targets('items') as DealItem[][]).flat();
  const itemIds = [...new Set(lines.map(({ itemId }) => itemId))];
  const items = new Set((await findItems(db, itemIds)).map(({ id }) => id));

  const checkCustom = (key: CustomKey, now: unknown, target: unknown): string | null => {
    const field = custom.find((one) => one.key === key)!;
    if (!field.active) return `The field “${field.name}” is no longer in use.`;
    if (!canEditCustom(viewer, field)) return `Only administrators may change “${field.name}”.`;
    if (field.type === 'person' && typeof target === 'string') return people(target);
    const read = customFields.checkedValue(field, target, () => false, now as CustomValue | null);
    return 'message' in read ? `“${field.name}” no longer accepts the earlier value.` : null;
  };
  type Check = (target: unknown, now: unknown) => string | null;
  const checks: { readonly [field in RevertField]?: Check } = {
    status: (name) => {
      const id = statusId.get(name as string);
      if (id === undefined) return `The status “${name as string}” no longer exists.`;
      return statusVisible.matches(scope, { statusId: id }) ? null : HIDDEN_BEFORE;
    },
    dealershipId: (id) => {
      const dealershipId = id as string;
      if (!dealershipVisible.matches(scope, { dealershipId })) return HIDDEN_BEFORE;
      return dealerships.has(dealershipId) ? null : 'The earlier dealership no longer exists.';
    },
    month: (month) => (monthVisible.matches(scope, { month: month as string }) ? null : HIDDEN_BEFORE),
    items: (lines) => {
      const gone = (lines as DealItem[]).find(({ itemId }) => !items.has(itemId));
      return gone ? `The item “${gone.name}” no longer exists.` : null;
    },
    owner: (id) => people(id as string),
    sharedWith: (shares, now) =>
      newShares(now as Shares, shares as Shares)
        .map(people)
        .find((reason) => reason !== null) ?? null,
  };
  const checkValue = ({ field, now, target }: RowPlan['changes'][number]): string | null =>
    isCustomKey(field) ? checkCustom(field, now, target) : (checks[field]?.(target, now) ?? null);
  return ({ row, effect, fullEffect, changes: all, left, mergedInto, mergedRows }: RowPlan) => {
    if (!mergedRows.every((id) => merged.has(id))) return PURGED;
    const changed = [...all, ...left].map(({ field }) => field);
    const isShare = (field: string): boolean => field === 'owner' || field === 'sharedWith';
    if (fullEffect === 'deleted' && canDelete(viewer, row) !== true) return MAY_NOT.delete;
    if (fullEffect === 'deleted' && mergedInto !== null) {
      const survivor = survivors.get(mergedInto);
      if (!survivor) return NO_SURVIVOR;
      if (canEdit(viewer, survivor) !== true) return MAY_NOT.edit;
    }
    const isEdit = effect === 'restored' || changed.some((field) => !isShare(field));
    if (isEdit && canEdit(viewer, row) !== true) return MAY_NOT.edit;
    const abilities = sharingAbilities(viewer, row);
    if (changed.includes('owner') && abilities.transfer !== true) return MAY_NOT.transfer;
    // After a transfer the former owner may no longer share the row.
    const mayShare = changed.includes('owner') ? isAdmin(viewer) : abilities.share === true;
    if (changed.includes('sharedWith') && !mayShare) return MAY_NOT.share;
    return all.map(checkValue).find((reason) => reason !== null) ?? null;
  };
}

/** Returns the users who would get a share or another level. */
const newShares = (now: Shares, target: Shares): string[] =>
  target
    .filter(
      ({ userId, permissions }) =>
        !now.some((one) => one.userId === userId && one.permissions === permissions),
    )
    .map(({ userId }) => userId);

/** Returns a function that returns why a user cannot be chosen; null if they can. */
async function peopleOf(db: Db | Tx, ids: readonly string[]): Promise<(id: string) => string | null> {
  const people = new Map((await queries.findPeople(db, ids)).map((one) => [one.id, one]));
  return (id) => {
    const person = people.get(id);
    if (!person) return 'A person of the earlier value no longer exists.';
    return person.is_active ? null : `${person.name} is no longer active.`;
  };
}
