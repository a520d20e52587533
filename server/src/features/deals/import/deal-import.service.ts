import type { ResponseBody } from '@forecourt/contract/api';
import { caselessKey } from '@forecourt/contract/characters';
import type { DealColumn } from '@forecourt/contract/deal-fields';
import type {
  ExistingDeal,
  ImportBody,
  ImportColumns,
  ImportPreviewRow,
} from '@forecourt/contract/deal-import';
import { MAX_DUPLICATES } from '@forecourt/contract/deal-limits';
import { importKinds, type ImportKind } from '@forecourt/contract/import-modes';
import { changeSetId } from '../../../platform/audit.ts';
import {
  inTransaction,
  type Context,
  type TransactionProgress,
  type TxContext,
  type Viewer,
} from '../../../platform/http/context.ts';
import { AppError, invalidField, requireFound } from '../../../platform/http/errors.ts';
import { withPauses } from '../../../platform/http/many-rows.ts';
import { requireAbility } from '../../../platform/http/policy.ts';
import { wholeList } from '../../../platform/http/whole-list.ts';
import { newId } from '../../../platform/ids.ts';
import { requireColumn } from '../deals.fields.ts';
import { canAdd, canSee, dealershipVisible } from '../deals.policy.ts';
import type { DealRow } from '../deals.queries.ts';
import { createChangePresenter } from '../history/deal-history.service.ts';
import type { ReadPermit } from '../list/deal-filter.service.ts';
import { changeDeals, replaceItems } from '../write/change-deals.queries.ts';
import { refuseDeletedChoices } from '../write/change-deals.service.ts';
import { CHOOSE, type PlannedChange } from '../write/deal-values.service.ts';
import { findColumns, findNewestByKey, rememberColumns } from './deal-import.queries.ts';
import { planImport, type PlannedRow, type PlanParts } from './import-plan.service.ts';

type Numbers = { customerNumbers?: string[] | undefined; dealNumbers?: string[] | undefined };

type Parts = PlanParts & {
  load: (ctx: Context, id: string) => Promise<DealRow>;
  withPermit: ReadPermit;
};

/** Rows per statement. */
const PART = 1000;

/** The preview of more rows is a long read. */
const MAX_SHORT_PREVIEW = 200;

/** Imports rows and finds duplicates (docs/product/data-entry.md, Import). */
export function createDealImport(parts: Parts) {
  const { creation, customFields, load, inScope, withPermit } = parts;

  /** Writes the changes of existing rows, whose locks the transaction has. */
  async function writeChanges(
    ctx: TxContext,
    plans: readonly PlannedRow[],
    onWritten: (rows: number) => void,
  ) {
    const changes = plans.flatMap(({ row, change }) => (row && change ? [{ row, ...change }] : []));
    const formOf = ({ fields, columns }: PlannedChange): string =>
      [...fields.toSorted(), ...Object.keys(columns).toSorted()].join();
    let written = 0;
    for (const group of Map.groupBy(changes, formOf).values())
      for (let from = 0; from < group.length; from += PART) {
        const part = group.slice(from, from + PART);
        const done = await changeDeals(ctx.db, ctx, 'deal.updated', part, { fields: part[0]!.fields });
        if (done.length < part.length) throw new AppError('CONFLICT');
        onWritten((written += part.length));
      }
    const sold = changes.flatMap(({ row: { id }, items }) => (items ? { id, items } : []));
    if (sold.length > 0) await replaceItems(ctx.db, sold);
    return changes.length;
  }

  /** Adds new rows, and returns their ids in order. */
  async function addRows(ctx: TxContext, plans: readonly PlannedRow[], onWritten: (rows: number) => void) {
    const added = plans.flatMap(({ added: row }) => row ?? []);
    // Lists are ordered newest first, so the first row of an import needs the greatest id.
    const ids = added.map(newId).sort().toReversed();
    const rows = added.map((row, index) => ({ ...row, id: ids[index]! }));
    await creation.add(ctx, rows, { isWhole: false, onWritten });
    return ids;
  }

  return {
    /** Writes all rows or none, and reports the number of written rows. */
    run: (ctx: Context, body: ImportBody, { count }: TransactionProgress) => {
      const named = ctx.origin.changeSet!;
      const changeSet = body.mode === 'add' ? named : { ...named, kind: 'updateByImport' as const };
      return refuseDeletedChoices(
        inTransaction({ ...ctx, origin: { ...ctx.origin, changeSet } }, async (inner) => {
          const plans = await planImport(parts, inner, body);
          const total = plans.filter(({ kind }) => kind === 'new' || kind === 'changed').length;
          const onWritten = (written: number): void => count('writing', written, total);
          onWritten(0);
          const changed = await writeChanges(inner, plans, onWritten);
          const ids = await addRows(inner, plans, (written) => onWritten(changed + written));
          if (body.remember) await remember(inner, body.remember);
          return {
            ...wholeList(ids.map((_id) => ({ _id }))),
            changed,
            same: plans.filter(({ kind }) => kind === 'same').length,
            left: plans.flatMap(({ reason }, row) => (reason === undefined ? [] : { row, reason })),
            changeSetId: total > 0 ? changeSetId(ctx.viewer.userId, changeSet) : null,
          };
        }),
      );
    },

    /** Returns what an import would do with each row. Throws the errors of the import, except that of two rows for one. */
    async preview(ctx: Context, body: ImportBody): Promise<ResponseBody<'POST /deals/import/preview'>> {
      const planAll = () => planImport(parts, ctx, body);
      const isLong = body.rows.length > MAX_SHORT_PREVIEW;
      const plans = await (isLong ? withPermit(ctx, true, planAll) : planAll());
      const custom = await customFields.definitionsInHistory(ctx.db, ctx.viewer);
      const all = plans.flatMap(({ change }) => (change ? [change.before, change.after] : []));
      const changesOf = await createChangePresenter(ctx, inScope(ctx.viewer), custom, all);
      const counts = Object.fromEntries(importKinds.map((kind) => [kind, 0])) as Record<ImportKind, number>;
      const rows: ImportPreviewRow[] = [];
      for await (const [, plan] of withPauses(ctx, plans)) {
        const { kind, row, change, candidates = [], reason = null, earlierRow = null } = plan;
        counts[kind] += 1;
        rows.push({
          kind,
          deal: row ? { ...present(ctx.viewer, row), version: row.version } : null,
          candidates: candidates.map((one) => present(ctx.viewer, one)),
          changes: row && change ? changesOf(row, change.before, change.after) : [],
          reason,
          earlierRow,
        });
      }
      return { counts, rows };
    },

    /** Returns the headers of a dealership's last file, for the fields that the viewer may see. Throws NOT_FOUND. */
    async columns({ db, viewer }: Context, id: string): Promise<{ columns: ImportColumns }> {
      const isVisible = dealershipVisible.matches(inScope(viewer), { dealershipId: id });
      const columns = requireFound(isVisible ? await findColumns(db, id) : undefined);
      return { columns: seenColumns(viewer, columns) };
    },

    /** Returns the newest row with each of these numbers. Throws a 400 for numbers of a hidden column. */
    async duplicates(ctx: Context, { customerNumbers, dealNumbers }: Numbers) {
      requireAbility(canAdd(ctx.viewer));
      const asked = [
        ['customerNumbers', 'customerNumber', customerNumbers],
        ['dealNumbers', 'dealNumber', dealNumbers?.map(caselessKey)],
      ] as const;
      const byNumber = new Map<string, ExistingDeal>();
      for (const [field, column, numbers] of asked) {
        if (numbers === undefined) continue;
        requireColumn(ctx.viewer, column, field);
        const keys = numbers.map((number) => [number]);
        const rows = await findNewestByKey(ctx.db, inScope(ctx.viewer), matchOf[column], keys, 1);
        for (const row of rows) byNumber.set(row.id, present(ctx.viewer, row));
      }
      return wholeList([...byNumber.values()]);
    },

    /** Returns other rows with the phone or deal number of a row, newest first. Hidden columns are not compared. */
    async duplicatesOf(ctx: Context, id: string) {
      const row = await load(ctx, id);
      const numbers = [
        ['customerNumber', row.customer_number],
        ['dealNumber', caselessKey(row.deal_number)],
      ] as const;
      const byId = new Map<string, Found>();
      for (const [column, number] of numbers) {
        if (number === '' || !canSee(ctx.viewer, column)) continue;
        // One more than needed, because the row itself is among them.
        const scope = inScope(ctx.viewer);
        const rows = await findNewestByKey(ctx.db, scope, matchOf[column], [[number]], MAX_DUPLICATES + 1);
        for (const other of rows) if (other.id !== id) byId.set(other.id, other);
      }
      const newest = [...byId.values()]
        .sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
        .slice(0, MAX_DUPLICATES);
      return wholeList(newest.map((other) => present(ctx.viewer, other)));
    },
  };

  /**
   * Stores the columns of a dealership's file, except those of fields that the viewer may not see. Throws a 400 for a
   * dealership that the viewer may not choose.
   */
  async function remember(
    { db, viewer }: TxContext,
    { dealershipId, columns }: NonNullable<ImportBody['remember']>,
  ): Promise<void> {
    const isVisible = dealershipVisible.matches(inScope(viewer), { dealershipId });
    const before = isVisible ? await findColumns(db, dealershipId) : undefined;
    if (!before) throw invalidField('remember.dealershipId', CHOOSE.dealershipId);
    const replaced = Object.keys(seenColumns(viewer, before));
    await rememberColumns(db, dealershipId, replaced, seenColumns(viewer, columns));
  }
}

/** Returns the headers of the fields that the viewer may see. */
const seenColumns = (viewer: Viewer, columns: ImportColumns): ImportColumns =>
  Object.fromEntries(
    Object.entries(columns).filter(([field]) => field === 'month' || canSee(viewer, field as DealColumn)),
  );

/** The comparisons of duplicates. */
const matchOf = { customerNumber: { column: 'customerNumber' }, dealNumber: 'dealNumber' } as const;

type Found = Awaited<ReturnType<typeof findNewestByKey>>[number];
type Identified = Omit<Found, 'key' | 'created_at'>;

const present = (viewer: Viewer, row: Identified): ExistingDeal => ({
  _id: row.id,
  month: row.month,
  ...(canSee(viewer, 'customerName') && { customerName: row.customer_name }),
  ...(canSee(viewer, 'customerNumber') && { customerNumber: row.customer_number }),
  ...(canSee(viewer, 'dealNumber') && { dealNumber: row.deal_number }),
  ...(canSee(viewer, 'dealershipId') && { dealershipName: row.dealership_name }),
});
