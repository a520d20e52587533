import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { CustomValues } from '@forecourt/contract/custom-field-types';
import type { CustomFieldChanges } from '@forecourt/contract/custom-fields';
import type { DealItem, DealItemInput, DealPatch } from '@forecourt/contract/deals';
import { Money } from '@forecourt/contract/money';
import type { Issue } from '@forecourt/contract/validate';
import type { Clock } from '../../../platform/clock.ts';
import { listClosedMonths } from '../../../platform/http/closed-months.ts';
import type { Context, Viewer } from '../../../platform/http/context.ts';
import { invalid, invalidField } from '../../../platform/http/errors.ts';
import type { CustomFieldsService } from '../../custom-fields/custom-fields.service.ts';
import type { SettingsService } from '../../settings/settings.service.ts';
import {
  columnsOf,
  flat,
  itemsSum,
  pick,
  recorded,
  refuseHidden,
  type DealColumns,
  type DealValues,
  type Recorded,
} from '../deals.fields.ts';
import {
  conflictingFields,
  dealershipVisible,
  monthVisible,
  statusVisible,
  staysInMonth,
} from '../deals.policy.ts';
import { findItems, findStatus, type DealRow, type InScope } from '../deals.queries.ts';
import { customValuesReader } from './custom-values.service.ts';
import { prices } from './deal-rates.queries.ts';

/** Error messages for choices that do not exist or are hidden from the viewer. */
export const CHOOSE = { dealershipId: 'Choose one of the dealerships', status: 'Choose one of the statuses' };
export const OTHER_MONTH = 'You may only use the current month';

const computed = ['grossProfit', 'commissionRate', 'commission'] as const;

type Parts = {
  settings: Pick<SettingsService, 'valueFor' | 'commissionRates'>;
  customFields: Pick<CustomFieldsService, 'definitions' | 'checkedValue'>;
  clock: Pick<Clock, 'businessMonth'>;
  inScope: (viewer: Viewer) => InScope;
};
export type FieldsPatch = Omit<DealPatch, 'version' | 'owner' | 'sharedWith'>;

/** A change of a row, or the fields in which it conflicts with changes of others; null: it changes nothing. */
type Planned =
  | { conflicts: string[]; change?: undefined }
  | { conflicts?: undefined; change: PlannedChange | null };
export type PlannedChange = {
  columns: DealColumns;
  before: object;
  after: Record<string, unknown>;
  fields: string[];
  items: DealItem[] | undefined;
};

/** Validates the typed values of a change and derives the others. */
export function createDealValues({ settings, customFields, clock, inScope }: Parts) {
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

  /** Returns the month to which an edit moves a row, or null if the row stays: rows of closed months do, and none moves into one. */
  const mover = async (ctx: Context): Promise<(row: Pick<DealRow, 'month'>) => string | null> => {
    const month = await movesTo(ctx);
    const closed = new Set(month === null ? [] : await listClosedMonths(ctx.db));
    const stays = (row: Pick<DealRow, 'month'>): boolean =>
      month === null ||
      closed.has(month) ||
      closed.has(row.month) ||
      staysInMonth.matches({ movesTo: month }, row);
    return (row) => (stays(row) ? null : month);
  };

  /** What the checks of a change read. */
  const readsOf = (ctx: Context) => ({
    status: (name: string) => statusNamed(ctx, name),
    items: (ids: readonly string[]) => findItems(ctx.db, ids),
    customValues: () => customValuesReader(ctx, customFields),
    rates: (ownerId: string) => settings.commissionRates(ctx, ownerId),
    price: async (sale: Sale): Promise<Price> => (await prices(ctx.db, [sale]))[0],
    mover: () => mover(ctx),
  });
  type Sale = Parameters<typeof prices>[1][number];
  type Price = Awaited<ReturnType<typeof prices>>[number];

  /** The same for many rows: reads each choice once, and the prices of the rows that are planned together at once. */
  const readsOfMany = (ctx: Context): ReturnType<typeof readsOf> => {
    const { status, items, customValues, rates, mover: moves } = readsOf(ctx);
    return {
      status: once(status),
      items: once(items),
      customValues: once(customValues),
      rates: once(rates),
      price: together((sales: Sale[]) => prices(ctx.db, sales)),
      mover: once(moves),
    };
  };

  /**
   * Returns the typed and derived values, and the columns to write. Derived are the month if edits move rows, and the
   * commission. Throws a 400 that names the field.
   */
  async function completedWith(
    reads: ReturnType<typeof readsOf>,
    viewer: Viewer,
    typed: DealValues,
    row: DealRow,
  ): Promise<{ values: DealValues; columns: DealColumns }> {
    const values = { ...typed };
    const unknownDealership = () => invalidField('dealershipId', CHOOSE.dealershipId);
    const { dealershipId } = values;
    if (dealershipId !== undefined && !dealershipVisible.matches(inScope(viewer), { dealershipId }))
      throw unknownDealership();
    if (values.month !== undefined) requireMonth(viewer, values.month);
    else {
      const month = (await reads.mover())(row);
      if (month !== null) values.month = month;
    }
    if (values.dealershipId !== undefined || values.saleAmount !== undefined) {
      const rates = await reads.rates(row.owner_id);
      const money = await reads.price({
        ...rates,
        dealershipId: values.dealershipId ?? row.dealership_id,
        saleAmount: values.saleAmount === undefined ? row.sale_amount : values.saleAmount,
      });
      if (!money) throw unknownDealership();
      Object.assign(values, money);
    }
    const columns = columnsOf(values);
    if (values.status !== undefined) {
      const { id, name } = await reads.status(values.status);
      columns.status_id = id;
      values.status = name;
    }
    return { values, columns };
  }

  function plannerWith({ viewer }: Context, reads: ReturnType<typeof readsOf>) {
    /**
     * Returns the typed values, and the sale amount if it is derived from the items. Throws a 400 for a hidden column,
     * an unknown item, or a computed field with another value than stored.
     */
    async function typedValues(input: FieldsPatch, row: DealRow): Promise<DealValues> {
      refuseHidden(viewer, input);
      const now = recorded(row);
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
      const custom = customInput && (await customValues(customInput, row));
      const sold = items && (await itemsToStore(items, row.items));
      const followed = row.sale_amount === null || row.sale_amount === itemsSum(row.items);
      const follows = values.saleAmount === undefined ? sold && followed : values.saleAmount === null;
      return {
        ...values,
        ...(custom && { custom }),
        ...(sold && { items: sold }),
        ...(follows && { saleAmount: itemsSum(sold ?? row.items) }),
      };
    }

    /** Returns the changed values of custom fields. Throws a 400 that names the invalid ones. */
    async function customValues(input: CustomFieldChanges, row: DealRow) {
      const read = await reads.customValues();
      const { values, issues } = read(input, row.custom as CustomValues);
      if (issues.length > 0) throw invalid(issues);
      return values;
    }

    /** Returns the items to store. Throws a 400 that names invalid ones. */
    async function itemsToStore(
      input: readonly DealItemInput[],
      storedItems: readonly DealItem[],
    ): Promise<DealItem[]> {
      const items = new Map(
        (await reads.items(input.map(({ itemId }) => itemId))).map((item) => [item.id, item]),
      );
      const { sold, issues } = resolveItems(items, input, storedItems);
      if (issues.length > 0)
        throw invalid(issues.map((issue) => ({ ...issue, path: ['items', ...issue.path] })));
      return sold;
    }

    /**
     * Returns the change of a row by typed values. Throws a 400 that names the field.
     * @param seen the version of the row that the writer saw; undefined for the current one
     */
    return async (row: DealRow, input: FieldsPatch, seen: number = row.version): Promise<Planned> => {
      const now = recorded(row);
      const typed = changedValues(await typedValues(input, row), now);
      const typedFields = flat(input);
      const named = Object.keys(flat(typed)).filter((field) => field in typedFields);
      const conflicts = conflictingFields(named, versionsOf(row), seen);
      if (conflicts.length > 0) return { conflicts };
      if (Object.keys(flat(typed)).length === 0) return { change: null };
      const { values, columns } = await completedWith(reads, viewer, typed, row);
      const changed = changedValues(values, now);
      const after = flat(changed);
      const fields = Object.keys(after);
      return { change: { columns, before: pick(now, fields), after, fields, items: changed.items } };
    };
  }

  return {
    statusNamed,
    requireMonth,
    movesTo,
    mover,
    planner: (ctx: Context) => plannerWith(ctx, readsOf(ctx)),
    plannerOfMany: (ctx: Context) => plannerWith(ctx, readsOfMany(ctx)),
    completedValues: (ctx: Context, typed: DealValues, row: DealRow) =>
      completedWith(readsOf(ctx), ctx.viewer, typed, row),
  };
}

export const versionsOf = (row: DealRow) => row.field_versions as Record<string, number>;

/** Returns the values that differ from the stored ones; custom fields as they are. */
export const changedValues = (values: DealValues, now: Recorded): DealValues =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([field, value]) => field === 'custom' || !isDeepStrictEqual(value, now[field as keyof Recorded]),
    ),
  );

/** Returns a function that reads once for equal arguments. */
function once<A extends readonly unknown[], R>(read: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  const results = new Map<string, Promise<R>>();
  return (...args) => {
    const key = JSON.stringify(args);
    let result = results.get(key);
    if (!result) results.set(key, (result = read(...args)));
    return result;
  };
}

/** Returns a function that reads for all its calls of one turn of the event loop at once. */
function together<A, R>(readAll: (all: A[]) => Promise<R[]>): (one: A) => Promise<R> {
  let all: A[] = [];
  let reading: Promise<R[]> | undefined;
  const readNext = async (): Promise<R[]> => {
    await setImmediate();
    const batch = all;
    all = [];
    reading = undefined;
    return readAll(batch);
  };
  return async (one) => {
    const index = all.push(one) - 1;
    reading ??= readNext();
    return (await reading)[index]!;
  };
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
