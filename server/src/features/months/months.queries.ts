import type { MonthCheck } from '@forecourt/contract/month-checks';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

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
