import type { Deal } from '@forecourt/contract/deals';
import type { Ability } from '@forecourt/contract/route';
import { inTransaction, type Context, type Viewer, type TxContext } from '../../../platform/http/context.ts';
import { AppError } from '../../../platform/http/errors.ts';
import { requireAbility } from '../../../platform/http/policy.ts';
import { wholeList } from '../../../platform/http/whole-list.ts';
import type { GivenShare } from '../../../platform/sharing/access.ts';
import type { Records } from '../../../platform/sharing/records.ts';
import { lockRecords } from '../../../platform/sharing/shares.queries.ts';
import type { Transfer } from '../../../platform/sharing/transfer.ts';
import {
  columnsOf,
  hiddenIn,
  pick,
  recorded,
  refuseHidden,
  type DealColumns,
  type DealValues,
} from '../deals.fields.ts';
import { canChangeMany, canDeleteOneOfMany, canEdit, restorable } from '../deals.policy.ts';
import { findDeleted, type DealRow, type InScope } from '../deals.queries.ts';
import { deleteRows, lockWithSurvivors, restoreRows } from '../merge/merged-rows.service.ts';
import { attemptSameUpdate, changeDeals } from './change-deals.queries.ts';
import { refuseDeletedChoices, type DealChanges, type DealSharing } from './change-deals.service.ts';

type Parts = {
  records: Records<DealRow, Deal>;
  changes: DealChanges;
  sharing: Pick<DealSharing, 'add' | 'transfer'>;
  inScope: (viewer: Viewer) => InScope;
};

/** The versions that the caller saw, by id; see `seenVersions` in the contract. */
type Seen = Readonly<Record<string, number>> | undefined;
type Chosen = { ids: string[]; versions?: Seen };
type DealList = { items: Deal[]; total: number };

const idsOf = (rows: readonly DealRow[]): string[] => rows.map(({ id }) => id);

/** Changes many rows in one transaction: all or none (docs/product/data-entry.md, Bulk actions). */
export function createDealBulk({ records, changes, sharing, inScope }: Parts) {
  /**
   * Locks and returns the rows. Without versions, throws NOT_FOUND unless the viewer sees all of them; with versions,
   * returns only rows that still have them.
   */
  async function locked(ctx: TxContext, ids: string[], seen: Seen): Promise<DealRow[]> {
    if (seen === undefined) return records.locked(ctx, ids);
    await lockRecords(ctx.db, 'deal', ids);
    return (await records.find(ctx, ids)).filter(({ id, version }) => seen[id] === version);
  }

  /** Like `lock`, but throws a 403 for the first row that `allowed` refuses. */
  async function lockedFor(
    ctx: TxContext,
    ids: string[],
    allowed: (viewer: Viewer, row: DealRow) => Ability,
    seen?: Seen,
  ): Promise<DealRow[]> {
    const rows = await locked(ctx, ids, seen);
    for (const row of rows) requireAbility(allowed(ctx.viewer, row));
    return rows;
  }

  const present = ({ viewer }: Context, rows: readonly DealRow[]): DealList =>
    wholeList(rows.map((row) => records.present(viewer, row)));

  /** Sets the values of rows without separate checks in one statement; `writeRest` handles the others. */
  async function setAll(
    ctx: TxContext,
    { ids, versions: seen }: Chosen,
    values: { status?: string; month?: string },
    movesTo: string | null,
    writeRest: (rows: DealRow[]) => Promise<void>,
  ): Promise<DealList> {
    const { userId, role } = ctx.viewer;
    const update = { actor: ctx, userId, role, seen, movesTo, values };
    const done = hiddenIn(ctx.viewer, values)
      ? []
      : await refuseDeletedChoices(attemptSameUpdate(ctx.db, inScope(ctx.viewer), ids, update));
    const doneIds = new Set(idsOf(done));
    const rest = ids.filter((id) => !doneIds.has(id));
    const rows = rest.length > 0 ? await lockedFor(ctx, rest, canEdit, seen) : [];
    if (rest.length > 0) await writeRest(rows);
    const written = rows.length > 0 ? await records.load(ctx, idsOf(rows)) : [];
    const byId = (one: DealRow, other: DealRow): number => (one.id < other.id ? -1 : 1);
    return present(ctx, [...done, ...written].toSorted(byId));
  }

  return {
    /** Returns the visible rows by id. */
    read: async (ctx: Context, ids: readonly string[]): Promise<DealList> =>
      present(ctx, await records.find(ctx, [...ids])),

    /** Sets the status of rows. Rows of earlier open months also move if the viewer's edits move rows. */
    setStatus: (ctx: Context, { status: name, ...chosen }: Chosen & { status: string }): Promise<DealList> =>
      inTransaction(ctx, async (inner) => {
        const month = await changes.movesTo(inner);
        return setAll(inner, chosen, { status: name }, month, async (rows) => {
          refuseHidden(ctx.viewer, { status: name });
          const status = await changes.statusNamed(inner, name);
          const movedTo = await changes.mover(inner);
          const differing = rows.filter((row) => row.status_id !== status.id);
          for (const [to, group] of Map.groupBy(differing, movedTo)) {
            const values = { status: status.name, ...(to !== null && { month: to }) };
            await refuseDeletedChoices(write(inner, group, values, { status_id: status.id }));
          }
        });
      }),

    setMonth: (ctx: Context, { month, ...chosen }: Chosen & { month: string }): Promise<DealList> =>
      inTransaction(ctx, async (inner) => {
        changes.requireMonth(ctx.viewer, month);
        return setAll(inner, chosen, { month }, null, (rows) => {
          const differing = rows.filter((row) => row.month !== month);
          return write(inner, differing, { month });
        });
      }),

    /** Transfers rows; more than one requires bulkEdit. Returns the rows that the viewer still sees. */
    setOwner: (ctx: Context, { ids, versions: seen, ...transfer }: Chosen & Transfer): Promise<DealList> =>
      inTransaction(ctx, async (inner) => {
        if (ids.length > 1 && !canChangeMany(ctx.viewer)) requireAbility('NO_BULK_EDIT');
        const there = seen ? idsOf(await locked(inner, ids, seen)) : ids;
        return wholeList(await sharing.transfer(inner, there, transfer));
      }),

    /** Throws a 403 unless the viewer may share each row. With versions the call is an undo or redo. */
    share: (
      ctx: Context,
      {
        ids,
        versions: seen,
        sharedWith,
        unshare,
      }: Chosen & { sharedWith: GivenShare<'deal'>[]; unshare: string[] },
    ): Promise<DealList> =>
      inTransaction(ctx, async (inner) => {
        const there = seen ? idsOf(await locked(inner, ids, seen)) : ids;
        const ending = { unshare, isStep: seen !== undefined };
        return wholeList(await sharing.add(inner, there, sharedWith, ending));
      }),

    /** Deletes rows. Without bulkEdit, only rows that the viewer added in the last hour. */
    remove: (ctx: Context, ids: string[]): Promise<undefined> =>
      inTransaction(ctx, async (inner) => {
        const rows = await lockedFor(inner, ids, canDeleteOneOfMany);
        await deleteRows(
          inner,
          changes.deletion(inner),
          rows.map((row) => ({ row, before: recorded(row) })),
        );
        return undefined;
      }),

    /** Throws NOT_FOUND unless all rows are deleted and the viewer may restore them. */
    restore: (ctx: Context, ids: string[]): Promise<DealList> =>
      inTransaction(ctx, async (inner) => {
        await lockWithSurvivors(inner.db, ids);
        const rows = await findDeleted(inner.db, inScope(ctx.viewer), ids, restorable(ctx.viewer));
        if (rows.length < new Set(ids).size) throw new AppError('NOT_FOUND');
        await restoreRows(inner, rows);
        return present(inner, await records.load(inner, ids));
      }),
  };
}

/** Sets the same values on all rows, each with an audit entry. */
async function write(
  ctx: TxContext,
  rows: readonly DealRow[],
  values: DealValues,
  references: DealColumns = {},
): Promise<void> {
  const fields = Object.keys(values);
  const columns = { ...columnsOf(values), ...references };
  const changed = rows.map((row) => ({ row, columns, before: pick(recorded(row), fields), after: values }));
  await changeDeals(ctx.db, ctx, 'deal.updated', changed, { fields });
}
