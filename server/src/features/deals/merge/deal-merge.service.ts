import { isDeepStrictEqual } from 'node:util';
import type { ResponseBody } from '@forecourt/contract/api';
import { MAX_DEAL_ITEMS } from '@forecourt/contract/deal-limits';
import { mergedFields, type DealMergeBody, type MergedField } from '@forecourt/contract/deal-merge';
import type { Deal, DealItem } from '@forecourt/contract/deals';
import { Money } from '@forecourt/contract/money';
import { changeSetId } from '../../../platform/audit.ts';
import { inTransaction, type Context, type TxContext, type Viewer } from '../../../platform/http/context.ts';
import { AppError, invalidField } from '../../../platform/http/errors.ts';
import { requireAbility } from '../../../platform/http/policy.ts';
import { newId } from '../../../platform/ids.ts';
import { recordedShares, type GivenShare } from '../../../platform/sharing/access.ts';
import { requireActive } from '../../../platform/sharing/active-people.ts';
import type { Records } from '../../../platform/sharing/records.ts';
import type { CustomFieldsService } from '../../custom-fields/custom-fields.service.ts';
import { findPeople } from '../changes/revert.queries.ts';
import {
  flat,
  HIDDEN_COLUMN,
  itemsSum,
  pick,
  present,
  recorded,
  splitCustom,
  type DealValues,
} from '../deals.fields.ts';
import {
  canDelete,
  canDeleteOneOfMany,
  canEdit,
  canEditCustom,
  canSee,
  sharingAbilities,
} from '../deals.policy.ts';
import type { DealRow, InScope } from '../deals.queries.ts';
import { createChangePresenter, type Values } from '../history/deal-history.service.ts';
import { changeDeals, replaceItems } from '../write/change-deals.queries.ts';
import { refuseDeletedChoices, type DealChanges, type DealSharing } from '../write/change-deals.service.ts';
import { changedValues, type createDealValues } from '../write/deal-values.service.ts';
import * as queries from './deal-merge.queries.ts';
import { deleteRows } from './merged-rows.service.ts';

type Parts = {
  records: Pick<Records<DealRow, Deal>, 'load' | 'locked'>;
  changes: Pick<DealChanges, 'deletion'>;
  values: Pick<ReturnType<typeof createDealValues>, 'completedValues'>;
  sharing: Pick<DealSharing, 'add' | 'transfer'>;
  customFields: Pick<CustomFieldsService, 'definitions'>;
  inScope: (viewer: Viewer) => InScope;
};

/** The survivor, then the others. */
type MergedRows = readonly [DealRow, ...DealRow[]];
type Share = GivenShare<'deal'>;

const CHANGED =
  'A row was changed after you had seen it. Nothing was merged: check the values and merge again.';
const NOT_EDITABLE = 'You may not change this field';

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
const isSame = (one: unknown, other: unknown): boolean =>
  (isEmpty(one) && isEmpty(other)) || isDeepStrictEqual(one, other);
const valueOf = (row: DealRow, field: MergedField | 'items'): unknown => (recorded(row) as Values)[field];

/** Merges duplicates into one row (docs/product/data-entry.md, Merging duplicates). */
export function createDealMerge({
  records,
  values: dealValues,
  changes,
  sharing,
  customFields,
  inScope,
}: Parts) {
  /** Returns the rows. Throws the errors of the whole call. */
  async function authorised(
    ctx: Context,
    { survivor, others, versions = {} }: DealMergeBody,
    read: (ids: string[]) => Promise<DealRow[]>,
  ): Promise<MergedRows> {
    const byId = new Map((await read([survivor, ...others])).map((row) => [row.id, row]));
    const rows = [survivor, ...others].map((id) => byId.get(id)!) as [DealRow, ...DealRow[]];
    const changed = rows.find(({ id, version }) => (versions[id] ?? version) !== version);
    if (changed) throw new AppError('CONFLICT', { message: CHANGED, current: present(ctx.viewer, changed) });
    for (const row of rows) requireAbility(canEdit(ctx.viewer, row));
    const mayDelete = others.length > 1 ? canDeleteOneOfMany : canDelete;
    for (const row of rows.slice(1)) requireAbility(mayDelete(ctx.viewer, row));
    return rows;
  }

  /** Returns the row from which the survivor gets each field that the viewer may see and change. */
  async function sourcesOf(
    { db, viewer }: Context,
    rows: MergedRows,
    { values = {} }: DealMergeBody,
  ): Promise<Map<MergedField, DealRow>> {
    const custom = (await customFields.definitions(db)).filter(({ key }) => canSee(viewer, key));
    const open: MergedField[] = [
      ...mergedFields.filter((field) => field === 'month' || canSee(viewer, field)),
      ...custom.filter((field) => canEditCustom(viewer, field)).map(({ key }) => key),
    ];
    for (const field of Object.keys(values) as MergedField[]) {
      if (open.includes(field)) continue;
      const isSeen = custom.some(({ key }) => key === field);
      throw invalidField(`values.${field}`, isSeen ? NOT_EDITABLE : HIDDEN_COLUMN);
    }
    return new Map(
      open.map((field) => [
        field,
        rows.find(({ id }) => id === values[field]) ?? defaultSource(rows, (row) => valueOf(row, field)),
      ]),
    );
  }

  /** Returns what the merge writes into the survivor. */
  async function plan(ctx: Context, rows: MergedRows, body: DealMergeBody) {
    const [survivor] = rows;
    const now = recorded(survivor);
    const sources = await sourcesOf(ctx, rows, body);
    const { owner, ...typed } = differing(sources, survivor);
    const { items, itemsFrom } = mergedItems(ctx.viewer, rows, body.items);
    if (owner !== undefined) {
      requireAbility(sharingAbilities(ctx.viewer, survivor).transfer);
      await requireActive(ctx.db, { 'values.owner': owner });
    }
    const { sale_amount: sale, items: sold } = sources.get('saleAmount') ?? survivor;
    const followsItems =
      items && body.values?.saleAmount === undefined && (sale === null || sale === itemsSum(sold));
    const input: DealValues = {
      ...typed,
      // An edit would move the row of an earlier month; a merge does not.
      month: typed.month ?? survivor.month,
      ...(items && { items }),
      ...(followsItems && { saleAmount: itemsSum(items) }),
    };
    const { values, columns } = await dealValues.completedValues(ctx, input, survivor);
    const after = flat(changedValues(values, now));
    const before = pick(now, Object.keys(after));
    return { sources, owner, columns, items: items ?? null, itemsFrom, before, after };
  }

  /** Returns the shares that the survivor lacks: of the others, and of their owners. None if the viewer may not share. */
  async function missingShares(
    { db, viewer }: Context,
    rows: MergedRows,
    ownerId: string,
  ): Promise<{ shares: Share[]; mayShare: boolean }> {
    const [survivor, ...others] = rows;
    const levels = new Map<string, Share['permissions']>();
    const all = others.flatMap((row) => [
      ...(recordedShares('deal', row.shares) as Share[]),
      { userId: row.owner_id, permissions: 'write' as const },
    ]);
    for (const { userId, permissions } of all)
      if (levels.get(userId) !== 'write') levels.set(userId, permissions);
    for (const { userId, permissions } of recordedShares('deal', survivor.shares) as Share[])
      if (permissions === 'write' || levels.get(userId) !== 'write') levels.delete(userId);
    for (const id of [survivor.owner_id, ownerId]) levels.delete(id);
    const active = (await findPeople(db, [...levels.keys()])).filter((person) => person.is_active);
    const shares = active.map(({ id: userId }) => ({ userId, permissions: levels.get(userId)! }));
    return { shares, mayShare: sharingAbilities(viewer, survivor).share === true };
  }

  return {
    /** Returns what a merge would change. Throws the errors of the merge. */
    async preview(ctx: Context, body: DealMergeBody): Promise<ResponseBody<'POST /deals/merge/preview'>> {
      const { db, viewer } = ctx;
      const rows = await authorised(ctx, body, (ids) => records.load(ctx, ids));
      const [survivor, ...others] = rows;
      const { sources, owner, itemsFrom, before, after } = await plan(ctx, rows, body);
      const { shares, mayShare } = await missingShares(ctx, rows, owner ?? survivor.owner_id);
      const custom = await customFields.definitions(db);
      const now = rows.map((row) => recorded(row) as Values);
      const next = { ...after, ...(owner !== undefined && { owner }) } as Values;
      const presentChanges = await createChangePresenter(ctx, inScope(viewer), custom, [...now, next]);
      const valuesOf = now.map((values, index) => presentChanges(rows[index]!, {}, values, true));
      const people = await findPeople(
        db,
        rows.map((row) => row.owner_id),
      );
      const active = new Set(people.flatMap(({ id, is_active }) => (is_active ? id : [])));
      const mayOwn = (row: DealRow): boolean => row === survivor || active.has(row.owner_id);
      const mayTransfer = sharingAbilities(viewer, survivor).transfer === true;
      const fields: (MergedField | 'items')[] = [
        ...sources.keys(),
        ...(canSee(viewer, 'items') ? ['items' as const] : []),
      ];
      const choices = fields
        .filter(
          (field) =>
            // Equal lists of items differ from the joined list.
            (field === 'items' && others.some((row) => row.items.length > 0)) ||
            rows
              .filter((row) => field !== 'owner' || (mayTransfer && mayOwn(row)))
              .some((row) => !isSame(valueOf(row, field), valueOf(survivor, field))),
        )
        .map((field) => {
          const named = valuesOf.flat().find((change) => change.field === field)!;
          const { before: _before, after: _after, ...rest } = named;
          return {
            ...rest,
            values: valuesOf.map((values, index) =>
              field === 'owner' && !mayOwn(rows[index]!)
                ? null
                : (values.find((one) => one.field === field)?.after ?? null),
            ),
            ...(field === 'items'
              ? { from: itemsFrom, canJoin: refusalOfItems(joinedItems(rows)) === null }
              : { from: sources.get(field)!.id }),
          };
        });
      const { emails, ...moved } = await queries.countParts(
        db,
        others.map(({ id }) => id),
      );
      const wasOwner = owner === undefined ? {} : { owner: survivor.owner_id };
      return {
        rows: rows.map((row) => presentRow(viewer, row)),
        choices,
        changes: presentChanges(survivor, { ...before, ...wasOwner } as Values, next, true),
        moved: { ...moved, ...(canSee(viewer, 'lastEmailedAt') && { emails }) },
        losesAccess: shares.length > 0 && !mayShare,
      };
    },

    /** Merges the rows in one transaction, as one change set. */
    merge(ctx: Context, body: DealMergeBody): Promise<ResponseBody<'POST /deals/merge'>> {
      const changeSet = { kind: 'merge', key: newId(), isNamed: true } as const;
      return inTransaction({ ...ctx, origin: { ...ctx.origin, changeSet } }, async (inner) => {
        const rows = await authorised(inner, body, (ids) => records.locked(inner, ids));
        await refuseDeletedChoices(write(inner, rows, body));
        const { survivor, others } = body;
        return { changeSetId: changeSetId(ctx.viewer.userId, changeSet), survivor, others };
      });
    },
  };

  async function write(ctx: TxContext, rows: MergedRows, body: DealMergeBody): Promise<void> {
    const { db } = ctx;
    const [survivor, ...others] = rows;
    const { owner, columns, items, before, after } = await plan(ctx, rows, body);
    const { shares, mayShare } = await missingShares(ctx, rows, owner ?? survivor.owner_id);
    const mergedRows = others.map(({ id }) => id);
    const change = {
      row: survivor,
      columns,
      before: { ...before, mergedRows: [] },
      after: { ...after, mergedRows },
    };
    await changeDeals(db, ctx, 'deal.merged', [change], { fields: Object.keys(after) });
    if (items && Object.hasOwn(after, 'items')) await replaceItems(db, [{ id: survivor.id, items }]);
    // Notifies nobody, because these people saw one of the rows before.
    if (shares.length > 0 && mayShare) await sharing.add(ctx, [survivor.id], shares, { isStep: true });
    // The former owner keeps the right to edit, as the owners of the other rows get it.
    if (owner !== undefined)
      await sharing.transfer(ctx, [survivor.id], { targetUserId: owner, keepSharing: true, reason: '' });
    const deleted = others.map((row) => ({ row, before: recorded(row), mergedInto: survivor.id }));
    await deleteRows(ctx, changes.deletion(ctx), deleted, { isRecorded: true });
  }
}

/** Returns the survivor; if its value is empty, the first row with the only value that the others have. */
function defaultSource([survivor, ...others]: MergedRows, valueIn: (row: DealRow) => unknown): DealRow {
  if (!isEmpty(valueIn(survivor))) return survivor;
  const [first, ...rest] = others.filter((row) => !isEmpty(valueIn(row)));
  const isOnly = first && rest.every((row) => isDeepStrictEqual(valueIn(row), valueIn(first)));
  return isOnly ? first : survivor;
}

/** Returns the values that the survivor gets from other rows. */
function differing(
  sources: ReadonlyMap<MergedField, DealRow>,
  survivor: DealRow,
): Omit<DealValues, 'items'> & { owner?: string } {
  const values: Record<string, unknown> = {};
  for (const [field, source] of sources) {
    const value = valueOf(source, field);
    if (!isSame(value, valueOf(survivor, field))) values[field] = value ?? null;
  }
  return splitCustom(values);
}

const joinedItems = (rows: MergedRows): DealItem[] => rows.flatMap((row) => row.items);

/** Returns a sentence if a row cannot hold these items. */
function refusalOfItems(items: readonly DealItem[]): string | null {
  if (items.length > MAX_DEAL_ITEMS)
    return `Together the rows have more than ${MAX_DEAL_ITEMS} items: choose those of one row`;
  return Money.nullable().safeParse(itemsSum(items)).success
    ? null
    : 'Together these items cost more than a deal can hold: choose those of one row';
}

/**
 * Returns the row whose items are kept if the caller has not chosen; null: those of all rows. Equal lists are not
 * joined, because a duplicate has the same sale again.
 */
function defaultItemsFrom(rows: MergedRows): string | null {
  const [first, ...more] = rows.filter((row) => row.items.length > 0);
  const isOneList = more.every((row) => isDeepStrictEqual(row.items, first!.items));
  return isOneList || refusalOfItems(joinedItems(rows)) !== null ? (first ?? rows[0]).id : null;
}

/** Returns the items of the survivor, undefined if they stay, and the row that has them; null: those of all rows. */
function mergedItems(
  viewer: Viewer,
  rows: MergedRows,
  chosen: DealMergeBody['items'],
): { items?: DealItem[]; itemsFrom: string | null } {
  if (!canSee(viewer, 'items')) {
    if (chosen !== undefined) throw invalidField('items', HIDDEN_COLUMN);
    return { itemsFrom: rows[0].id };
  }
  const itemsFrom = chosen === undefined ? defaultItemsFrom(rows) : chosen === 'join' ? null : chosen;
  const items = rows.find(({ id }) => id === itemsFrom)?.items ?? joinedItems(rows);
  const refusal = refusalOfItems(items);
  if (refusal !== null) throw invalidField('items', refusal);
  return { itemsFrom, ...(!isDeepStrictEqual(items, rows[0].items) && { items }) };
}

const presentRow = (viewer: Viewer, row: DealRow) => ({
  _id: row.id,
  version: row.version,
  month: row.month,
  ...(canSee(viewer, 'customerName') && { customerName: row.customer_name }),
  ...(canSee(viewer, 'customerNumber') && { customerNumber: row.customer_number }),
  ...(canSee(viewer, 'dealNumber') && { dealNumber: row.deal_number }),
  ...(canSee(viewer, 'dealershipId') && { dealershipName: row.dealership_name }),
});
