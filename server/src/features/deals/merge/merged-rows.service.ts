import { audit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { TxContext } from '../../../platform/http/context.ts';
import { AppError } from '../../../platform/http/errors.ts';
import { lockRecords } from '../../../platform/sharing/shares.queries.ts';
import { recorded, type DealColumns } from '../deals.fields.ts';
import type { DealRow } from '../deals.queries.ts';
import { changeDeals } from '../write/change-deals.queries.ts';
import * as queries from './deal-merge.queries.ts';

/** A row to delete, as it is stored now. `mergedInto`: the row that gets what belongs to it. */
type DeletedRow = {
  row: Pick<DealRow, 'id' | 'version'>;
  before: object;
  mergedInto?: string | undefined;
};

/**
 * Deletes locked rows; those with a survivor are merged into it, which is locked and there. A survivor that is itself
 * one of these rows is deleted after it got what belonged to the others.
 */
export async function deleteRows(
  ctx: TxContext,
  columns: DealColumns,
  rows: readonly DeletedRow[],
  { isRecorded = false }: { isRecorded?: boolean } = {},
): Promise<void> {
  const survivors = new Set(rows.map(({ mergedInto }) => mergedInto));
  const first = rows.filter(({ row }) => !survivors.has(row.id));
  if (first.length === 0 && rows.length > 0) throw new AppError('CONFLICT');
  await deletePart(ctx, columns, first, isRecorded);
  if (first.length === rows.length) return;
  const recordedOn = new Set(isRecorded ? [] : first.map(({ mergedInto }) => mergedInto));
  const later = rows
    .filter(({ row }) => survivors.has(row.id))
    // The entry about the merge has made a new version.
    .map((one) =>
      recordedOn.has(one.row.id) ? { ...one, row: { ...one.row, version: one.row.version + 1 } } : one,
    );
  await deleteRows(ctx, columns, later, { isRecorded });
}

async function deletePart(
  ctx: TxContext,
  columns: DealColumns,
  rows: readonly DeletedRow[],
  isRecorded: boolean,
): Promise<void> {
  const changes = rows.map(({ row, before, mergedInto }) => ({
    row,
    columns,
    before,
    after: mergedInto === undefined ? null : { mergedInto },
  }));
  const deleted = await changeDeals(ctx.db, ctx, 'deal.deleted', changes);
  if (deleted.length < rows.length) throw new AppError('CONFLICT');
  for (const [survivorId, group] of Map.groupBy(rows, ({ mergedInto }) => mergedInto)) {
    if (survivorId === undefined) continue;
    const ids = group.map(({ row }) => row.id);
    if (!isRecorded) await recordOn(ctx, 'deal.merged', survivorId, ids);
    const survivor = await queries.findRemaining(ctx.db, [survivorId]);
    if (!survivor) throw new AppError('CONFLICT');
    await queries.joinReadMarks(ctx.db, survivorId, [survivorId, ...ids]);
    for (const id of ids) await publishMoved(ctx, survivorId, await queries.moveParts(ctx.db, id, survivor));
  }
}

/**
 * Locks rows and all rows into which they were merged, for `restoreRows`. Throws CONFLICT if one of these was merged
 * meanwhile.
 */
export async function lockWithSurvivors(db: Tx, ids: readonly string[]): Promise<void> {
  const survivors = await queries.listSurvivors(db, ids);
  await lockRecords(db, 'deal', [...ids, ...survivors]);
  const isLocked = new Set([...ids, ...survivors]);
  if ((await queries.listSurvivors(db, ids)).some((id) => !isLocked.has(id))) throw new AppError('CONFLICT');
}

/** Restores rows that `lockWithSurvivors` has locked. A row that was merged is separated from its survivor, with what belonged to it. */
export async function restoreRows(ctx: TxContext, rows: readonly DealRow[]): Promise<void> {
  const survivors = await queries.findSurvivors(
    ctx.db,
    rows.map(({ id }) => id),
  );
  const columns = { deleted_at: null, deleted_by: null };
  const changes = rows.map((row) => {
    const mergedInto = survivors.get(row.id);
    return {
      row,
      columns,
      before: mergedInto === undefined ? null : { mergedInto },
      after: recorded(row),
    };
  });
  const restored = await changeDeals(ctx.db, ctx, 'deal.restored', changes);
  if (restored.length < rows.length) throw new AppError('CONFLICT');
  const separated = new Map<string, string[]>();
  for (const id of survivors.keys()) {
    const chain = await queries.listSurvivors(ctx.db, [id]);
    const moved = await queries.returnParts(ctx.db, id, chain);
    const remaining = await queries.findRemaining(ctx.db, chain);
    if (!remaining) continue;
    await publishMoved(ctx, remaining.id, moved);
    separated.set(remaining.id, [...(separated.get(remaining.id) ?? []), id]);
  }
  for (const [survivorId, ids] of separated) await recordOn(ctx, 'deal.separated', survivorId, ids);
}

/** Adds an entry to the survivor, so that its history names these rows and its open pages are updated. */
async function recordOn(
  ctx: TxContext,
  action: 'deal.merged' | 'deal.separated',
  survivorId: string,
  ids: readonly string[],
): Promise<void> {
  const row = await queries.findRemaining(ctx.db, [survivorId]);
  if (!row) return;
  const [without, withRows] = [{ mergedRows: [] }, { mergedRows: ids }];
  const [before, after] = action === 'deal.merged' ? [without, withRows] : [withRows, without];
  const written = await changeDeals(ctx.db, ctx, action, [{ row, columns: {}, before, after }]);
  if (written.length === 0) throw new AppError('CONFLICT');
}

/** Adds entries about moved comments and files, which are the events for open pages of the survivor. */
async function publishMoved(
  ctx: TxContext,
  survivorId: string,
  { comment: comments, attachment: attachments }: queries.MovedParts,
): Promise<void> {
  const record = (action: 'deal-comments.moved' | 'deal-attachments.moved', count: number) =>
    count > 0 && audit(ctx, action, survivorId, { after: { count } });
  await record('deal-comments.moved', comments);
  await record('deal-attachments.moved', attachments);
}
