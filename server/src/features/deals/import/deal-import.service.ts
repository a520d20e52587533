import { caselessKey } from '@forecourt/contract/characters';
import type { ExistingDeal } from '@forecourt/contract/deal-import';
import { MAX_DUPLICATES } from '@forecourt/contract/deal-limits';
import {
  type Context,
  inTransaction,
  type TransactionProgress,
  type Viewer,
} from '../../../platform/http/context.ts';
import { readRows } from '../../../platform/http/many-rows.ts';
import { requireAbility } from '../../../platform/http/policy.ts';
import { wholeList } from '../../../platform/http/whole-list.ts';
import { newId } from '../../../platform/ids.ts';
import { requireColumn } from '../deals.fields.ts';
import { canAdd, canSee } from '../deals.policy.ts';
import type { DealRow, InScope } from '../deals.queries.ts';
import { refuseDeletedChoices } from '../write/change-deals.service.ts';
import { findNewestByNumber } from '../write/create-deals.queries.ts';
import type { DealCreation } from '../write/create-deals.service.ts';
import type { ReadRow } from '../write/new-rows.service.ts';

type Numbers = { customerNumbers?: string[] | undefined; dealNumbers?: string[] | undefined };

type Parts = {
  creation: Pick<DealCreation, 'reader' | 'add'>;
  load: (ctx: Context, id: string) => Promise<DealRow>;
  inScope: (viewer: Viewer) => InScope;
};

/** Imports rows and finds duplicates (docs/product/data-entry.md, Import). */
export function createDealImport({ creation, load, inScope }: Parts) {
  /** Throws a 400 that names the invalid cells, or a 403 for rows that the viewer would not see. */
  async function readAll(ctx: Context, inputs: readonly object[]): Promise<ReadRow[]> {
    const read = await readRows(ctx, 'rows', inputs, await creation.reader(ctx));
    for (const one of read) if ('refusal' in one) throw one.refusal;
    return read.flatMap((one) => ('row' in one ? one.row : []));
  }

  return {
    /** Inserts all rows or none, and reports the number of written rows. Returns the ids. */
    add: (ctx: Context, inputs: readonly object[], { count }: TransactionProgress) => {
      requireAbility(canAdd(ctx.viewer));
      return refuseDeletedChoices(
        inTransaction(ctx, async (inner) => {
          const read = await readAll(inner, inputs);
          // Lists are ordered newest first, so the first row of an import needs the greatest id.
          const ids = read.map(newId).sort().toReversed();
          const rows = read.map((row, index) => ({ ...row, id: ids[index]! }));
          const onWritten = (written: number): void => count('writing', written, rows.length);
          onWritten(0);
          await creation.add(inner, rows, { isWhole: false, onWritten });
          return wholeList(ids.map((_id) => ({ _id })));
        }),
      );
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
        const rows = await findNewestByNumber(ctx.db, inScope(ctx.viewer), column, [...new Set(numbers)]);
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
        const rows = await findNewestByNumber(
          ctx.db,
          inScope(ctx.viewer),
          column,
          [number],
          MAX_DUPLICATES + 1,
        );
        for (const other of rows) if (other.id !== id) byId.set(other.id, other);
      }
      const newest = [...byId.values()]
        .sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
        .slice(0, MAX_DUPLICATES);
      return wholeList(newest.map((other) => present(ctx.viewer, other)));
    },
  };
}

type Found = Awaited<ReturnType<typeof findNewestByNumber>>[number];

const present = (viewer: Viewer, row: Found): ExistingDeal => ({
  _id: row.id,
  month: row.month,
  ...(canSee(viewer, 'customerName') && { customerName: row.customer_name }),
  ...(canSee(viewer, 'customerNumber') && { customerNumber: row.customer_number }),
  ...(canSee(viewer, 'dealNumber') && { dealNumber: row.deal_number }),
  ...(canSee(viewer, 'dealershipId') && { dealershipName: row.dealership_name }),
});
