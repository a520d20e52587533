import type { Deal } from '@forecourt/contract/deals';
import type { Ability } from '@forecourt/contract/route';
import { auditMany } from '../../platform/audit.ts';
import { inTransaction, type Context, type Viewer } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import { requireAbility } from '../../platform/http/policy.ts';
import type { Records, Writing } from '../../platform/records.ts';
import type { GivenShare } from '../../platform/sharing/held.ts';
import { lockRecords } from '../../platform/sharing/shares.queries.ts';
import type { Transfer } from '../../platform/sharing/transfer.ts';
import { refusingWhatIsGone, type DealChanges } from './deal-change.service.ts';
import { updateDeals, type DealColumns } from './deal-write.queries.ts';
import { columnsOf, pick, recorded, refuseHidden, type DealValues } from './deals.fields.ts';
import { canChangeMany, canDelete, canEdit, restorable } from './deals.policy.ts';
import { findDeleted, type DealRow, type InScope } from './deals.queries.ts';

type Parts = {
  records: Records<DealRow, Deal>;
  changes: DealChanges;
  sharing: {
    add: (
      ctx: Context,
      ids: string[],
      sharedWith: readonly GivenShare<'deal'>[],
      ending: { unshare: readonly string[]; isStep: boolean },
    ) => Promise<Deal[]>;
    transfer: (ctx: Context, ids: string[], transfer: Transfer) => Promise<Deal[]>;
  };
  inScope: (viewer: Viewer) => InScope;
};

type Sharing = { sharedWith: readonly GivenShare<'deal'>[]; unshare: readonly string[] };

/** By id the versions that the caller saw; see `seenVersions` in the contract. */
type Seen = Readonly<Record<string, number>> | undefined;

const idsOf = (rows: readonly DealRow[]): string[] => rows.map(({ id }) => id);

/** Changes of many rows in one step: every row is judged, and it is all of them or none (product.md section 4). */
export function createDealBulk({ records, changes, sharing, inScope }: Parts) {
  /** The rows, locked. Throws NOT_FOUND unless the viewer sees all of them. With versions, those that still have them. */
  async function locked(ctx: Writing, ids: string[], seen: Seen): Promise<DealRow[]> {
    if (seen === undefined) return records.locked(ctx, ids);
    await lockRecords(ctx.db, 'deal', ids);
    return (await records.find(ctx, ids)).filter(({ id, version }) => seen[id] === version);
  }

  /** The same. Throws the first refusal too. */
  async function lockedFor(
    ctx: Writing,
    ids: string[],
    allowed: (viewer: Viewer, row: DealRow) => Ability,
    seen?: Seen,
  ): Promise<DealRow[]> {
    const rows = await locked(ctx, ids, seen);
    for (const row of rows) requireAbility(allowed(ctx.viewer, row));
    return rows;
  }

  const answer = async (ctx: Writing, ids: string[]): Promise<Deal[]> =>
    (await records.load(ctx, ids)).map((row) => records.present(ctx.viewer, row));

  return {
    /** Gives rows a status. Where the viewer's edits move rows of earlier months, these move too. */
    setStatus: (ctx: Context, ids: string[], name: string, seen: Seen): Promise<Deal[]> =>
      inTransaction(ctx, async (inner) => {
        const rows = await lockedFor(inner, ids, canEdit, seen);
        refuseHidden(ctx.viewer, { status: name });
        const status = await changes.statusNamed(inner, name);
        const month = await changes.movesTo(inner);
        const moves = ({ month: now }: DealRow): boolean => month !== null && now < month;
        const others = rows.filter((row) => row.status_id !== status.id);
        for (const [moving, group] of Map.groupBy(others, moves)) {
          const values = { status: status.name, ...(moving && { month: month! }) };
          await refusingWhatIsGone(write(inner, group, values, { status_id: status.id }));
        }
        return answer(inner, idsOf(rows));
      }),

    setMonth: (ctx: Context, ids: string[], month: string, seen: Seen): Promise<Deal[]> =>
      inTransaction(ctx, async (inner) => {
        changes.requireMonth(ctx.viewer, month);
        const rows = await lockedFor(inner, ids, canEdit, seen);
        const others = rows.filter((row) => row.month !== month);
        await write(inner, others, { month });
        return answer(inner, idsOf(rows));
      }),

    /** Hands rows over. Answers those that the viewer still sees. */
    setOwner: (ctx: Context, ids: string[], transfer: Transfer, seen: Seen): Promise<Deal[]> =>
      inTransaction(ctx, async (inner) =>
        sharing.transfer(inner, seen ? idsOf(await locked(inner, ids, seen)) : ids, transfer),
      ),

    /**
     * Shares rows and ends shares. With versions it is a step that is taken back or done again, which needs the right to
     * change many for more than one row.
     */
    share: (ctx: Context, ids: string[], { sharedWith, unshare }: Sharing, seen: Seen): Promise<Deal[]> =>
      inTransaction(ctx, async (inner) => {
        if (!canChangeMany(ctx.viewer) && (seen === undefined || ids.length > 1))
          requireAbility('NO_BULK_EDIT');
        const there = seen ? idsOf(await locked(inner, ids, seen)) : ids;
        return sharing.add(inner, there, sharedWith, { unshare, isStep: seen !== undefined });
      }),

    remove: (ctx: Context, ids: string[]): Promise<undefined> =>
      inTransaction(ctx, async (inner) => {
        const rows = await lockedFor(inner, ids, canDelete);
        const versions = await updateDeals(
          inner.db,
          ctx.viewer.userId,
          idsOf(rows),
          changes.deletion(inner),
          [],
        );
        await auditMany(
          inner.db,
          ctx,
          { action: 'deal.deleted', entity: 'deal' },
          rows.map((row) => ({
            recordId: row.id,
            version: versions.get(row.id)!,
            before: recorded(row),
            after: null,
          })),
        );
        return undefined;
      }),

    /**
     * Brings deleted rows back as they were. Throws NOT_FOUND unless all of them are deleted and the viewer may take
     * that back, who needs the right to change many for more than one.
     */
    restore: (ctx: Context, ids: string[]): Promise<Deal[]> =>
      inTransaction(ctx, async (inner) => {
        if (ids.length > 1 && !canChangeMany(ctx.viewer)) requireAbility('NO_BULK_EDIT');
        await lockRecords(inner.db, 'deal', ids);
        const rows = await findDeleted(inner.db, inScope(ctx.viewer), ids, restorable(ctx.viewer));
        if (rows.length < new Set(ids).size) throw new AppError('NOT_FOUND');
        const versions = await updateDeals(
          inner.db,
          ctx.viewer.userId,
          ids,
          { deleted_at: null, deleted_by: null },
          [],
        );
        await auditMany(
          inner.db,
          ctx,
          { action: 'deal.restored', entity: 'deal' },
          rows.map((row) => ({
            recordId: row.id,
            version: versions.get(row.id)!,
            before: null,
            after: recorded(row),
          })),
        );
        return answer(inner, ids);
      }),
  };
}

/** Gives rows the same values, each with its audit entry. */
async function write(
  ctx: Writing,
  rows: readonly DealRow[],
  values: DealValues,
  columns: DealColumns = {},
): Promise<void> {
  if (rows.length === 0) return;
  const fields = Object.keys(values);
  const versions = await updateDeals(
    ctx.db,
    ctx.viewer.userId,
    idsOf(rows),
    { ...columnsOf(values), ...columns },
    fields,
  );
  await auditMany(
    ctx.db,
    ctx,
    { action: 'deal.updated', entity: 'deal' },
    rows.map((row) => ({
      recordId: row.id,
      version: versions.get(row.id)!,
      before: pick(recorded(row), fields),
      after: values,
    })),
  );
}
