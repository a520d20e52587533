import { setTimeout as pause } from 'node:timers/promises';
import type { MonthCheck } from '@forecourt/contract/month-checks';
import type { Ability } from '@forecourt/contract/route';
import type { StatementKind } from '@forecourt/contract/statements';
import { audit, auditMany } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { monthId } from '../../platform/http/closed-months.ts';
import { inTransaction, type Context, type TxContext } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import { newId } from '../../platform/ids.ts';
import { notify } from '../../platform/notify.ts';
import type { DealsService } from '../deals/deals.service.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import { COLUMN } from './months.policy.ts';
import * as queries from './months.queries.ts';
import { draftStatements } from './statement-content.ts';
import * as statements from './statements.queries.ts';

type Parts = {
  deals: Pick<DealsService, 'checks' | 'figures' | 'closing' | 'sees'>;
  settings: Pick<SettingsService, 'gstRate'>;
  clock: Clock;
  companyName: string;
};

/** Why a month cannot be closed or opened again, for the screen and for `details`. */
const REASONS = {
  FUTURE_MONTH: 'This month has not begun.',
  IS_CLOSED: 'This month is closed already.',
  EARLIER_IS_OPEN: 'An earlier month with rows is open. Close it first.',
  NOT_LATEST: 'Only the month that was closed last can be opened again.',
  ONLY_ADMINISTRATORS: 'Only an administrator can open a month again.',
} as const;
type Reason = keyof typeof REASONS;

/** The same context with the rights of an administrator, for what concerns all rows of the company. */
const forCompany = <C extends Context>(ctx: C): C => ({ ...ctx, viewer: { ...ctx.viewer, role: 'admin' } });

/** How often and how long a close waits for changes that are being saved. */
const [TRIES, PAUSE_MS] = [400, 25];

/** Waits without a place in the queue of the lock, which would stop everybody who saves a change meanwhile. */
async function requireMoneyLock({ db }: TxContext, month: string): Promise<void> {
  for (let left = TRIES; left > 0; left -= 1) {
    if (await queries.tryLockMoney(db, month)) return;
    await pause(PAUSE_MS);
  }
  throw new AppError('UNAVAILABLE', {
    message: 'Changes of this month are still being saved. Nothing was done; please try again in a moment.',
    retryAfterSeconds: 2,
  });
}

/** Closes months, and opens them again (docs/product/month-close.md, Close). */
export function createMonthCloses({ deals, settings, clock, companyName }: Parts) {
  const latestClosed = (months: readonly queries.MonthRow[]) =>
    months.find(({ state }) => state === 'closed')?.month;

  /** Returns whether the order of months lets this one be closed. */
  async function mayClose(
    ctx: Context,
    months: readonly queries.MonthRow[],
    month: string,
  ): Promise<true | Reason> {
    if (month > clock.businessMonth()) return 'FUTURE_MONTH';
    if (months.some((one) => one.month === month && one.state === 'closed')) return 'IS_CLOSED';
    const closed = new Set(months.filter(({ state }) => state === 'closed').map((one) => one.month));
    const first = [...closed].toSorted()[0];
    if (first === undefined || month < first) return true;
    // A month that had no rows when a later one was closed is closed afterwards.
    const { rows } = await deals.figures.by(forCompany(ctx), 'month', {});
    return rows.some(({ key }) => key > first && key < month && !closed.has(key!)) ? 'EARLIER_IS_OPEN' : true;
  }

  const mayReopen = (
    { viewer }: Context,
    months: readonly queries.MonthRow[],
    month: string,
  ): true | Reason => {
    if (viewer.role !== 'admin') return 'ONLY_ADMINISTRATORS';
    return latestClosed(months) === month ? true : 'NOT_LATEST';
  };

  function require(ability: Ability): void {
    if (ability === true) return;
    if (ability === 'ONLY_ADMINISTRATORS') throw new AppError('ADMIN_REQUIRED');
    throw new AppError('CONFLICT', { message: REASONS[ability as Reason], details: ability });
  }

  async function requireChecked(
    ctx: TxContext,
    month: string,
    waivers: readonly queries.WaiverRow[],
  ): Promise<void> {
    const { checks } = await deals.checks(forCompany(ctx), month);
    const waived = new Map(waivers.map(({ check, rows }) => [check, rows]));
    const open = checks.filter(({ key, count }) => count > (waived.get(key) ?? 0));
    if (open.length > 0)
      throw new AppError('CONFLICT', {
        message: 'There are rows to settle or to waive. Nothing was closed.',
        // Without counts: the caller may not see all rows and columns.
        current: open.map(({ key }): { check: MonthCheck } => ({ check: key })),
      });
  }

  /** Freezes the statements of a month that nobody can change meanwhile. Returns them with their digests. */
  async function freeze(ctx: TxContext, month: string, waivers: readonly queries.WaiverRow[]) {
    const { db, viewer } = ctx;
    const audited = await statements.lastAuditedNumbers(db, monthId(month));
    const last: Record<StatementKind, number> = { commission: 0, account: 0 };
    for (const kind of ['commission', 'account'] as const)
      last[kind] = Math.max(await statements.lastNumber(db, kind, month), audited[kind] ?? 0);
    const rows = await deals.closing.rows(db, month);
    const pending = await statements.listPending(db, month);
    const { closing, closed_at: closedAt } = await queries.closeMonth(db, month, viewer.userId);
    const head = { month, companyName, closedAt: closedAt!, closedByName: viewer.name, waivers };
    const drafts = draftStatements(rows, pending, await statements.listRecipients(db, month), {
      ...head,
      gstRate: await settings.gstRate(ctx),
    });
    const frozen = drafts.map(({ kind, content, adjustmentIds }) => {
      last[kind] += 1;
      const number = `${month}-${String(last[kind]).padStart(3, '0')}`;
      const { recipientId } = content;
      return {
        id: newId(),
        kind,
        month,
        closing,
        number: last[kind],
        recipientId,
        adjustmentIds,
        content: { ...content, number },
      };
    });
    const digests = await statements.insertStatements(db, frozen);
    await auditMany(
      ctx,
      'statement.created',
      frozen.map(({ id, kind, content: { number, recipientName, totals } }) => ({
        recordId: id,
        after: { name: number, kind, recipient: recipientName, total: totals.total, digest: digests.get(id) },
      })),
    );
    const count = (kind: StatementKind) => frozen.filter((one) => one.kind === kind).length;
    await audit(ctx, 'month.closed', monthId(month), {
      after: { name: month, commission: count('commission'), account: count('account'), lastNumbers: last },
    });
    return frozen;
  }

  return {
    mayClose,
    mayReopen,

    /** Throws CONFLICT if a check is open, or if the order of months does not let it be closed. */
    close: (ctx: Context, month: string): Promise<void> =>
      inTransaction(ctx, async (inner) => {
        await queries.lockCloses(inner.db);
        require(await mayClose(inner, await queries.listMonths(inner.db), month));
        await requireMoneyLock(inner, month);
        const waivers = await queries.listWaivers(inner.db, month);
        await requireChecked(inner, month, waivers);
        const frozen = await freeze(inner, month, waivers);
        const own = frozen.filter(({ kind }) => kind === 'commission');
        await notify(
          inner.db,
          'statement',
          ctx.viewer.userId,
          own.map(({ id, recipientId }) => ({ userId: recipientId, recordId: id })),
        );
      }),

    /** Opens the month that was closed last. Throws CONFLICT for another one, ADMIN_REQUIRED for other people. */
    reopen: (ctx: Context, month: string, reason: string): Promise<void> =>
      inTransaction(ctx, async (inner) => {
        await queries.lockCloses(inner.db);
        require(mayReopen(ctx, await queries.listMonths(inner.db), month));
        await requireMoneyLock(inner, month);
        await queries.reopenMonth(inner.db, month, ctx.viewer.userId, reason);
        await audit(inner, 'month.reopened', monthId(month), { after: { name: month, reason } });
      }),

    /** Returns what statements, adjustments and rows of a closed month say; null about a column hidden from the viewer. */
    async balances({ db, viewer }: Context, month: string) {
      const sums = await statements.sumClosed(db, month);
      const rows = await deals.closing.sums(db, month);
      const of = (kind: StatementKind) => {
        if (!deals.sees(viewer, COLUMN[kind])) return null;
        const { statements = 0, adjustments = 0 } = sums.find((one) => one.kind === kind) ?? {};
        return { statements, adjustments, rows: rows[kind] };
      };
      return { commission: of('commission'), account: of('account') };
    },
  };
}
