import type { ExistingDeal } from '@forecourt/contract/deal-import';
import { auditMany } from '../../platform/audit.ts';
import { inTransaction, type Context, type Viewer } from '../../platform/http/context.ts';
import { invalid, invalidField, type Issue } from '../../platform/http/errors.ts';
import { requireAbility } from '../../platform/http/policy.ts';
import { newId } from '../../platform/ids.ts';
import type { OneStep } from '../../platform/progress.ts';
import type { Writing } from '../../platform/records.ts';
import { refusingWhatIsGone, type DealParts } from './deal-change.service.ts';
import { rowReader, type Choices, type ReadRow } from './deal-import-row.ts';
import * as queries from './deal-import.queries.ts';
import { listOffered } from './deal-items.queries.ts';
import { findStatus, listStatuses } from './deal-statuses.queries.ts';
import { canAdd, canSee, columnsSeenBy, isWithin } from './deals.policy.ts';
import type { InScope } from './deals.queries.ts';
import { outOfSight } from './out-of-sight.ts';

/** Rows are written so many at a time, which is what can be told of how far it is. */
const PART = 2000;

type Numbers = { customerNumbers?: string[] | undefined; dealNumbers?: string[] | undefined };

/** Adds many rows at once (product.md section 4, Import wizard). */
export function createDealImport(
  { dealerships, settings, clock }: DealParts,
  inScope: (viewer: Viewer) => InScope,
) {
  async function choicesFor(ctx: Context): Promise<Choices> {
    const { exceptStatuses, exceptDealerships, onlyMonth } = inScope(ctx.viewer);
    const statuses = (await listStatuses(ctx.db, exceptStatuses)).filter(({ active }) => active);
    const offered = await dealerships.options(ctx);
    const items = await listOffered(ctx.db);
    return {
      statuses: new Map(statuses.map((status) => [status.name.toLowerCase(), status])),
      defaultStatus: (await findStatus(ctx.db, undefined))!,
      dealershipIds: new Set(offered.map(({ _id }) => _id).filter((id) => !exceptDealerships.includes(id))),
      items: new Map(items.map((item) => [item.id, { ...item, active: true }])),
      onlyMonth,
      currentMonth: clock.businessMonth(),
      columns: columnsSeenBy(ctx.viewer),
    };
  }

  /** Throws a 400 that names every wrong cell, and the refusal of rows that their writer could not see. */
  function readRows(viewer: Viewer, choices: Choices, given: readonly object[]): ReadRow[] {
    const read = rowReader(choices);
    const rows: ReadRow[] = [];
    const wrong: Issue[] = [];
    for (const [index, one] of given.entries()) {
      const result = read(one);
      if ('row' in result) rows.push(result.row);
      else for (const issue of result.issues) wrong.push({ ...issue, path: ['rows', index, ...issue.path] });
    }
    if (wrong.length > 0) throw invalid(wrong, wrong.length);
    const scope = inScope(viewer);
    const createdOn = clock.businessDate();
    if (!rows.every((row) => isWithin(scope, { ...row, id: '', createdOn }))) throw outOfSight();
    return rows;
  }

  /** Adds rows, each with its audit entry: three statements for each 2,000 of them. */
  async function write(
    ctx: Writing,
    rows: readonly queries.NewRow[],
    onWritten: (written: number) => void = () => {},
  ): Promise<void> {
    const { userId } = ctx.viewer;
    const rates = await settings.commissionRates(ctx, userId);
    for (let from = 0; from < rows.length; from += PART) {
      const part = rows.slice(from, from + PART);
      const written = await queries.insertDeals(ctx.db, userId, rates, part);
      await queries.insertSold(ctx.db, part);
      const money = new Map(written.map(({ id, ...earned }) => [id, earned]));
      await auditMany(
        ctx.db,
        ctx,
        { action: 'deal.created', entity: 'deal' },
        part.map(({ id, statusId: _statusId, draftKey: _draftKey, ...values }) => ({
          recordId: id,
          version: 1,
          before: null,
          after: { ...values, ...money.get(id) },
        })),
      );
      onWritten(from + part.length);
    }
  }

  return {
    choicesFor,
    write,

    /** Adds rows, all of them or none, and tells how many are written. */
    add: (ctx: Context, given: readonly object[], { count }: OneStep): Promise<{ _id: string }[]> => {
      requireAbility(canAdd(ctx.viewer));
      return refusingWhatIsGone(
        inTransaction(ctx, async (inner) => {
          const read = readRows(ctx.viewer, await choicesFor(inner), given);
          // Newest first is the order of lists: the first row of an import is to stand above its last one.
          const ids = read.map(newId).sort().toReversed();
          const rows = read.map((row, index) => ({ ...row, id: ids[index]! }));
          const told = (written: number): void => count('writing', written, rows.length);
          told(0);
          await write(inner, rows, told);
          return ids.map((_id) => ({ _id }));
        }),
      );
    },

    /** The newest row with each of these numbers. Throws a 400 about numbers of a column that the viewer may not see. */
    async duplicates(ctx: Context, { customerNumbers, dealNumbers }: Numbers): Promise<ExistingDeal[]> {
      requireAbility(canAdd(ctx.viewer));
      const asked = [
        ['customerNumbers', 'customerNumber', customerNumbers],
        ['dealNumbers', 'dealNumber', dealNumbers?.map((number) => number.toLowerCase())],
      ] as const;
      const found = new Map<string, ExistingDeal>();
      for (const [field, column, numbers] of asked) {
        if (numbers === undefined) continue;
        if (!canSee(ctx.viewer, column)) throw invalidField(field, 'You may not see this column');
        const rows = await queries.newestWith(ctx.db, inScope(ctx.viewer), column, [...new Set(numbers)]);
        for (const row of rows) found.set(row.id, present(ctx.viewer, row));
      }
      return [...found.values()];
    },
  };
}

export type DealImport = ReturnType<typeof createDealImport>;

type Found = Awaited<ReturnType<typeof queries.newestWith>>[number];

const present = (viewer: Viewer, row: Found): ExistingDeal => ({
  _id: row.id,
  month: row.month,
  ...(canSee(viewer, 'customerName') && { customerName: row.customer_name }),
  ...(canSee(viewer, 'customerNumber') && { customerNumber: row.customer_number }),
  ...(canSee(viewer, 'dealNumber') && { dealNumber: row.deal_number }),
  ...(canSee(viewer, 'dealershipId') && { dealershipName: row.dealership_name }),
});
