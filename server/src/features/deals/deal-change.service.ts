import { isDeepStrictEqual } from 'node:util';
import type { Deal, DealItem, DealItemInput, DealPatch } from '@forecourt/contract/deals';
import { Money } from '@forecourt/contract/money';
import type { Clock } from '../../platform/clock.ts';
import type { Context, Viewer } from '../../platform/http/context.ts';
import { invalid, invalidField, type Issue } from '../../platform/http/errors.ts';
import type { Change, OwnerSet } from '../../platform/records.ts';
import type { DealershipsService } from '../dealerships/dealerships.service.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import { findItems, ITEM_KEY } from './deal-items.queries.ts';
import { price, reprice } from './deal-money.queries.ts';
import { findStatus } from './deal-statuses.queries.ts';
import type { DealColumns } from './deal-write.queries.ts';
import { columnsOf, itemsSum, recorded, refuseHidden, type DealValues } from './deals.fields.ts';
import { seesAllMonths } from './deals.policy.ts';
import { DEALERSHIP_KEY, STATUS_KEY, type DealRow, type InScope } from './deals.queries.ts';

export type DealParts = { dealerships: DealershipsService; settings: SettingsService; clock: Clock };

const computed = ['grossProfit', 'commissionRate', 'commission'] as const;

/** What a change of a row comes to, before it is written (product.md section 4: fields, commission, months). */
export function createDealChanges(
  { settings, clock }: Omit<DealParts, 'dealerships'>,
  inScope: (viewer: Viewer) => InScope,
) {
  /** A status by its name. Throws a 400. */
  async function statusNamed(ctx: Context, name: string): Promise<{ id: string; name: string }> {
    const status = await findStatus(ctx.db, name);
    if (!status || inScope(ctx.viewer).exceptStatuses.includes(status.id))
      throw invalidField('status', 'Choose one of the statuses');
    return status;
  }

  const mayUseMonth = (viewer: Viewer, month: string): boolean =>
    seesAllMonths(viewer) || month === clock.businessMonth();

  /** Throws a 400 unless the viewer may use this month. */
  function requireMonth(viewer: Viewer, month: string): void {
    if (!mayUseMonth(viewer, month)) throw invalidField('month', 'You may only use the current month');
  }

  /** The month into which the viewer's edits move rows of earlier ones; null: they stay where they are. */
  const movesTo = async (ctx: Context): Promise<string | null> =>
    (await settings.valueFor(ctx, ctx.viewer.userId, 'dataEntry.moveEditedToCurrentMonth'))
      ? clock.businessMonth()
      : null;

  return {
    statusNamed,
    mayUseMonth,
    requireMonth,
    ratesOf: (ctx: Context, userId: string) => settings.commissionRates(ctx, userId),
    movesTo,

    deletion: ({ viewer }: Context): DealColumns => ({
      deleted_at: clock.now().toISOString(),
      deleted_by: viewer.userId,
    }),

    /**
     * What was typed, and the sale amount where it follows the items. Throws a 400 that names a column that does not
     * exist for the viewer, an item that there is not, or a computed field that differs from what it is.
     */
    async typed(
      ctx: Context,
      input: Omit<DealPatch, 'version' | 'owner' | 'sharedWith'>,
      row: DealRow | null,
    ): Promise<DealValues> {
      refuseHidden(ctx.viewer, input);
      const now = row ? recorded(row) : {};
      const wrong = computed.find((field) => input[field] !== undefined && input[field] !== now[field]);
      if (wrong) throw invalidField(wrong, 'This is computed and cannot be typed');
      const { grossProfit: _p, commissionRate: _r, commission: _c, items, ...values } = input;
      const known = row?.items ?? [];
      const sold = items && (await soldOf(ctx, items, known));
      const saleNow = row?.sale_amount ?? null;
      const followed = saleNow === null || saleNow === itemsSum(known);
      const follows = values.saleAmount === undefined ? sold && followed : values.saleAmount === null;
      return {
        ...values,
        ...(sold && { items: sold }),
        ...(follows && { saleAmount: itemsSum(sold ?? known) }),
      };
    },

    /**
     * The columns to write, and with what was typed all that follows from it: the month, where edits move rows, and
     * the money. Throws a 400 that names the field.
     */
    async completed(
      ctx: Context,
      typed: DealValues,
      row: DealRow | null,
    ): Promise<{ values: DealValues; columns: DealColumns }> {
      const values = { ...typed };
      const isNone = () => invalidField('dealershipId', 'Choose one of the dealerships');
      if (values.dealershipId && inScope(ctx.viewer).exceptDealerships.includes(values.dealershipId))
        throw isNone();
      if (values.month !== undefined) requireMonth(ctx.viewer, values.month);
      else if (row && row.month < clock.businessMonth()) {
        const month = await movesTo(ctx);
        if (month !== null) values.month = month;
      }
      if (values.dealershipId !== undefined || values.saleAmount !== undefined) {
        const rates = await settings.commissionRates(ctx, row?.owner_id ?? ctx.viewer.userId);
        const money = await price(ctx.db, rates, {
          dealershipId: values.dealershipId ?? row!.dealership_id,
          saleAmount: values.saleAmount === undefined ? (row?.sale_amount ?? null) : values.saleAmount,
        });
        if (!money) throw isNone();
        Object.assign(values, money);
      }
      const columns = columnsOf(values);
      if (values.status !== undefined) columns.status_id = (await statusNamed(ctx, values.status)).id;
      return { values, columns };
    },

    /** Rows earn by the rates of whoever owns them. */
    ownerSet: (async (ctx, ids, ownerId) => {
      const repriced = await reprice(ctx.db, await settings.commissionRates(ctx, ownerId), ids);
      const money = (commissionRate: number | null, commission: number | null) => ({
        commissionRate,
        commission,
      });
      return new Map(
        repriced.map((row): [string, Change] => [
          row.id,
          { before: money(row.rateBefore, row.before), after: money(row.rateAfter, row.after) },
        ]),
      );
    }) satisfies OwnerSet,
  };
}

/** Of these values those that differ from the row's. */
export const differing = (values: DealValues, now: Partial<Deal>): DealValues =>
  Object.fromEntries(
    Object.entries(values).filter(([field, value]) => !isDeepStrictEqual(value, now[field as keyof Deal])),
  );

/** Items as the row will hold them. Throws a 400 that names what is wrong with them. */
async function soldOf(
  ctx: Context,
  input: readonly DealItemInput[],
  known: readonly DealItem[],
): Promise<DealItem[]> {
  const ids = input.map(({ itemId }) => itemId);
  const items = new Map((await findItems(ctx.db, ids)).map((item) => [item.id, item]));
  const { sold, issues } = soldFrom(items, input, known);
  if (issues.length > 0) throw invalid(issues.map((issue) => ({ ...issue, path: ['items', ...issue.path] })));
  return sold;
}

/** An item as Item Configuration has it. */
export type KnownItem = { name: string; price: number | null; active: boolean };

/**
 * Items as a row will hold them: what it has already keeps its name and price, the rest has those of now. Also what
 * is wrong with them, by paths within the list.
 */
export function soldFrom(
  items: ReadonlyMap<string, KnownItem>,
  input: readonly DealItemInput[],
  known: readonly DealItem[],
): { sold: DealItem[]; issues: Issue[] } {
  const issues: Issue[] = [];
  const sold = input.flatMap(({ itemId, name, quantity, unitPrice }, index): DealItem[] => {
    const kept = known.find((line) => line.itemId === itemId && (name === undefined || line.name === name));
    const item = items.get(itemId);
    if (!item || (!kept && !item.active)) {
      issues.push({ path: [index, 'itemId'], message: 'Choose one of the items' });
      return [];
    }
    const own = kept?.name ?? item.name;
    if (name !== undefined && name !== own)
      issues.push({ path: [index, 'name'], message: `This item is called ${own}` });
    return [{ itemId, name: own, quantity, unitPrice: unitPrice ?? kept?.unitPrice ?? item.price ?? 0 }];
  });
  if (!Money.nullable().safeParse(itemsSum(sold)).success)
    issues.push({ path: [], message: 'Together these items cost more than a deal can hold' });
  return { sold, issues };
}

/** A dealership, status or item that was deleted while a row was written is told like one that never was. */
export async function refusingWhatIsGone<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    const { constraint } = error as { constraint?: string };
    if (constraint === DEALERSHIP_KEY) throw invalidField('dealershipId', 'Choose one of the dealerships');
    if (constraint === STATUS_KEY) throw invalidField('status', 'Choose one of the statuses');
    if (constraint === ITEM_KEY) throw invalidField('items', 'Choose among the items that there are');
    throw error;
  }
}

export type DealChanges = ReturnType<typeof createDealChanges>;
