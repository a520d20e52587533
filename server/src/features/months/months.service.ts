import type { MonthCheck } from '@forecourt/contract/month-checks';
import type { CheckResult } from '@forecourt/contract/months';
import { audit } from '../../platform/audit.ts';
import { lockName } from '../../platform/db/database.ts';
import { inTransaction, type Context, type TxContext } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { allow, requireAbility } from '../../platform/http/policy.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import { hashedId } from '../../platform/ids.ts';
import { pick } from '../../platform/sharing/records.ts';
import type { DealsService } from '../deals/deals.service.ts';
import * as queries from './months.queries.ts';

type Parts = { deals: Pick<DealsService, 'canOpenMonth' | 'checks' | 'figures'> };

/** What is to be settled before a month is paid (docs/product/month-close.md). */
export function createMonthsService({ deals }: Parts) {
  /** Returns the checks that the viewer may see, with their waivers. Throws a 403 for a month that they may not open. */
  async function checklist(ctx: Context, month: string) {
    requireAbility(allow(deals.canOpenMonth(ctx.viewer, month), 'NO_OTHER_MONTHS'));
    const { rows, checks } = await deals.checks(ctx, month);
    const waivers = new Map((await queries.listWaivers(ctx.db, month)).map((row) => [row.check, row]));
    return { month, rows, checks: checks.map((check) => present(check, waivers.get(check.key))) };
  }

  /** Returns a check, undefined if the viewer may not see it, and its waiver as it is stored. */
  async function load(ctx: TxContext, month: string, key: MonthCheck) {
    await lockName(ctx.db, `month ${month}`);
    const { checks } = await checklist(ctx, month);
    const waivers = await queries.listWaivers(ctx.db, month);
    return { check: checks.find((one) => one.key === key), waiver: waivers.find((row) => row.check === key) };
  }

  return {
    checklist,

    async list(ctx: Context) {
      const { rows } = await deals.figures.by(ctx, 'month', {});
      return wholeList(rows.map(({ key, deals: count }) => ({ month: key, rows: count })).toReversed());
    },

    /** Waives a check for the rows that the caller saw. Throws a 400 if it has no rows. */
    waive: (
      ctx: Context,
      month: string,
      { check: key, rows, reason }: { check: MonthCheck; rows: number; reason: string },
    ) =>
      inTransaction(ctx, async (inner): Promise<CheckResult> => {
        const { check, waiver } = await load(inner, month, key);
        if (!check) throw invalidField('check', 'You may not see the columns of this check');
        if (check.count === 0)
          throw invalidField('check', 'No row is in this check any more, so there is nothing to waive');
        const saved = { check: key, reason, rows: Math.min(rows, check.count) };
        const { userId, name } = ctx.viewer;
        const { waived_at } = await queries.saveWaiver(inner.db, { ...saved, month, waived_by: userId });
        await audit(inner.db, ctx, {
          action: 'month.waived',
          recordId: idOf(month),
          before: waiver ? recorded(month, waiver) : null,
          after: recorded(month, saved),
        });
        return present(check, { ...saved, waived_at, waived_by_name: name });
      }),

    /** Throws NOT_FOUND if the check is not waived, or hidden from the viewer. */
    removeWaiver: (ctx: Context, { month, check: key }: { month: string; check: MonthCheck }) =>
      inTransaction(ctx, async (inner): Promise<undefined> => {
        const { check, waiver } = await load(inner, month, key);
        if (!check || !waiver) throw new AppError('NOT_FOUND');
        await queries.deleteWaiver(inner.db, month, key);
        await audit(inner.db, ctx, {
          action: 'month.waiver-removed',
          recordId: idOf(month),
          before: recorded(month, waiver),
        });
      }),
  };
}

export type MonthsService = ReturnType<typeof createMonthsService>;

/** The id of a month in the audit log and in live events, which need one. */
const idOf = (month: string): string => hashedId('month', month);

const recorded = (month: string, waiver: Pick<queries.WaiverRow, 'check' | 'reason' | 'rows'>) => ({
  name: month,
  ...pick(waiver, ['check', 'reason', 'rows']),
});

const present = (check: Omit<CheckResult, 'waiver'>, waiver: queries.WaiverRow | undefined): CheckResult => ({
  ...pick(check, ['key', 'count', 'filter']),
  waiver: waiver
    ? {
        reason: waiver.reason,
        // Others may see more rows than the viewer.
        rows: Math.min(waiver.rows, check.count),
        waivedByName: waiver.waived_by_name,
        waivedAt: waiver.waived_at,
      }
    : null,
});
