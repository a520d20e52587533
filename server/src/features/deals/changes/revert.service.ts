import type { RequestPart, ResponseBody } from '@forecourt/contract/api';
import type { CustomKey } from '@forecourt/contract/custom-field-types';
import type { RevertField, RevertRow } from '@forecourt/contract/deal-changes';
import { MAX_BULK_RECORDS, REVERTIBLE_DAYS } from '@forecourt/contract/deal-limits';
import { changeSetId } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import { inTransaction, type Context, type Viewer } from '../../../platform/http/context.ts';
import { AppError, invalidField, requireFound } from '../../../platform/http/errors.ts';
import { withPauses } from '../../../platform/http/many-rows.ts';
import { isAdmin, requireAbility } from '../../../platform/http/policy.ts';
import { newId } from '../../../platform/ids.ts';
import type { CustomFieldsService } from '../../custom-fields/custom-fields.service.ts';
import { hiddenIn, HIDDEN_COLUMN } from '../deals.fields.ts';
import { canRevert, canSee } from '../deals.policy.ts';
import type { InScope } from '../deals.queries.ts';
import { createChangePresenter, type Values } from '../history/deal-history.service.ts';
import { listMerges } from '../merge/deal-merge.queries.ts';
import { lockWithSurvivors } from '../merge/merged-rows.service.ts';
import { createRevertCheck } from './revert-check.service.ts';
import { groupRows, refuseTogether } from './revert-groups.ts';
import { planRow, refused, type RowPlan } from './revert-plan.ts';
import { writeRevert, type WriteParts } from './revert-write.service.ts';
import * as queries from './revert.queries.ts';

type Parts = WriteParts & {
  customFields: Pick<CustomFieldsService, 'definitionsInHistory' | 'checkedValue'>;
  clock: Pick<Clock, 'now'>;
  inScope: (viewer: Viewer) => InScope;
};
type Body = RequestPart<'POST /changes/:id/revert', 'body'>;
type Result = Omit<ResponseBody<'POST /changes/:id/revert'>, 'changeSetId'>;

const NOT_OF_SET = 'Must be a row of this change that you may see';
const HIDDEN_ROW = 'You do not see this row.';
const EXPIRED = `Changes can be taken back for ${REVERTIBLE_DAYS} days. Nothing was changed.`;

/** Takes back change sets (docs/product/data-entry.md, Taking changes back). */
export function createDealRevert(parts: Parts) {
  const { customFields, clock, inScope } = parts;

  /**
   * Returns the set with the ids of the rows to take back, and these in parts, with the rows of their merges. Throws the
   * errors of the whole call.
   */
  async function load({ db, viewer }: Context, id: string, { rows, overwrite = [] }: Body) {
    const set = requireFound(
      await queries.findRevertSet(db, id, isAdmin(viewer) ? undefined : viewer.userId),
    );
    const reader = { scope: inScope(viewer), userId: viewer.userId, isAdmin: isAdmin(viewer) };
    const limit = MAX_BULK_RECORDS + 1;
    const ids = await queries.listRevertIds(db, set, reader, { only: rows, limit });
    const found = new Set(ids);
    const strange = rows?.findIndex((row) => !found.has(row)) ?? -1;
    if (strange >= 0) throw invalidField(`rows.${strange}`, NOT_OF_SET);
    if (ids.length > MAX_BULK_RECORDS)
      throw invalidField('rows', `At most ${MAX_BULK_RECORDS.toLocaleString('en-AU')} at once`);
    for (const [index, { dealId, fields }] of overwrite.entries()) {
      if (!found.has(dealId)) throw invalidField(`overwrite.${index}.dealId`, NOT_OF_SET);
      const hidden = hiddenIn(viewer, Object.fromEntries(fields.map((field) => [field, true])));
      if (hidden !== undefined) throw invalidField(`overwrite.${index}.fields`, HIDDEN_COLUMN);
    }
    const ability = canRevert(viewer, { ...set, rows: ids.length }, clock.now());
    if (ability === 'SET_TOO_OLD') throw new AppError('CONFLICT', { message: EXPIRED, details: ability });
    requireAbility(ability);
    const groups = groupRows(ids, await listMerges(db, set.set_ids));
    return { set, reader, chosen: found, parts: groups };
  }

  /** Returns a function that plans a row, with the names that its values need. */
  async function createPlanner(ctx: Context, overwrite: Body['overwrite'] = []) {
    const { db, viewer } = ctx;
    const statuses = await queries.listStatusNames(db);
    const statusesNamed = Map.groupBy(
      statuses.flatMap(({ name, former }) =>
        [...new Set([name, ...former].map((one) => one.toLowerCase()))].map((key) => ({ key, name })),
      ),
      ({ key }) => key,
    );
    const custom = await customFields.definitionsInHistory(db, viewer);
    const sees = (field: string): boolean => {
      if (field === 'month' || field === 'sharedWith') return true;
      // A retired field is refused with its name, not left out.
      if (custom.some(({ key, active }) => key === field && !active)) return true;
      return canSee(viewer, field as CustomKey);
    };
    const overwritten = new Map(overwrite.map((entry) => [entry.dealId, entry]));
    return {
      custom,
      statusId: new Map(statuses.map(({ id, name }) => [name, id])),
      plan: (row: RowPlan['row'], entries: readonly queries.EntrySince[]) =>
        planRow({
          row,
          entries,
          overwrite: overwritten.get(row.id),
          canSee: sees,
          statusesNamed: (name) => statusesNamed.get(name.toLowerCase())?.map((one) => one.name) ?? [],
        }),
    };
  }
  type Planner = Awaited<ReturnType<typeof createPlanner>>;

  /** Returns the plans of the chosen rows of these groups that differ from before the set, in their order. */
  async function planRows(
    ctx: Context,
    { set, reader, chosen }: Loaded,
    groups: readonly string[][],
    planner: Planner,
  ) {
    const ids = groups.flat();
    const rows = new Map((await queries.findRows(ctx.db, ids, reader)).map((row) => [row.id, row]));
    const entries = Map.groupBy(
      await queries.listEntriesSince(ctx.db, set, ids),
      ({ record_id }) => record_id!,
    );
    const plans = new Map<string, RowPlan>();
    for await (const [, id] of withPauses(ctx, ids)) {
      const row = rows.get(id);
      const plan = row && planner.plan(row, entries.get(id) ?? []);
      if (plan) plans.set(id, plan);
    }
    const check = await createRevertCheck(ctx, parts, planner, [...plans.values()]);
    const reasonOf = (plan: RowPlan): string | null =>
      rows.get(plan.row.id)!.is_readable ? (plan.reason ?? check(plan)) : HIDDEN_ROW;
    return groups.flatMap((group) => {
      const checked = group.flatMap((id) => {
        const plan = plans.get(id);
        if (!plan) return [];
        const reason = reasonOf(plan);
        return reason === null ? plan : refused(plan, reason);
      });
      return refuseTogether(checked).filter(({ row }) => chosen.has(row.id));
    });
  }
  type Loaded = Awaited<ReturnType<typeof load>>;

  async function presentRows(ctx: Context, { set, reader }: Loaded, { custom }: Planner, plans: RowPlan[]) {
    const { viewer } = ctx;
    const values = (list: readonly { field: RevertField; now: unknown; target: unknown }[]) => ({
      now: Object.fromEntries(list.map(({ field, now }) => [field, now])) as Values,
      target: Object.fromEntries(list.map(({ field, target }) => [field, target])) as Values,
    });
    const all = plans.map((plan) => ({ plan, back: values(plan.changes), left: values(plan.left) }));
    const every = all.flatMap(({ back, left }) => [back.now, back.target, left.now, left.target]);
    const present = await createChangePresenter(ctx, reader.scope, custom, every);
    return all.map(({ plan: { row, effect, fullEffect, left: kept, reason }, back, left }): RevertRow => {
      const since = new Map(kept.map(({ field, by, at }) => [field, { by, at }]));
      const mailed = canSee(viewer, 'lastEmailedAt') ? row.last_emailed_at : null;
      return {
        _id: row.id,
        version: row.version,
        ...(canSee(viewer, 'customerName') && { customerName: row.customer_name }),
        ...(canSee(viewer, 'dealershipId') && { dealershipName: row.dealership_name }),
        month: row.month,
        isDeleted: row.deleted_at !== null,
        effect,
        fullEffect,
        changes: present(row, back.now, back.target),
        // A later change that emptied a value goes with a deleted row, and has no value on either side.
        left: present(row, left.now, left.target, fullEffect === 'deleted').flatMap((change) => {
          const by = since.get(change.field as RevertField);
          return by ? [{ ...change, ...by }] : [];
        }),
        reason,
        emailedAt: mailed !== null && mailed > set.created_at ? mailed : null,
      };
    });
  }

  /** Adds the plans to a result. */
  function addTo(result: Result, plans: readonly RowPlan[]): void {
    for (const { row, effect, left, reason } of plans) {
      if (reason !== null) result.refused.push({ dealId: row.id, reason });
      if (effect !== null) result.reverted += 1;
      for (const { field, by, at } of left) result.left.push({ dealId: row.id, field, by, at });
    }
  }

  return {
    /** Returns what a revert would do. Throws NOT_FOUND, a 400 about `rows` or `overwrite`, or CONFLICT. */
    async preview(
      ctx: Context,
      id: string,
      body: Body,
    ): Promise<ResponseBody<'POST /changes/:id/revert/preview'>> {
      const loaded = await load(ctx, id, body);
      const planner = await createPlanner(ctx, body.overwrite);
      const result: Result & { rows: RevertRow[] } = {
        reverted: 0,
        left: [],
        refused: [],
        rows: [],
      };
      for (const groups of loaded.parts) {
        const plans = await planRows(ctx, loaded, groups, planner);
        addTo(result, plans);
        result.rows.push(...(await presentRows(ctx, loaded, planner, plans)));
      }
      return result;
    },

    /** Takes back a set in one transaction, as a set of its own. Throws the errors of the preview. */
    revert(ctx: Context, id: string, body: Body): Promise<ResponseBody<'POST /changes/:id/revert'>> {
      const changeSet = { kind: 'revert', key: newId(), isNamed: true } as const;
      return inTransaction({ ...ctx, origin: { ...ctx.origin, changeSet } }, async (inner) => {
        const loaded = await load(inner, id, body);
        // Rows are read after all are locked: what others have saved before is seen, and they wait for the rest.
        await lockWithSurvivors(inner.db, loaded.parts.flat(2));
        const planner = await createPlanner(inner, body.overwrite);
        const result: Result = { reverted: 0, left: [], refused: [] };
        for (const groups of loaded.parts) {
          const plans = await planRows(inner, loaded, groups, planner);
          await writeRevert(inner, parts, planner, plans);
          addTo(result, plans);
        }
        return {
          changeSetId: result.reverted > 0 ? changeSetId(ctx.viewer.userId, changeSet) : null,
          ...result,
        };
      });
    },
  };
}
