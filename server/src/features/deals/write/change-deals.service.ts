import { isDeepStrictEqual } from 'node:util';
import type { CustomValues } from '@forecourt/contract/custom-field-types';
import type { CustomFieldChanges } from '@forecourt/contract/custom-fields';
import type { Deal, DealItem, DealItemInput, DealPatch } from '@forecourt/contract/deals';
import { Money } from '@forecourt/contract/money';
import type { Issue } from '@forecourt/contract/validate';
import type { Clock } from '../../../platform/clock.ts';
import { inTransaction, type Context, type Viewer } from '../../../platform/http/context.ts';
import { AppError, invalid, invalidField } from '../../../platform/http/errors.ts';
import { keyValues, type Claim } from '../../../platform/http/idempotency.ts';
import { requireAbility } from '../../../platform/http/policy.ts';
import { isSameSharing, presentAccess } from '../../../platform/sharing/access.ts';
import { requireActive } from '../../../platform/sharing/active-people.ts';
import type { Records } from '../../../platform/sharing/records.ts';
import type { createSharing } from '../../../platform/sharing/sharing.ts';
import type { CustomFieldsService } from '../../custom-fields/custom-fields.service.ts';
import type { DealershipsService } from '../../dealerships/dealerships.service.ts';
import type { SettingsService } from '../../settings/settings.service.ts';
import {
  columnsOf,
  flat,
  isPlain,
  itemsSum,
  pick,
  present,
  recorded,
  refuseHidden,
  type DealColumns,
  type DealValues,
  type Recorded,
} from '../deals.fields.ts';
import {
  canDelete,
  canEdit,
  canSee,
  conflictingFields,
  dealershipVisible,
  hasVersion,
  monthVisible,
  sharingAbilities,
  statusVisible,
  staysInMonth,
} from '../deals.policy.ts';
import { findItems, findStatus, type DealRow, type InScope } from '../deals.queries.ts';
import {
  attemptUpdates,
  changeDeals,
  changersOf,
  replaceItems,
  type Update,
} from './change-deals.queries.ts';
import { customValuesReader, simpleCustomValue } from './custom-values.service.ts';
import { price } from './deal-rates.queries.ts';
import {
  createFastWriter,
  DEALERSHIP_KEY,
  ITEM_KEY,
  namedSetOf,
  STATUS_KEY,
} from './write-statements.queries.ts';

/** Maximum attempts to merge a change into the newest version before CONFLICT is thrown. */
const MERGE_ATTEMPTS = 5;

/** Error messages for choices that do not exist or are hidden from the viewer. */
export const CHOOSE = { dealershipId: 'Choose one of the dealerships', status: 'Choose one of the statuses' };
export const OTHER_MONTH = 'You may only use the current month';

const computed = ['grossProfit', 'commissionRate', 'commission'] as const;

export type DealParts = {
  dealerships: DealershipsService;
  settings: SettingsService;
  customFields: Pick<CustomFieldsService, 'definitions' | 'definitionsInHistory' | 'checkedValue'>;
  clock: Clock;
};
type Parts = Omit<DealParts, 'dealerships'> & {
  records: Records<DealRow, Deal>;
  inScope: (viewer: Viewer) => InScope;
  sharing: Pick<DealSharing, 'transfer'>;
};
export type DealSharing = ReturnType<typeof createSharing<'deal', DealRow, Deal>>;
type GivenShares = NonNullable<DealPatch['sharedWith']>;
type FieldsPatch = Omit<DealPatch, 'owner' | 'sharedWith'>;

/** Validates the typed values of a change and derives the others. */
function createValueReader({
  settings,
  customFields,
  clock,
  inScope,
}: Pick<Parts, 'settings' | 'customFields' | 'clock' | 'inScope'>) {
  /** Throws a 400 if the status does not exist or is hidden from the viewer. */
  async function statusNamed(ctx: Context, name: string): Promise<{ id: string; name: string }> {
    const status = await findStatus(ctx.db, name);
    if (!status || !statusVisible.matches(inScope(ctx.viewer), { statusId: status.id }))
      throw invalidField('status', CHOOSE.status);
    return status;
  }

  /** Throws a 400 unless the viewer may use this month. */
  function requireMonth(viewer: Viewer, month: string): void {
    if (!monthVisible.matches(inScope(viewer), { month })) throw invalidField('month', OTHER_MONTH);
  }

  /** Returns the month to which the viewer's edits move rows of earlier months; null if they move none. */
  const movesTo = async (ctx: Context): Promise<string | null> =>
    (await settings.valueFor(ctx, ctx.viewer.userId, 'dataEntry.moveEditedToCurrentMonth'))
      ? clock.businessMonth()
      : null;

  /**
   * Returns the typed values, and the sale amount if it is derived from the items. Throws a 400 for a hidden column, an
   * unknown item, or a computed field with another value than stored.
   */
  async function typedValues(
    ctx: Context,
    input: Omit<DealPatch, 'version' | 'owner' | 'sharedWith'>,
    row: DealRow | null,
  ): Promise<DealValues> {
    refuseHidden(ctx.viewer, input);
    const now = row ? recorded(row) : {};
    const wrong = computed.find((field) => input[field] !== undefined && input[field] !== now[field]);
    if (wrong) throw invalidField(wrong, 'This is computed and cannot be typed');
    const {
      grossProfit: _p,
      commissionRate: _r,
      commission: _c,
      items,
      custom: customInput,
      ...values
    } = input;
    const custom = customInput && (await customValues(ctx, customInput, row));
    const storedItems = row?.items ?? [];
    const sold = items && (await itemsToStore(ctx, items, storedItems));
    const saleNow = row?.sale_amount ?? null;
    const followed = saleNow === null || saleNow === itemsSum(storedItems);
    const follows = values.saleAmount === undefined ? sold && followed : values.saleAmount === null;
    return {
      ...values,
      ...(custom && { custom }),
      ...(sold && { items: sold }),
      ...(follows && { saleAmount: itemsSum(sold ?? storedItems) }),
    };
  }

  /** Returns the changed values of custom fields. Throws a 400 that names the invalid ones. */
  async function customValues(ctx: Context, input: CustomFieldChanges, row: DealRow | null) {
    const read = await customValuesReader(ctx, customFields);
    const { values, issues } = read(input, customOf(row));
    if (issues.length > 0) throw invalid(issues);
    return values;
  }

  /**
   * Returns the typed and derived values, and the columns to write. Derived are the month if edits move rows, and the
   * commission. Throws a 400 that names the field.
   */
  async function completedValues(
    ctx: Context,
    typed: DealValues,
    row: DealRow | null,
  ): Promise<{ values: DealValues; columns: DealColumns }> {
    const values = { ...typed };
    const unknownDealership = () => invalidField('dealershipId', CHOOSE.dealershipId);
    const { dealershipId } = values;
    if (dealershipId !== undefined && !dealershipVisible.matches(inScope(ctx.viewer), { dealershipId }))
      throw unknownDealership();
    if (values.month !== undefined) requireMonth(ctx.viewer, values.month);
    else if (row) {
      const month = await movesTo(ctx);
      if (!staysInMonth.matches({ movesTo: month }, row)) values.month = month!;
    }
    if (values.dealershipId !== undefined || values.saleAmount !== undefined) {
      const rates = await settings.commissionRates(ctx, row?.owner_id ?? ctx.viewer.userId);
      const money = await price(ctx.db, rates, {
        dealershipId: values.dealershipId ?? row!.dealership_id,
        saleAmount: values.saleAmount === undefined ? (row?.sale_amount ?? null) : values.saleAmount,
      });
      if (!money) throw unknownDealership();
      Object.assign(values, money);
    }
    const columns = columnsOf(values);
    if (values.status !== undefined) {
      const { id, name } = await statusNamed(ctx, values.status);
      columns.status_id = id;
      values.status = name;
    }
    return { values, columns };
  }

  return { statusNamed, requireMonth, movesTo, typedValues, completedValues };
}

/** Changes of one row (docs/product/data-entry.md, Fields and Two people change one row). */
export function createDealChanges(parts: Parts) {
  const { records, customFields, clock, sharing, inScope } = parts;
  const { loadOne: load } = records;
  const { statusNamed, requireMonth, movesTo, typedValues, completedValues } = createValueReader(parts);

  const deletion = ({ viewer }: Context): DealColumns => ({
    deleted_at: clock.now().toISOString(),
    deleted_by: viewer.userId,
  });

  /** If `fields` is not empty, throws CONFLICT with the current row and the author of each change. */
  async function refuseConflicts(ctx: Context, row: DealRow, fields: readonly string[]): Promise<void> {
    if (fields.length === 0) return;
    throw new AppError('CONFLICT', {
      details: fields.join(', '),
      current: present(ctx.viewer, row),
      conflicts: await changersOf(ctx.db, row.id, versionsOf(row), fields),
    });
  }

  const writeFast = createFastWriter(attemptUpdates, ({ values, actor }: Update) => [
    Object.keys(flat(values)).toSorted(),
    namedSetOf(actor),
  ]);

  async function updateFields(ctx: Context, id: string, { version, ...input }: FieldsPatch): Promise<Deal> {
    for (let attempt = 1; ; attempt += 1) {
      const row = await load(ctx, id);
      requireAbility(canEdit(ctx.viewer, row));
      if (!hasVersion.matches({ seen: version }, row))
        throw invalidField('version', 'This version does not exist yet');
      const now = recorded(row);
      const typed = changedValues(await typedValues(ctx, input, row), now);
      const typedFields = flat(input);
      const named = Object.keys(flat(typed)).filter((field) => field in typedFields);
      await refuseConflicts(ctx, row, conflictingFields(named, versionsOf(row), version));
      const seen = present(ctx.viewer, row);
      if (attempt > MERGE_ATTEMPTS) throw new AppError('CONFLICT', { current: seen });
      if (Object.keys(flat(typed)).length === 0) return seen;
      const { values, columns } = await completedValues(ctx, typed, row);
      const changed = changedValues(values, now);
      const after = flat(changed);
      const fields = Object.keys(after);
      const change = { row, columns, before: pick(now, fields), after };
      const updated = await writeWithItems(ctx, id, changed.items, async (inner) => {
        const form = { fields, isWhole: true };
        return (await changeDeals(inner.db, ctx, 'deal.updated', [change], form))[0];
      });
      if (updated) return present(ctx.viewer, updated);
    }
  }

  /** Changes the other fields first, because the previous owner may lose the right to change the row. */
  const transferTo = (ctx: Context, id: string, owner: string, patch: FieldsPatch): Promise<Deal> =>
    inTransaction(ctx, async (inner) => {
      refuseHidden(ctx.viewer, { owner });
      const row = (await records.locked(inner, [id]))[0]!;
      const deal = await updateFields(inner, id, patch);
      if (row.owner_id === owner) return deal;
      requireAbility(sharingAbilities(ctx.viewer, row).transfer);
      await refuseConflicts(inner, row, conflictingFields(['owner'], versionsOf(row), patch.version));
      await requireActive(inner.db, { owner });
      await sharing.transfer(inner, [id], { targetUserId: owner, keepSharing: false, reason: '' });
      return present(ctx.viewer, await load(inner, id));
    });

  /** Throws a 400 unless `sharedWith` equals the shares in a response to the viewer. */
  async function refuseSharing(ctx: Context, id: string, sharedWith: GivenShares): Promise<void> {
    const seen = presentAccess(ctx.viewer, 'deal', await load(ctx, id)).sharedWith;
    if (!isSameSharing(seen, sharedWith))
      throw invalidField('sharedWith', 'Share the row to change who sees it');
  }

  return {
    statusNamed,
    requireMonth,
    movesTo,
    deletion,

    /**
     * Writes the most common change in one statement with its key: plain fields, the status or one custom field, not
     * changed by others since. Returns undefined for other changes, or if a condition is not met.
     */
    attemptUpdate: async (
      ctx: Context,
      id: string,
      { version, custom: customInput, ...plain }: DealPatch,
      claim: Claim | null,
    ): Promise<Deal | undefined> => {
      const { viewer } = ctx;
      const isSimple = (field: string) => (isPlain(field) || field === 'status') && canSee(viewer, field);
      if (!Object.keys(plain).every(isSimple)) return undefined;
      const custom = customInput && (await simpleCustomValue(ctx, customFields, customInput));
      if (customInput && !custom) return undefined;
      const values = { ...plain, ...(custom && { custom }) };
      if (Object.keys(values).length === 0) return undefined;
      const row = await writeFast(ctx.db, inScope(viewer), {
        id,
        actor: ctx,
        userId: viewer.userId,
        role: viewer.role,
        seen: version,
        movesTo: await movesTo(ctx),
        values,
        claim: keyValues(viewer, claim),
      });
      return row && present(viewer, row);
    },

    /**
     * Changes fields and returns the row. Merges the change if nobody has changed these fields since `version`;
     * otherwise throws CONFLICT with the current row and the author of each change.
     */
    update: async (ctx: Context, id: string, { owner, sharedWith, ...patch }: DealPatch): Promise<Deal> => {
      if (sharedWith) await refuseSharing(ctx, id, sharedWith);
      return owner === undefined ? updateFields(ctx, id, patch) : transferTo(ctx, id, owner, patch);
    },

    remove: async (ctx: Context, id: string): Promise<undefined> => {
      const row = await load(ctx, id);
      requireAbility(canDelete(ctx.viewer, row));
      const removed = { row, columns: deletion(ctx), before: recorded(row), after: null };
      const gone = await changeDeals(ctx.db, ctx, 'deal.deleted', [removed]);
      if (gone.length === 0)
        throw new AppError('CONFLICT', { current: present(ctx.viewer, await load(ctx, id)) });
    },
  };
}

export type DealChanges = ReturnType<typeof createDealChanges>;

const versionsOf = (row: DealRow) => row.field_versions as Record<string, number>;

const customOf = (row: DealRow | null) => (row?.custom ?? {}) as CustomValues;

/** Writes a row, and items in the same transaction. Returns the row afterwards; undefined if `write` wrote nothing. */
async function writeWithItems(
  ctx: Context,
  id: string,
  items: DealItem[] | undefined,
  write: (ctx: Context) => Promise<DealRow | undefined>,
): Promise<DealRow | undefined> {
  if (!items) return refuseDeletedChoices(write(ctx));
  return refuseDeletedChoices(
    inTransaction(ctx, async (inner) => {
      const row = await write(inner);
      if (!row) return undefined;
      await replaceItems(inner.db, [{ id, items }]);
      return { ...row, items };
    }),
  );
}

const changedValues = (values: DealValues, now: Recorded): DealValues =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([field, value]) => field === 'custom' || !isDeepStrictEqual(value, now[field as keyof Recorded]),
    ),
  );

/** Returns the items to store. Throws a 400 that names invalid ones. */
async function itemsToStore(
  ctx: Context,
  input: readonly DealItemInput[],
  storedItems: readonly DealItem[],
): Promise<DealItem[]> {
  const ids = input.map(({ itemId }) => itemId);
  const items = new Map((await findItems(ctx.db, ids)).map((item) => [item.id, item]));
  const { sold, issues } = resolveItems(items, input, storedItems);
  if (issues.length > 0) throw invalid(issues.map((issue) => ({ ...issue, path: ['items', ...issue.path] })));
  return sold;
}

type KnownItem = { name: string; price: number | null; active: boolean };

/**
 * Returns the items to store: existing ones keep their name and price, new ones get the current ones. Also returns the
 * issues, with paths within the list.
 */
export function resolveItems(
  items: ReadonlyMap<string, KnownItem>,
  input: readonly DealItemInput[],
  storedItems: readonly DealItem[],
): { sold: DealItem[]; issues: Issue[] } {
  const issues: Issue[] = [];
  const sold = input.flatMap(({ itemId, name, quantity, unitPrice }, index): DealItem[] => {
    const storedLine = storedItems.find(
      (line) => line.itemId === itemId && (name === undefined || line.name === name),
    );
    const item = items.get(itemId);
    if (!item || (!storedLine && !item.active)) {
      issues.push({ path: [index, 'itemId'], message: 'Choose one of the items' });
      return [];
    }
    const own = storedLine?.name ?? item.name;
    if (name !== undefined && name !== own)
      issues.push({ path: [index, 'name'], message: `This item is called ${own}` });
    return [
      { itemId, name: own, quantity, unitPrice: unitPrice ?? storedLine?.unitPrice ?? item.price ?? 0 },
    ];
  });
  if (!Money.nullable().safeParse(itemsSum(sold)).success)
    issues.push({ path: [], message: 'Together these items cost more than a deal can hold' });
  return { sold, issues };
}

/** Awaits a write. If a dealership, status or item was deleted in the meantime, throws the 400 for a missing one. */
export async function refuseDeletedChoices<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    const { constraint } = error as { constraint?: string };
    if (constraint === DEALERSHIP_KEY) throw invalidField('dealershipId', CHOOSE.dealershipId);
    if (constraint === STATUS_KEY) throw invalidField('status', CHOOSE.status);
    if (constraint === ITEM_KEY) throw invalidField('items', 'Choose among the items that there are');
    throw error;
  }
}
