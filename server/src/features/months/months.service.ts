import type { MonthCheck } from '@forecourt/contract/month-checks';
import type { CheckResult, MonthOverview } from '@forecourt/contract/months';
import { audit } from '../../platform/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { monthId, type Adjustment } from '../../platform/http/closed-months.ts';
import { inTransaction, type Context, type TxContext } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { allow, requireAbility } from '../../platform/http/policy.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import { pick } from '../../platform/sharing/records.ts';
import type { DealsService } from '../deals/deals.service.ts';
import type { createMonthCloses } from './close.service.ts';
import * as queries from './months.queries.ts';
import { countPending } from './statements.queries.ts';

type Parts = {
  deals: Pick<DealsService, 'canOpenMonth' | 'checks' | 'figures'>;
  closes: ReturnType<typeof createMonthCloses>;
};

/** What is to be settled before a month is paid (docs/product/month-close.md). */
export function createMonthsService({ deals, closes }: Parts) {
  /** Returns the checks that the viewer may see, with their waivers. Throws a 403 for a month that they may not open. */
  async function checklist(ctx: Context, month: string) {
    requireAbility(allow(deals.canOpenMonth(ctx.viewer, month), 'NO_OTHER_MONTHS'));
    const { rows, checks } = await deals.checks(ctx, month);
    const waivers = new Map((await queries.listWaivers(ctx.db, month)).map((row) => [row.check, row]));
    return { month, rows, checks: checks.map((check) => present(check, waivers.get(check.key))) };
  }

  /** Returns a month with its checks. Throws the errors of `checklist`. */
  async function overview(ctx: Context, month: string): Promise<MonthOverview> {
    const checked = await checklist(ctx, month);
    const months = await queries.listMonths(ctx.db);
    const row = months.find((one) => one.month === month);
    return {
      ...checked,
      state: row?.state ?? 'open',
      closing:
        row?.state === 'closed'
          ? {
              closedAt: row.closed_at!,
              closedByName: row.closed_by_name!,
              ...(await closes.balances(ctx, month)),
            }
          : null,
      reopened: row?.reopened_at
        ? { at: row.reopened_at, byName: row.reopened_by_name!, reason: row.reopen_reason! }
        : null,
      pendingAdjustments: await countPending(ctx.db, month),
      abilities: {
        close: await closes.mayClose(ctx, months, month),
        reopen: closes.mayReopen(ctx, months, month),
      },
    };
  }

  /** Throws CONFLICT if the month is closed: its statements have its waivers. */
  async function startClosing(db: Tx, month: string): Promise<void> {
    await queries.startClosing(db, month);
    const months = await queries.listMonths(db);
    if (months.some((one) => one.month === month && one.state === 'closed'))
      throw new AppError('CONFLICT', {
        message: 'This month is closed. Open it again to change what is waived.',
        details: 'IS_CLOSED',
      });
  }

  /** Returns a check, undefined if the viewer may not see it, and its waiver as it is stored. */
  async function load(ctx: TxContext, month: string, key: MonthCheck) {
    await queries.lockCloses(ctx.db);
    await startClosing(ctx.db, month);
    const { checks } = await checklist(ctx, month);
    const waivers = await queries.listWaivers(ctx.db, month);
    return { check: checks.find((one) => one.key === key), waiver: waivers.find((row) => row.check === key) };
  }

  return {
    overview,

    /** Writes the reason of what this transaction has changed in closed months to the audit log, by month. */
    async auditAdjustments(ctx: TxContext, { reason, userId }: Adjustment): Promise<void> {
      for (const { month, ...adjusted } of await queries.adjustedBy(ctx.db, userId))
        await audit(ctx, 'month.adjusted', monthId(month), { after: { name: month, reason, ...adjusted } });
    },

    async close(ctx: Context, month: string): Promise<MonthOverview> {
      requireAbility(allow(deals.canOpenMonth(ctx.viewer, month), 'NO_OTHER_MONTHS'));
      await closes.close(ctx, month);
      return overview(ctx, month);
    },

    async reopen(ctx: Context, month: string, reason: string): Promise<MonthOverview> {
      await closes.reopen(ctx, month, reason);
      return overview(ctx, month);
    },

    async list(ctx: Context) {
      const { rows } = await deals.figures.by(ctx, 'month', {});
      const months = await queries.listMonths(ctx.db);
      const states = new Map(months.map(({ month, state }) => [month, state]));
      const counted = new Map(rows.map(({ key, deals: count }) => [key!, count]));
      // The rows of a closed month may have left it since.
      const closed = months.filter(
        ({ month, state }) => state === 'closed' && deals.canOpenMonth(ctx.viewer, month),
      );
      const listed = [...new Set([...counted.keys(), ...closed.map(({ month }) => month)])]
        .toSorted()
        .toReversed();
      return wholeList(
        listed.map((month) => ({
          month,
          rows: counted.get(month) ?? 0,
          state: states.get(month) ?? ('open' as const),
        })),
      );
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
        await audit(inner, 'month.waived', monthId(month), {
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
        await audit(inner, 'month.waiver-removed', monthId(month), { before: recorded(month, waiver) });
      }),
  };
}

export type MonthsService = ReturnType<typeof createMonthsService>;

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
