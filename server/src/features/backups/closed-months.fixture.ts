import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';

/** Tables whose rows are never changed or removed. */
export const FINAL = ['statements', 'statement_notes', 'month_adjustments', 'statement_adjustments'] as const;

/**
 * Inserts a month that was closed twice, with a statement of a person and one of a dealership, each with a query and an
 * adjustment.
 */
export async function addClosedMonth(
  db: Db,
  { userId, dealershipId, text }: { userId: string; dealershipId: string; text: () => string },
): Promise<void> {
  const { rows } = await sql<{ month: string }>`
    insert into business_months (month, state, closing, closed_at, closed_by)
    select to_char(date '1990-01-01' + count(*)::int * interval '1 month', 'YYYY-MM'), 'closed', 2, now(), ${userId}
    from business_months returning month`.execute(db);
  const { month } = rows[0]!;
  for (const kind of ['commission', 'account']) {
    const [statement, note] = [newId(), newId()];
    const [owner, dealership] = kind === 'commission' ? [userId, null] : [null, dealershipId];
    const line = { customerName: text(), amount: 0.01 };
    const content = JSON.stringify({ number: `${month}-001`, lines: [line, line], adjustments: [line] });
    await sql`
      with statement as (
        insert into statements (id, kind, month, closing, number, owner_id, dealership_id, lines_total, content, digest)
        values (${statement}, ${kind}, ${month}, 2, 1, ${owner}, ${dealership}, 0.02, ${content}, ${text()})
        returning id
      ), adjustment as (
        insert into month_adjustments (month, closing, deal_id, kind, owner_id, dealership_id, amount, customer_name,
          deal_number, before, after, reason, created_by)
        values (${month}, 2, ${newId()}, ${kind}, ${owner}, ${dealership}, -0.01, ${text()}, ${text()}, null,
          ${JSON.stringify({ items: text() })}, ${text()}, ${userId})
        returning id
      ), note as (
        insert into statement_notes (id, statement_id, kind, text, created_by)
        select ${note}, id, 'query', ${text()}, ${userId} from statement
      )
      insert into statement_adjustments (statement_id, adjustment_id)
      select statement.id, adjustment.id from statement, adjustment`.execute(db);
  }
}
