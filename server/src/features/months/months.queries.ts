import type { MonthCheck } from '@forecourt/contract/month-checks';
import { sql } from 'kysely';
import { lockName, type Db, type Tx } from '../../platform/db/database.ts';

export const listWaivers = (db: Db | Tx, month: string) =>
  db
    .selectFrom('month_waivers')
    .innerJoin('users', 'users.id', 'month_waivers.waived_by')
    .where('month', '=', month)
    .select(['reason', 'rows', 'waived_at', 'users.name as waived_by_name'])
    .select((eb) => eb.ref('check').$castTo<MonthCheck>().as('check'))
    .execute();

export type WaiverRow = Awaited<ReturnType<typeof listWaivers>>[number];

type Waiver = { month: string; check: MonthCheck; reason: string; rows: number; waived_by: string };

/** Adds a waiver, or replaces that of the same check. Returns its time. */
export const saveWaiver = (db: Tx, waiver: Waiver) =>
  db
    .insertInto('month_waivers')
    .values(waiver)
    .onConflict((conflict) =>
      conflict.columns(['month', 'check']).doUpdateSet({ ...waiver, waived_at: sql`now()` }),
    )
    .returning('waived_at')
    .executeTakeFirstOrThrow();

export const deleteWaiver = (db: Tx, month: string, check: MonthCheck) =>
  db
    .deleteFrom('month_waivers')
    .where('month', '=', month)
    .where('check', '=', check)
    .executeTakeFirstOrThrow();

/** Returns the months that were ever closed or closing, newest first; other months are open. */
export const listMonths = (db: Db | Tx) =>
  db
    .selectFrom('business_months')
    .leftJoin('users as closers', 'closers.id', 'closed_by')
    .leftJoin('users as reopeners', 'reopeners.id', 'reopened_by')
    .orderBy('month', 'desc')
    .select([
      'month',
      'closing',
      'closed_at',
      'closers.name as closed_by_name',
      'reopened_at',
      'reopeners.name as reopened_by_name',
      'reopen_reason',
    ])
    .select((eb) => eb.ref('state').$castTo<'closing' | 'closed'>().as('state'))
    .execute();

export type MonthRow = Awaited<ReturnType<typeof listMonths>>[number];

/**
 * Locks the money of a month until the transaction ends, unless somebody is changing it; see `closing_of` in the
 * migrations. Returns whether it did.
 */
export async function tryLockMoney(db: Tx, month: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`money ${month}`}, 0)) as locked`.execute(db);
  return rows[0]!.locked;
}

export const startClosing = (db: Tx, month: string) =>
  db
    .insertInto('business_months')
    .values({ month, state: 'closing' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** Marks a month as closed. Returns how often it was closed. */
export const closeMonth = (db: Tx, month: string, userId: string) =>
  db
    .insertInto('business_months')
    .values({ month, state: 'closed', closing: 1, closed_at: sql`now()`, closed_by: userId })
    .onConflict((conflict) =>
      conflict.column('month').doUpdateSet({
        state: 'closed',
        closing: sql`business_months.closing + 1`,
        closed_at: sql`now()`,
        closed_by: userId,
      }),
    )
    .returning(['closing', 'closed_at'])
    .executeTakeFirstOrThrow();

export const reopenMonth = (db: Tx, month: string, userId: string, reason: string) =>
  db
    .updateTable('business_months')
    .set({ state: 'closing', reopened_at: sql`now()`, reopened_by: userId, reopen_reason: reason })
    .where('month', '=', month)
    .execute();

/** Serialises closes and reopenings, which depend on other months. */
export const lockCloses = (db: Tx) => lockName(db, 'month closes');

type Adjusted = { month: string; rows: number; commission: number; sales: number };

/** Returns what this transaction has adjusted, by month. */
export async function adjustedBy(tx: Tx, userId: string): Promise<Adjusted[]> {
  const { rows } = await sql<Adjusted>`
    select month, count(distinct deal_id)::int as rows,
      coalesce(sum(amount) filter (where kind = 'commission'), 0) as commission,
      coalesce(sum(amount) filter (where kind = 'account'), 0) as sales
    from month_adjustments where created_at = now() and created_by = ${userId}
    group by month order by month`.execute(tx);
  return rows;
}
