import { sql } from 'kysely';
import type { Db, Tx } from '../db/database.ts';
import { formatMonth } from '../formats.ts';
import { hashedId } from '../ids.ts';
import { AppError } from './errors.ts';

// The database decides about money in closed months: its function `adjust_closed_months` refuses a change, or records its
// adjustments for the reason of the transaction. So no way of writing can miss it (docs/product/month-close.md).

/** The error of a change of money in a closed month without a reason. */
const REFUSED = 'MC001';

export const isMonthClosed = (error: unknown): boolean => (error as { code?: string }).code === REFUSED;

/** Why somebody who may do so changes money in closed months. */
export type Adjustment = { reason: string; userId: string };

/** Gives the changes of this transaction a reason and an author. */
export async function adjustFor(tx: Tx, adjustment: Adjustment): Promise<void> {
  const stored = JSON.stringify(adjustment);
  // Another meaning of a status may adjust all rows of all closed months.
  await sql`select set_config('forecourt.adjustment', ${stored}, true),
    set_config('statement_timeout', '5min', true)`.execute(tx);
}

/** Returns the months that are closed. */
export const listClosedMonths = async (db: Db | Tx): Promise<string[]> =>
  (
    await db
      .selectFrom('business_months')
      .where('state', '=', 'closed')
      .orderBy('month')
      .select('month')
      .execute()
  ).map(({ month }) => month);

/** Names in an error. */
const MAX_NAMES = 5;

/** Returns the active people who may close months; see `mayCloseMonths`. Administrators are last. */
export const listClosers = async (db: Db | Tx) =>
  (
    await sql<{ id: string; name: string }>`
      select users.id, name from users left join permission_records on permission_records.user_id = users.id
      where is_active and (role = 'admin' or record @> '{"features": {"closeMonths": true}}'
        and not coalesce(record @> '{"pages": {"dataEntry": false}}', false))
      order by role = 'admin', name collate "en-AU-x-icu"`.execute(db)
  ).rows;

const either = new Intl.ListFormat('en-AU', { type: 'disjunction' });

/** Returns the 403 for a refused change of money in a closed month; other errors unchanged. */
export async function withWhomToAsk(db: Db, error: unknown): Promise<unknown> {
  if (!isMonthClosed(error)) return error;
  const month = (error as { detail: string }).detail;
  const askWhom = (await listClosers(db)).slice(0, MAX_NAMES).map(({ name }) => name);
  return new AppError('MONTH_CLOSED', {
    message: `${formatMonth(month)} is closed, and this would change its amounts. Nothing was changed. Ask ${either.format(askWhom)}.`,
    details: { month, askWhom },
  });
}

/** Returns the id of a month in the audit log and in live events, which need one. */
export const monthId = (month: string): string => hashedId('month', month);
